import { randomUUID } from 'node:crypto';
import { ProblemError, problem } from '../../../shared/error/problem.ts';
import type {
  Check,
  CheckInput,
  CheckResult,
  Expectation,
  TestAnswer,
  TestOutcome,
} from '../../../shared/model/tool/tester.ts';
import type { OperationInput } from '../../../shared/operations/table.ts';
import type { Clock } from '../base/clock.ts';
import { digestOf } from '../base/digest.ts';
import { type Disposable, Emitter } from '../base/emitter.ts';
import type { Catalogue, CatalogueStore } from '../catalogue/contract.ts';
import { CheckFile, type StoredCheck } from './check-file.ts';
import type { HubTester } from './hub-tester.ts';
import { type Shape, shapeDifferences, shapeOf } from './shape.ts';

export interface HubChecksOptions {
  readonly file: string;
  readonly clock: Clock;
  readonly tester: Pick<HubTester, 'call' | 'answer'>;
  readonly catalogue: CatalogueStore;
}

/** Runs whose answer is known to be right, stored in `checks.json` and repeated on demand. */
export class HubChecks implements Disposable {
  readonly #options: HubChecksOptions;
  readonly #file: CheckFile;
  readonly #changed = new Emitter<readonly Check[]>();
  readonly #running = new Set<string>();
  readonly onChange = this.#changed.event;

  constructor(options: HubChecksOptions) {
    this.#options = options;
    this.#file = new CheckFile(options.file);
    // A server that offers something else makes its checks due.
    options.catalogue.onChange(() => this.#notify());
  }

  async list(): Promise<readonly Check[]> {
    const checks = await this.#file.read();
    return checks.map((check) => this.#view(check));
  }

  async add(input: CheckInput): Promise<string> {
    const id = randomUUID();
    const { shape, ...expects } = input.expects;
    const seen = this.#digest(input);
    const check: StoredCheck = {
      ...input,
      expects: { ...expects, shape: shape === undefined ? undefined : shapeText(shape) },
      id,
      createdAt: this.#options.clock.now(),
      seen,
    };
    await this.#file.change((checks) => {
      if (checks.length >= maxChecks) throw tooManyChecks();
      return [...checks, check];
    });
    this.#notify();
    return id;
  }

  async remove(id: string): Promise<void> {
    await this.#file.change((checks) => checks.filter((check) => check.id !== id));
    this.#notify();
  }

  async run(which: OperationInput<'check.run'>) {
    const all = await this.#file.read();
    const wanted = all.filter((check) =>
      'ids' in which ? which.ids.includes(check.id) : check.target.serverKey === which.serverKey,
    );
    if ('ids' in which && wanted.length === 0) throw unknownCheck();
    let passed = 0;
    for (const check of wanted) if (await this.#try(check)) passed += 1;
    return { passed, failed: wanted.length - passed };
  }

  /** Reads the file again after it was replaced. */
  reload(): void {
    this.#file.forget();
    this.#notify();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #try(check: StoredCheck): Promise<boolean> {
    this.#running.add(check.id);
    this.#notify();
    try {
      const last = await this.#result(check);
      const seen = this.#digest(check);
      await this.#file.change((checks) =>
        checks.map((one) =>
          one.id === check.id ? { ...one, last, ...(seen === undefined ? {} : { seen }) } : one,
        ),
      );
      return last.ok;
    } finally {
      this.#running.delete(check.id);
      this.#notify();
    }
  }

  async #result({ target, arguments: text, expects }: StoredCheck): Promise<CheckResult> {
    const { tester } = this.#options;
    const runId = `check-${randomUUID()}`;
    const { outcome, startedAt, milliseconds } = await tester.call({ runId, target, arguments: text });
    const differences = compareWithCheck(expects, { outcome, text: tester.answer(runId) });
    return { ok: differences.length === 0, at: startedAt, milliseconds, outcome, differences };
  }

  #notify(): void {
    if (!this.#changed.hasListeners) return;
    this.list().then(
      (checks) => this.#changed.fire(checks),
      // Errors are reported to callers of list().
      () => undefined,
    );
  }

  #view({ seen, ...check }: StoredCheck): Check {
    const now = this.#digest(check);
    const due = now !== undefined && seen !== undefined && now !== seen;
    return { ...check, running: this.#running.has(check.id), due };
  }

  #digest({ target }: Pick<CheckInput, 'target'>): string | undefined {
    return definitionDigest(this.#options.catalogue.current, target);
  }
}

const maxChecks = 500;

/**
 * Equal as long as the server has the same version and the same definition of the target; undefined if the
 * server is not listed.
 */
function definitionDigest(
  { servers }: Catalogue,
  { kind, serverKey, name }: CheckInput['target'],
): string | undefined {
  const offer = servers.find(({ key }) => key === serverKey)?.offer;
  if (offer === undefined) return undefined;
  const lists = { tool: offer.tools, prompt: offer.prompts, resource: offer.resources };
  const item = lists[kind].find((one) => one[kind === 'resource' ? 'uri' : 'name'] === name);
  return digestOf([offer.serverInfo.version ?? '', item ?? null]);
}

function shapeText(answer: string): string {
  const text = JSON.stringify(shapeOf(parsed(answer)));
  if (text.length <= maxShapeLength) return text;
  const sentence = 'The result has too many different fields to save its shape.';
  throw new ProblemError(
    problem('tester.invalid_arguments', sentence, 'Check for text in the result instead.'),
  );
}

const maxShapeLength = 100_000;

function parsed(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    const sentence = 'The result is not complete JSON, so its shape cannot be compared.';
    throw new ProblemError(
      problem('tester.invalid_arguments', sentence, 'Check for text in the result instead.'),
    );
  }
}

function tooManyChecks(): ProblemError {
  const sentence = `There are already ${maxChecks} checks.`;
  return new ProblemError(problem('tester.too_many_checks', sentence, 'Remove one that you no longer need.'));
}

function unknownCheck(): ProblemError {
  return new ProblemError(
    problem('tester.unknown_check', 'This check does not exist.', 'It may have been removed.'),
  );
}

/** Returns how an answer differs from what a check expects, one sentence each; empty if it is right. */
export function compareWithCheck(
  { outcome, shape, contains }: Expectation,
  answer: Pick<TestAnswer, 'outcome'> & { readonly text: string },
): readonly string[] {
  const differences = [
    ...(outcome === answer.outcome
      ? []
      : [`The run ended with ${outcomeTexts[answer.outcome]} instead of ${outcomeTexts[outcome]}.`]),
    ...(contains === undefined || answer.text.includes(contains)
      ? []
      : [`The result does not contain ${JSON.stringify(contains.slice(0, 100))}.`]),
    ...(shape === undefined ? [] : compareShape(shape, answer.text)),
  ];
  return differences.length <= maxDifferences
    ? differences
    : [...differences.slice(0, maxDifferences), `And ${differences.length - maxDifferences} more.`];
}

const maxDifferences = 20;

const outcomeTexts: Readonly<Record<TestOutcome, string>> = {
  ok: 'a result',
  'tool-error': 'a result that says the tool failed',
  error: 'a server error',
  timeout: 'no answer in time',
  cancelled: 'a cancellation',
  lost: 'a lost connection',
  refused: 'a refusal, before it reached a server',
};

function compareShape(shape: string, text: string): readonly string[] {
  try {
    return shapeDifferences(JSON.parse(shape) as Shape, JSON.parse(text));
  } catch {
    return ['The result is not JSON.'];
  }
}
