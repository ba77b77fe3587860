import type { Problem } from '../../../../shared/error/problem.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { PendingRequest } from '../../jsonrpc/peer-contract.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import type { ListPart, ServerListing } from '../contract.ts';
import { keepReceived, noteProgress, type Outcome, takeOutcome } from './list-outcome.ts';
import { FirstParams, listPages } from './list-pages.ts';
import { isDeclared, type ListSpec, lists } from './list-specs.ts';
import { createListState, isNeverListed, type ListState, partsOf } from './list-state.ts';

/** The part of a connection that listing needs. */
export interface ListedConnection {
  readonly handshake: Pick<ServerListing, 'protocolVersion' | 'capabilities' | 'serverInfo' | 'instructions'>;
  requestRaw(method: string, params?: Readonly<Record<string, unknown>>): PendingRequest<RawMessage>;
}

export interface ListingReaderOptions {
  readonly clock?: Clock;
  /** Timeout for one page in milliseconds. */
  readonly pageTimeoutMs?: number;
  /**
   * Milliseconds after which nobody waits any longer for a server that has answered no list, see {@link
   * OfferListing.isKnown}; more than the default for a server that was slow to start.
   */
  readonly waitMs?: number;
  /** The server's last listing, used for lists that are not answered. */
  readonly previous?: () => ServerListing | undefined;
  /**
   * Requests undeclared lists too (default true). False for a server that ended or fell silent over
   * such a request; then only those that it answered before are requested.
   */
  readonly requestsUndeclared?: boolean;
  /** Called once if the server keeps announcing that a list changed. */
  readonly onStorm?: (spec: ListSpec) => void;
  /** Called when the known lists or their problems have changed. */
  readonly onChange?: () => void;
}

/**
 * The lists of one server on one connection. Each is requested, awaited, checked and retried on its own; an
 * error in one is reported and does not affect the others.
 */
export class ListingReader implements Disposable {
  readonly connection: ListedConnection;
  readonly #options: ListingReaderOptions;
  readonly #clock: Clock;
  readonly #lists: readonly ListState[];
  readonly #waiters = new Set<() => void>();
  readonly #timers = new Set<Disposable>();
  readonly #firstParams = new FirstParams();
  #pendingShow: Disposable | undefined;
  /** True when the listing may be shown: the tools are known, or nobody waits for them any more. */
  #isShown = false;
  #isStormReported = false;
  /** True if silence may only mean that the server, or this machine, is busy. */
  #isSlow: boolean;
  #isDisposed = false;

  constructor(connection: ListedConnection, options: ListingReaderOptions = {}) {
    this.connection = connection;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#isSlow = (options.waitMs ?? defaultWaitMs) > defaultWaitMs;
    this.#lists = lists.map((spec) =>
      createListState(spec, isDeclared(connection.handshake.capabilities, spec)),
    );
  }

  /**
   * Requests all lists, the declared ones first, so that a server that cannot handle the others has answered
   * those by then.
   */
  start(): void {
    for (const list of this.#lists) if (list.declared === true) this.#request(list);
    if (!this.#lists.some(({ declared }) => declared === true)) this.#requestUndeclared();
    this.#stopWaitingAfter(this.#options.waitMs ?? defaultWaitMs, this.#lists);
    if (this.#lists.every(({ isSettled }) => isSettled)) this.#publish();
  }

  /** Requests changed lists again, declared or not; by default all declared ones. */
  refresh(capability?: ListSpec['capability']): void {
    const hasChanged = ({ spec, declared }: ListState) =>
      capability === undefined ? declared === true : spec.capability === capability;
    for (const list of this.#lists) if (hasChanged(list)) this.#requestAgain(list);
  }

  /**
   * The listing as far as known; lists not answered on this connection stay as they were. Undefined while the
   * tools may still arrive.
   */
  get listing(): ServerListing | undefined {
    if (!this.#isShown) return undefined;
    const previous = this.#options.previous?.();
    const unlisted = this.#lists.filter((list) => isNeverListed(list, previous)).map(({ spec }) => spec.part);
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

  /** Checks whether the listing is shown and nobody needs to wait for this list; without `part`, for any. */
  isKnown(part?: ListPart): boolean {
    if (!this.#isShown) return false;
    return this.#lists.every(
      ({ spec, isSettled }) => isSettled || (part !== undefined && spec.part !== part),
    );
  }

  /** Resolves when all lists are known, see {@link isKnown}; never after disposal. */
  whenKnown(): Promise<void> {
    return this.isKnown() ? Promise.resolve() : new Promise((resolve) => this.#waiters.add(resolve));
  }

  /** True if the tools were listed without a failure, or the server has none. */
  get knowsTools(): boolean {
    return this.#lists.some(
      ({ spec, declared, items, isSettled, failures }) =>
        spec.part === 'tools' && isSettled && failures === 0 && (items !== undefined || declared !== true),
    );
  }

  /** True if the connection ended while only undeclared lists were being requested. */
  get closedDuringUndeclared(): boolean {
    const cut = this.#lists.filter(({ isRunning, closeError }) => isRunning || closeError !== undefined);
    return cut.length > 0 && cut.every(({ declared }) => declared !== true);
  }

  /** True if undeclared lists were requested and the server has never responded to them. */
  get awaitsUndeclared(): boolean {
    return this.#lists.some(
      ({ declared, wasRequested, wasAnswered }) => declared !== true && wasRequested && !wasAnswered,
    );
  }

  /** The error if the connection ended before anything was listed. */
  get closeError(): Error | undefined {
    if (this.#lists.some(({ items }) => items !== undefined)) return undefined;
    return this.#lists.find(({ closeError }) => closeError !== undefined)?.closeError;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#pendingShow?.dispose();
    for (const timer of this.#timers) timer.dispose();
    this.#timers.clear();
    for (const { retry, nextRequest } of this.#lists) {
      retry?.dispose();
      nextRequest?.dispose();
    }
    this.#waiters.clear();
  }

  #requestUndeclared(): void {
    const open = this.#lists.filter(({ declared, wasRequested }) => declared === undefined && !wasRequested);
    const asked = open.filter(
      ({ spec }) => this.#options.requestsUndeclared !== false || this.#wasListedBefore(spec),
    );
    for (const list of open) {
      if (asked.includes(list)) this.#request(list);
      else list.isSettled = true;
    }
  }

  #wasListedBefore({ part }: ListSpec): boolean {
    return (this.#options.previous?.()?.[part] ?? []).length > 0;
  }

  /** Requests a list again, after the one in progress, and with a pause if changes keep coming. */
  #requestAgain(list: ListState): void {
    list.hasChanged = true;
    if (list.isRunning || list.nextRequest !== undefined || this.#isDisposed) return;
    const wait = list.pace.nextDelayMs(this.#clock.uptime());
    if (wait === 0) this.#request(list);
    else list.nextRequest = this.#clock.after(wait, () => this.#request(list));
    if (!list.pace.isStorm || this.#isStormReported) return;
    this.#isStormReported = true;
    this.#options.onStorm?.(list.spec);
  }

  #request(list: ListState): void {
    if (!this.#isDisposed && !list.isRunning) void this.#run(list);
  }

  async #run(list: ListState): Promise<void> {
    list.wasRequested = true;
    list.isRunning = true;
    list.hasChanged = false;
    list.retry?.dispose();
    list.nextRequest?.dispose();
    list.nextRequest = undefined;
    const slowWatch = this.#watchSlow(list, slowListMs);
    const since = this.#clock.uptime();
    const outcome = await this.#outcomeOf(list);
    slowWatch.dispose();
    if (this.#isDisposed) return;
    this.#isSlow ||= outcome.pages !== undefined && this.#clock.uptime() - since > slowAnswerMs;
    const isSlow = this.#isSlow || list.spec.part === 'tools';
    const retryMs = takeOutcome(list, outcome, this.#options.previous?.(), isSlow);
    if (retryMs !== undefined) list.retry = this.#clock.after(retryMs, () => this.#request(list));
    list.isRunning = false;
    list.pace.recordEnd(this.#clock.uptime());
    if (list.hasChanged) this.#requestAgain(list);
    if (!list.isRunning) this.#settle(list);
  }

  /** Reports a list that takes long, at growing intervals. */
  #watchSlow(list: ListState, milliseconds: number): Disposable {
    let timer = this.#clock.after(milliseconds, () => {
      timer = this.#watchSlow(list, milliseconds * 2);
      if (noteProgress(list, this.#options.previous?.())) this.#publish();
    });
    return { dispose: () => timer.dispose() };
  }

  async #outcomeOf(list: ListState): Promise<Outcome> {
    const { method, part, key } = list.spec;
    const ask = this.connection.requestRaw.bind(this.connection);
    const { pageTimeoutMs = 30_000 } = this.#options;
    const onPage = (items: readonly unknown[]) => {
      list.receivedItems = items;
    };
    try {
      const pages = await listPages({
        ask,
        method,
        field: part,
        key,
        clock: this.#clock,
        pageTimeoutMs,
        firstParams: this.#firstParams,
        onPage,
      });
      return { pages };
    } catch (error) {
      return { error };
    }
  }

  #settle(list: ListState): void {
    list.isSettled = true;
    const isTools = list.spec.part === 'tools';
    if (list.declared === true || isTools) {
      const declared = this.#lists.filter((other) => other.declared === true);
      if (declared.every(({ isSettled }) => isSettled)) this.#requestUndeclared();
      const undeclared = this.#lists.filter((other) => other.declared !== true);
      if (isTools) this.#stopWaitingAfter(otherListsWaitMs, this.#lists);
      this.#stopWaitingAfter(undeclaredWaitMs, undeclared);
    }
    this.#publish();
  }

  #stopWaitingAfter(milliseconds: number, some: readonly ListState[]): void {
    if (some.every(({ isSettled }) => isSettled)) return;
    const timer = this.#clock.after(milliseconds, () => {
      this.#timers.delete(timer);
      this.#stopWaiting(some);
    });
    this.#timers.add(timer);
  }

  #stopWaiting(some: readonly ListState[]): void {
    const waiting = some.filter(({ isSettled }) => !isSettled);
    for (const list of waiting) {
      list.isSettled = true;
      keepReceived(list, this.#options.previous?.());
    }
    this.#requestUndeclared();
    if (waiting.length > 0) this.#publish();
  }

  /**
   * Shows the listing at once if everything is known, or after a moment, because responses mostly arrive
   * together.
   */
  #publish(): void {
    if (this.#isDisposed) return;
    if (this.#lists.every(({ isSettled }) => isSettled)) this.#show();
    else if (this.#lists.some(({ spec, isSettled }) => isSettled && spec.part === 'tools'))
      this.#pendingShow ??= this.#clock.after(groupingMs, () => this.#show());
    else if (this.problems.length > 0) this.#options.onChange?.();
  }

  #show(): void {
    this.#pendingShow?.dispose();
    this.#pendingShow = undefined;
    this.#isShown = true;
    this.#options.onChange?.();
    if (!this.isKnown()) return;
    for (const resolve of this.#waiters) resolve();
    this.#waiters.clear();
  }
}

const defaultWaitMs = 2_000;

/** Milliseconds for a list that say that the server, or this machine, is busy. */
const slowAnswerMs = 2_000;

/** Milliseconds to wait for the other lists after the tools. */
const otherListsWaitMs = 1_000;

/** Milliseconds to wait for undeclared lists after the declared ones. */
const undeclaredWaitMs = 100;

/** Milliseconds until a list counts as slow. */
const slowListMs = 5_000;

/** Milliseconds after the tools in which other responses are grouped with them. */
const groupingMs = 20;
