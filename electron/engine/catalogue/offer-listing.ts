import { type Problem, problem, toProblem } from '../../../shared/error/problem.ts';
import { backoffDelay } from '../base/backoff.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import { ConnectionClosedError, RpcError, rpcErrorCodes } from '../rpc/message.ts';
import type { PendingRequest } from '../rpc/peer-contract.ts';
import type { RawMessage } from '../rpc/raw-message.ts';
import type { Offer, OfferPart, RawItem } from './contract.ts';
import { listPages, type Pages } from './list-pages.ts';
import { isDeclared, type ListSpec, lists } from './list-specs.ts';

/** The part of a connection that listing needs. */
export interface ListedConnection {
  readonly handshake: Pick<Offer, 'protocolVersion' | 'capabilities' | 'serverInfo' | 'instructions'>;
  ask(method: string, params?: Readonly<Record<string, unknown>>): PendingRequest<RawMessage>;
}

export interface OfferListingOptions {
  readonly clock?: Clock;
  /** Milliseconds to wait for one page. */
  readonly pageTimeout?: number;
  /** Milliseconds after which a server that has answered no list keeps nobody waiting, see {@link OfferListing.isKnown}. */
  readonly patience?: number;
  /** The server's last offer: a list that gets no answer stays as it was there. */
  readonly previous?: () => Offer | undefined;
  /** False for a server that has ended over the question; by default lists that it does not declare are asked for too. */
  readonly asksUndeclared?: boolean;
  /** Called when the known lists or their problems have changed. */
  readonly onChange?: () => void;
}

/**
 * The lists of one server over one connection. Each is asked for, waited for, judged and asked for again on its own: what
 * is wrong with one of them is told and costs none of the others.
 */
export class OfferListing implements Disposable {
  readonly connection: ListedConnection;
  readonly #options: OfferListingOptions;
  readonly #clock: Clock;
  readonly #lists: readonly ListState[];
  readonly #waiters = new Set<() => void>();
  readonly #timers = new Set<Disposable>();
  #telling: Disposable | undefined;
  /** The offer may be shown: the tools are known, or nobody waits for them any more. */
  #isShown = false;
  #isOver = false;

  constructor(connection: ListedConnection, options: OfferListingOptions = {}) {
    this.connection = connection;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#lists = lists.map((spec) => newState(spec, isDeclared(connection.handshake.capabilities, spec)));
  }

  /** Asks for all lists, the declared ones first: a server that cannot take the other questions has said by then what it has. */
  start(): void {
    for (const list of this.#lists) if (list.declared === true) this.#ask(list);
    if (!this.#lists.some(({ declared }) => declared === true)) this.#askUndeclared();
    this.#waitNoLongerAfter(this.#options.patience ?? patience, this.#lists);
    if (this.#lists.every(({ isSettled }) => isSettled)) this.#tell();
  }

  /** Asks again for lists that have changed, whether the server had declared them or not; for all it has by default. */
  refresh(capability?: ListSpec['capability']): void {
    const hasChanged = ({ spec, declared }: ListState) =>
      capability === undefined ? declared === true : spec.capability === capability;
    for (const list of this.#lists) if (hasChanged(list)) this.#ask(list);
  }

  /**
   * The server's offer as far as it is known, with lists not answered over this connection as they were before;
   * undefined while its tools may still come.
   */
  get offer(): Offer | undefined {
    if (!this.#isShown) return undefined;
    const previous = this.#options.previous?.();
    const unlisted = this.#lists.filter((list) => isUnlisted(list, previous)).map(({ spec }) => spec.part);
    const { protocolVersion, capabilities, serverInfo, instructions } = this.connection.handshake;
    return {
      protocolVersion,
      capabilities,
      serverInfo,
      ...(instructions === undefined ? {} : { instructions }),
      ...partsOf(this.#lists, previous),
      ...(unlisted.length === 0 ? {} : { unlisted }),
    };
  }

  get problems(): readonly Problem[] {
    return this.#lists.flatMap(({ problem: found }) => found ?? []);
  }

  /** Whether the offer is shown and nobody need wait for this list, or for any of them, see `patience`. */
  isKnown(part?: OfferPart): boolean {
    if (!this.#isShown) return false;
    return this.#lists.every(
      ({ spec, isSettled }) => isSettled || (part !== undefined && spec.part !== part),
    );
  }

  /** Resolves when all lists are known, see {@link isKnown}; never once it is disposed of. */
  known(): Promise<void> {
    return this.isKnown() ? Promise.resolve() : new Promise((resolve) => this.#waiters.add(resolve));
  }

  /** Whether the server's tools have been listed without a failure, or it has none. */
  get knowsTools(): boolean {
    return this.#lists.some(
      ({ spec, declared, items, isSettled, failures }) =>
        spec.part === 'tools' && isSettled && failures === 0 && (items !== undefined || declared !== true),
    );
  }

  /** The connection has ended when nothing but lists that the server had not declared was asked for. */
  get endedOverUndeclared(): boolean {
    const cut = this.#lists.filter(({ isRunning, ending }) => isRunning || ending !== undefined);
    return cut.length > 0 && cut.every(({ declared }) => declared !== true);
  }

  /** Why nothing at all could be listed, where the connection has ended. */
  get ending(): Error | undefined {
    if (this.#lists.some(({ items }) => items !== undefined)) return undefined;
    return this.#lists.find(({ ending }) => ending !== undefined)?.ending;
  }

  dispose(): void {
    this.#isOver = true;
    this.#telling?.dispose();
    for (const timer of this.#timers) timer.dispose();
    this.#timers.clear();
    for (const { retry } of this.#lists) retry?.dispose();
    this.#waiters.clear();
  }

  #askUndeclared(): void {
    for (const list of this.#lists) {
      if (list.declared !== undefined || list.wasAsked) continue;
      if (this.#options.asksUndeclared === false) list.isSettled = true;
      else this.#ask(list);
    }
  }

  #ask(list: ListState): void {
    if (this.#isOver) return;
    list.wasAsked = true;
    list.wanted = true;
    if (!list.isRunning) void this.#run(list);
  }

  async #run(list: ListState): Promise<void> {
    list.isRunning = true;
    list.retry?.dispose();
    while (list.wanted && !this.#isOver) {
      list.wanted = false;
      const silence = this.#clock.after(silenceTold, () => {
        if (list.declared !== true || list.problem !== undefined) return;
        list.problem = stillSilent(list.spec);
        this.#tell();
      });
      const outcome = await this.#outcomeOf(list.spec);
      silence.dispose();
      if (this.#isOver) return;
      this.#take(list, outcome);
    }
    list.isRunning = false;
    this.#settle(list);
  }

  async #outcomeOf({ method, part, key }: ListSpec): Promise<Outcome> {
    const ask = this.connection.ask.bind(this.connection);
    const { pageTimeout = 30_000 } = this.#options;
    try {
      const pages = await listPages({ ask, method, field: part, key, clock: this.#clock, pageTimeout });
      return { pages };
    } catch (error) {
      return { error };
    }
  }

  #take(list: ListState, { pages, error }: Outcome): void {
    const { spec, declared } = list;
    list.ending = error instanceof ConnectionClosedError ? error : undefined;
    // Usable items are told apart where the offer is judged.
    if (pages !== undefined && (pages.failure === undefined || list.items === undefined)) {
      const before = this.#options.previous?.()?.[spec.part] ?? [];
      const keepsBefore = pages.failure !== undefined && before.length > pages.items.length;
      list.items = keepsBefore ? before : (pages.items as readonly RawItem[]);
    }
    if (isUnknownMethod(error)) list.items = [];
    const failure = pages === undefined ? (isUnknownMethod(error) ? undefined : error) : pages.failure;
    const isOurs = declared !== true && list.items === undefined;
    list.problem = isOurs ? undefined : problemOf(spec, pages, failure);
    list.failures = failure === undefined || isOurs ? 0 : list.failures + 1;
    if (list.failures === 0) return;
    // A server that refuses what it lists a moment later was still getting ready.
    const soon = failure instanceof RpcError ? soonTries[list.failures - 1] : undefined;
    const slow = failure instanceof RpcError ? list.failures - soonTries.length : list.failures - 1;
    const wait = soon ?? backoffDelay(retries, Math.max(0, slow));
    list.retry = this.#clock.after(wait, () => this.#ask(list));
  }

  #settle(list: ListState): void {
    list.isSettled = true;
    const isTools = list.spec.part === 'tools';
    if (list.declared === true || isTools) {
      const declared = this.#lists.filter((other) => other.declared === true);
      if (declared.every(({ isSettled }) => isSettled)) this.#askUndeclared();
      const undeclared = this.#lists.filter((other) => other.declared !== true);
      if (isTools) this.#waitNoLongerAfter(patienceBesides, this.#lists);
      this.#waitNoLongerAfter(patienceUndeclared, undeclared);
    }
    this.#tell();
  }

  #waitNoLongerAfter(milliseconds: number, some: readonly ListState[]): void {
    if (some.every(({ isSettled }) => isSettled)) return;
    const timer = this.#clock.after(milliseconds, () => {
      this.#timers.delete(timer);
      this.#waitNoLonger(some);
    });
    this.#timers.add(timer);
  }

  #waitNoLonger(some: readonly ListState[]): void {
    const waiting = some.filter(({ isSettled }) => !isSettled);
    for (const list of waiting) list.isSettled = true;
    this.#askUndeclared();
    if (waiting.length > 0) this.#tell();
  }

  /** At once where all is known; answers mostly come together, and are told together. */
  #tell(): void {
    if (this.#isOver) return;
    if (this.#lists.every(({ isSettled }) => isSettled)) this.#show();
    else if (this.#lists.some(({ spec, isSettled }) => isSettled && spec.part === 'tools'))
      this.#telling ??= this.#clock.after(together, () => this.#show());
    else if (this.problems.length > 0) this.#options.onChange?.();
  }

  #show(): void {
    this.#telling?.dispose();
    this.#telling = undefined;
    this.#isShown = true;
    this.#options.onChange?.();
    if (!this.isKnown()) return;
    for (const resolve of this.#waiters) resolve();
    this.#waiters.clear();
  }
}

interface ListState {
  readonly spec: ListSpec;
  /** Undefined where the server says nothing of it. */
  readonly declared: boolean | undefined;
  /** As it was answered last over this connection. */
  items?: readonly RawItem[];
  problem: Problem | undefined;
  /** Why it could not be had, where the connection could no longer answer. */
  ending: Error | undefined;
  /** Asked for again, also while that is under way. */
  wanted: boolean;
  wasAsked: boolean;
  isRunning: boolean;
  /** Nobody need wait for it. */
  isSettled: boolean;
  /** Failures in a row. */
  failures: number;
  retry?: Disposable;
}

function newState(spec: ListSpec, declared: boolean | undefined): ListState {
  const isSettled = declared === false;
  const nothing = { problem: undefined, ending: undefined, wanted: false, wasAsked: false, isRunning: false };
  return { spec, declared, ...nothing, isSettled, failures: 0 };
}

interface Outcome {
  readonly pages?: Pages;
  readonly error?: unknown;
}

const patience = 2_000;

/** Milliseconds that other lists may take longer than the tools before nobody waits for them. */
const patienceBesides = 1_000;

/** Milliseconds that undeclared lists may take longer than a declared one. */
const patienceUndeclared = 100;

/** Milliseconds in which nobody wonders where a list is. */
const silenceTold = 5_000;

/** Milliseconds after the tools in which the other answers are taken to have come with them. */
const together = 20;

/** Milliseconds after each of the first refusals. */
const soonTries = [1_000, 3_000, 10_000, 30_000] as const;

const retries = { initial: 30_000, max: 300_000, factor: 2, jitter: 0.2 } as const;

function partsOf(states: readonly ListState[], previous: Offer | undefined): Pick<Offer, OfferPart> {
  const itemsOf = (part: OfferPart) => {
    const list = states.find(({ spec }) => spec.part === part);
    const known = list === undefined || list.declared === false ? [] : previous?.[part];
    return list?.items ?? known ?? [];
  };
  return {
    tools: itemsOf('tools'),
    prompts: itemsOf('prompts'),
    resources: itemsOf('resources'),
    resourceTemplates: itemsOf('resourceTemplates'),
  };
}

function isUnlisted({ spec, declared, items }: ListState, previous: Offer | undefined): boolean {
  if (items !== undefined || declared !== true) return false;
  return previous === undefined || previous.unlisted?.includes(spec.part) === true;
}

/** A list that does not exist is an empty one, whatever was declared. */
function isUnknownMethod(error: unknown): boolean {
  return error instanceof RpcError && error.code === rpcErrorCodes.methodNotFound;
}

function problemOf(spec: ListSpec, pages: Pages | undefined, failure: unknown): Problem | undefined {
  if (failure !== undefined) return listFailed(spec, failure, pages !== undefined);
  return pages?.cut === undefined ? undefined : listCut(spec, pages.cut);
}

function listFailed({ method }: ListSpec, error: unknown, isLaterPage: boolean): Problem {
  const isAnswer = error instanceof RpcError;
  const isClosed = error instanceof ConnectionClosedError;
  const why = isAnswer || isClosed ? asSentence(error.message) : toProblem(error).sentence;
  const what = isLaterPage ? `a later page of ${method}` : method;
  const sentence = `${why} This is why ${what} failed; the other lists work.`;
  const evidence = {
    method,
    ...(isAnswer ? { code: error.code, message: error.message.slice(0, longestWords) } : {}),
  };
  return problem('server.list_failed', sentence, "Read the server's log, or restart it.", evidence);
}

/** The words of a server, which may be any number of any kind. */
function asSentence(words: string): string {
  const text = words.slice(0, longestWords).trim();
  return text.endsWith('.') ? text : `${text}.`;
}

const longestWords = 500;

function listCut({ method }: ListSpec, why: string): Problem {
  const sentence = `${method} was ended before the server was done: ${why}. What came until then is listed.`;
  return problem('server.list_cut', sentence, 'Report this to the author of the server.', { method });
}

function stillSilent({ method }: ListSpec): Problem {
  const sentence = `No answer to ${method} yet; the server is connected and its other lists work.`;
  const fix = 'Wait a little; if nothing comes, read its log or restart it.';
  return problem('server.list_failed', sentence, fix, { method });
}
