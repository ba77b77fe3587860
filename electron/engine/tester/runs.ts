import { ProblemError, problem } from '../../../shared/error/problem.ts';
import type { TestAnswer, TestProgress } from '../../../shared/model/tool/tester.ts';
import type { OperationInput } from '../../../shared/operations/table.ts';
import type { Clock } from '../base/clock.ts';
import { type Disposable, Emitter } from '../base/emitter.ts';
import type { CatalogueView } from '../catalogue/contract.ts';
import type { RawMessage, RawRequest } from '../jsonrpc/raw-message.ts';
import type { MaskText } from '../secrets/known-secrets.ts';
import { errorAnswer, resultAnswer, shownAnswer, type WholeAnswer } from './answers.ts';
import { testRequest } from './requests.ts';
import { sendRun } from './send-run.ts';
import type { TesterSessions } from './sessions.ts';

type Run = OperationInput<'tester.call'>;

/** Result of a run, complete and as it is shown. */
export interface TestRunResult {
  readonly answer: WholeAnswer;
  readonly shown: TestAnswer;
}

/** Active runs. They go through the same router as clients' calls. */
export class TestRuns implements Disposable {
  readonly #clock: Clock;
  readonly #mask: MaskText;
  readonly #running = new Map<string, AbortController>();
  readonly #progressed = new Emitter<TestProgress>();
  readonly onProgress = this.#progressed.event;
  #lastId = 0;
  readonly #nextId = () => ++this.#lastId;

  constructor(clock: Clock, mask: MaskText) {
    this.#clock = clock;
    this.#mask = mask;
  }

  /** Rejects with ProblemError before anything is sent, and never after. */
  async run(run: Run, view: CatalogueView, sessions: TesterSessions): Promise<TestRunResult> {
    const { runId, target } = run;
    this.#requireCapacity(runId);
    const message = testRequest(target, run.arguments, this.#nextId(), isTaskOnly(target, view));
    const controller = new AbortController();
    this.#running.set(runId, controller);
    const startedAt = this.#clock.now();
    const answer = this.#masked(await this.#send(run, message, view, sessions, controller.signal));
    const milliseconds = this.#clock.now() - startedAt;
    return { answer, shown: shownAnswer(answer, { runId, startedAt, milliseconds }) };
  }

  cancel(runId: string): void {
    this.#running.get(runId)?.abort('Cancelled by the user.');
  }

  dispose(): void {
    for (const controller of this.#running.values()) controller.abort('Patchbay is closing.');
    this.#progressed.dispose();
  }

  async #send(
    { runId, target }: Run,
    message: RawRequest,
    view: CatalogueView,
    sessions: TesterSessions,
    signal: AbortSignal,
  ): Promise<WholeAnswer> {
    const session = sessions.open(target.serverKey);
    const onProgress = (notice: RawMessage) => this.#progress(runId, notice);
    try {
      const sent = { target, message, view, session, signal, onProgress, nextId: this.#nextId };
      return resultAnswer(target.kind, await sendRun(sent));
    } catch (error) {
      return errorAnswer(error, signal);
    } finally {
      this.#running.delete(runId);
      session.dispose();
    }
  }

  #requireCapacity(runId: string): void {
    if (this.#running.has(runId)) {
      throw new ProblemError(
        problem('tester.busy', 'This run is already in progress.', 'Wait for its result.'),
      );
    }
    if (this.#running.size < maxConcurrent) return;
    const sentence = `${maxConcurrent} test runs are already in progress.`;
    throw new ProblemError(problem('tester.busy', sentence, 'Wait until one of them ends, or cancel one.'));
  }

  /** See {@link KnownSecrets}. */
  #masked({ outcome, bytes }: WholeAnswer): WholeAnswer {
    const text = bytes.toString('utf8');
    const masked = this.#mask(text);
    return { outcome, bytes: masked === text ? bytes : Buffer.from(masked) };
  }

  #progress(runId: string, { params = {} }: RawMessage): void {
    const { progress, total, message } = params;
    if (typeof progress !== 'number') return;
    this.#progressed.fire({
      runId,
      progress,
      total: typeof total === 'number' ? total : undefined,
      message: typeof message === 'string' ? this.#mask(message).slice(0, maxMessage) : undefined,
    });
  }
}

/** Some tools can only run as tasks. */
function isTaskOnly({ kind, name }: Run['target'], view: CatalogueView): boolean {
  const found = kind === 'tool' ? view.findTool(name) : undefined;
  if (found?.kind !== 'found') return false;
  const { execution } = found.target.item as { readonly execution?: { readonly taskSupport?: unknown } };
  return execution?.taskSupport === 'required';
}

const maxConcurrent = 32;
const maxMessage = 500;
