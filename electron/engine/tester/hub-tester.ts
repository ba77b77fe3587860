import { ProblemError } from '../../../shared/error/problem.ts';
import type {
  Completion,
  OfferedItem,
  OfferedItems,
  TestAnswer,
  TestRecord,
  TestTarget,
} from '../../../shared/model/tool/tester.ts';
import type { OperationInput } from '../../../shared/operations/table.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import { canonicalNames, noLists } from '../catalogue/canonical-names.ts';
import type { Catalogue, CatalogueStore, CatalogueView, NameLookup, RawItem } from '../catalogue/contract.ts';
import { unknownServer } from '../catalogue/unknown-names.ts';
import { createView } from '../catalogue/view/view.ts';
import type { ConfiguredLookup } from '../config/configured-lookup.ts';
import type { Router } from '../routing/router.ts';
import type { ServerRequests } from '../routing/server-requests/server-requests.ts';
import { KnownSecrets, type SecretsHub } from '../secrets/known-secrets.ts';
import type { Supervisor } from '../servers/contract.ts';
import { RecentAnswers, TestHistory } from './history.ts';
import { Questions } from './questions.ts';
import { completionRequest } from './requests.ts';
import { TestRuns } from './runs.ts';
import { TesterSessions } from './sessions.ts';

interface TesterHub extends SecretsHub {
  readonly serverRequests: ServerRequests;
  readonly router: Router;
  readonly supervisor: Supervisor;
  readonly catalogue: CatalogueStore;
  readonly configured: ConfiguredLookup;
}

export interface HubTesterOptions {
  readonly hub: TesterHub;
  readonly clock: Clock;
  readonly version: string;
}

/** Tries out what servers offer, as a client of its own; see the rows of `shared/operations/tester.ts`. */
export class HubTester implements Disposable {
  readonly #options: HubTesterOptions;
  readonly #runs: TestRuns;
  readonly #secrets = new KnownSecrets();
  readonly #questions: Questions;
  readonly #history: TestHistory;
  readonly #answers = new RecentAnswers();
  readonly onProgress: TestRuns['onProgress'];
  readonly onQuestion: Questions['onAsked'];
  readonly onQuestionEnded: Questions['onEnded'];
  #sessions: TesterSessions | undefined;

  constructor(options: HubTesterOptions) {
    this.#options = options;
    this.#runs = new TestRuns(options.clock, this.#secrets.mask);
    this.#questions = new Questions(this.#secrets.mask);
    this.#history = new TestHistory(this.#secrets.mask);
    this.onProgress = this.#runs.onProgress;
    this.onQuestion = this.#questions.onAsked;
    this.onQuestionEnded = this.#questions.onEnded;
  }

  async call(run: OperationInput<'tester.call'>): Promise<TestAnswer> {
    const { target } = run;
    const { catalogue } = this.#hubWith(target.serverKey);
    const view = targetView(catalogue.current, target, run.evenIfOff === true);
    const { answer, shown } = await this.#runs.run(run, view, this.#session());
    this.#answers.add(run.runId, answer.bytes);
    this.#history.add(target, run.arguments, answer, shown);
    return shown;
  }

  cancel(runId: string): void {
    this.#runs.cancel(runId);
  }

  reply(answer: OperationInput<'tester.reply'>): void {
    this.#questions.reply(answer);
  }

  questions() {
    return this.#questions.open;
  }

  offer(serverKey: string): OfferedItems {
    return offeredItems(this.#hubWith(serverKey).catalogue.current, serverKey);
  }

  /** A failed completion counts as empty: it is only a help, and the run itself shows what is wrong. */
  async complete(input: OperationInput<'tester.complete'>): Promise<Completion> {
    const { serverKey, ref } = input;
    const name = ref.type === 'ref/prompt' ? ref.name : ref.uri;
    const target: TestTarget = { kind: ref.type === 'ref/prompt' ? 'prompt' : 'resource', serverKey, name };
    const view = targetView(this.#hubWith(serverKey).catalogue.current, target, false);
    const session = this.#session().open(serverKey);
    try {
      const message = completionRequest(input, 1);
      const { router, caller } = session;
      const answer = await router.call({ sessionId: caller.sessionId, caller, message, view, onProgress });
      return readCompletion(answer.result);
    } catch {
      return { values: [], hasMore: false };
    } finally {
      session.dispose();
    }
  }

  history(target: TestTarget): readonly TestRecord[] {
    return this.#history.of(target);
  }

  clearHistory(target: TestTarget): void {
    this.#history.clear(target);
  }

  /** Returns the JSON of the whole answer of one of the last runs. Throws `tester.run_gone`. */
  answer(runId: string): string {
    return this.#answers.of(runId);
  }

  dispose(): void {
    this.#runs.dispose();
    this.#questions.dispose();
    this.#sessions?.dispose();
  }

  #hubWith(serverKey: string): TesterHub {
    const { hub } = this.#options;
    if (hub.configured(serverKey) === undefined) throw new ProblemError(unknownServer(serverKey));
    this.#secrets.learn(hub);
    return hub;
  }

  #session(): TesterSessions {
    const { serverRequests, router, supervisor } = this.#options.hub;
    const { clock, version } = this.#options;
    const { instances } = supervisor;
    this.#sessions ??= new TesterSessions({
      serverRequests,
      router,
      instances,
      questions: this.#questions,
      clock,
      version,
    });
    return this.#sessions;
  }
}

/** Completion requests send no progress. */
function onProgress(): void {}

/** Returns the prompts, resources and templates that a server listed last. */
function offeredItems({ servers, off }: Catalogue, serverKey: string): OfferedItems {
  const offer = [...servers, ...off].find(({ key }) => key === serverKey)?.offer;
  return {
    prompts: (offer?.prompts ?? []).flatMap((item) => offered(item, item.name)),
    resources: (offer?.resources ?? []).flatMap((item) => offered(item, item.uri)),
    templates: (offer?.resourceTemplates ?? []).flatMap((item) => offered(item, item.uriTemplate)),
    completes: offer?.capabilities.completions !== undefined,
  };
}

/** Reads the answer to `completion/complete`; ignores invalid parts. */
function readCompletion(result: unknown): Completion {
  const { completion } = (result ?? {}) as { readonly completion?: Readonly<Record<string, unknown>> };
  const { values, total, hasMore } = completion ?? {};
  const texts = Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
  return { values: texts, hasMore: hasMore === true, total: typeof total === 'number' ? total : undefined };
}

function offered(item: RawItem, name: unknown): readonly OfferedItem[] {
  if (typeof name !== 'string') return [];
  const { description } = item;
  // A resource without a title is shown by its name.
  const title = textOf(item.title) ?? (name === item.name ? undefined : textOf(item.name));
  return [
    {
      name,
      title,
      description: typeof description === 'string' ? description : undefined,
      definition: { ...item },
    },
  ];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/**
 * The catalogue as a run sees it. The target is found by its original name, listed or not; if it is not
 * listed, the server decides. Everything else has canonical ids, for fallbacks. `evenIfOff` allows a tool
 * that is turned off.
 */
function targetView(catalogue: Catalogue, target: TestTarget, evenIfOff: boolean): CatalogueView {
  const all = createView(catalogue, canonicalNames);
  const { serverKey, name } = target;

  function find(kind: 'tools' | 'prompts'): NameLookup {
    const on = catalogue.servers.find(({ key }) => key === serverKey);
    const listed = on?.offer[kind].find((item) => item.name === name);
    const found = named(target, listed ?? { name });
    if (on === undefined && catalogue.off.some(({ key }) => key === serverKey)) {
      return { kind: 'server-off', target: found };
    }
    const isOff = kind === 'tools' && on?.disabledTools.has(name) === true;
    if (isOff && !evenIfOff) return { kind: 'disabled', target: found };
    const isHeld = kind === 'tools' && on?.heldTools.has(name) === true;
    return { kind: isHeld ? 'held' : 'found', target: found };
  }

  return {
    revision: catalogue.revision,
    ...noLists,
    findTool: (calledName) => (calledName === name ? find('tools') : all.findTool(calledName)),
    findPrompt: (calledName) => (calledName === name ? find('prompts') : all.findPrompt(calledName)),
    findResource: (uri) => ({ serverKey, uri }),
    wireUri: (_key, uri) => uri,
  };
}

function named({ serverKey, name }: TestTarget, item: RawItem) {
  return { serverKey, name, wireName: name, item };
}
