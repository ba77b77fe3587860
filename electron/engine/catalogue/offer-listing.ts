import type { Problem } from '../../../shared/error/problem.ts';
import { backoffDelay } from '../base/backoff.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import { ConnectionClosedError, RpcError } from '../rpc/message.ts';
import type { PendingRequest } from '../rpc/peer-contract.ts';
import type { RawMessage } from '../rpc/raw-message.ts';
import type { Offer, OfferPart, RawItem } from './contract.ts';
import { listPages, type Pages } from './list-pages.ts';
import { isUnknownMethod, problemOf, stillRead, stillSilent } from './list-problems.ts';
import { isDeclared, type ListSpec, lists } from './list-specs.ts';
import { isUnlisted, type ListState, newState, partsOf } from './list-state.ts';

/** The part of a connection that listing needs. */
export interface ListedConnection {
  readonly handshake: Pick<Offer, 'protocolVersion' | 'capabilities' | 'serverInfo' | 'instructions'>;
  ask(method: string, params?: Readonly<Record<string, unknown>>): PendingRequest<RawMessage>;
}

export interface OfferListingOptions {
  readonly clock?: Clock;
  /** Timeout for one page in milliseconds. */
  readonly pageTimeout?: number;
  /**
   * Milliseconds after which nobody waits any longer for a server that has answered no list, see {@link
   * OfferListing.isKnown}.
   */
  readonly patience?: number;
  /** The server's last listing, used for lists that are not answered. */
  readonly previous?: () => Offer | undefined;
  /**
   * Whether to request undeclared lists (default true). False for a server that ended or fell silent over
   * such a request; then only those that it answered before are requested.
   */
  readonly asksUndeclared?: boolean;
  /** Called once if the server keeps announcing that a list changed. */
  readonly onStorm?: (spec: ListSpec) => void;
  /** Called when the known lists or their problems have changed. */
  readonly onChange?: () => void;
}

/**
 * The lists of one server on one connection. Each is requested, awaited, checked and retried on its own; an
 * error in one is reported and does not affect the others.
 */
export class OfferListing implements Disposable {
  readonly connection: ListedConnection;
  readonly #options: OfferListingOptions;
  readonly #clock: Clock;
  readonly #lists: readonly ListState[];
  readonly #waiters = new Set<() => void>();
  readonly #timers = new Set<Disposable>();
  #telling: Disposable | undefined;
  /** True when the listing may be shown: the tools are known, or nobody waits for them any more. */
  #isShown = false;
  #isStormTold = false;
  #isOver = false;

  constructor(connection: ListedConnection, options: OfferListingOptions = {}) {
    this.connection = connection;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#lists = lists.map((spec) => newState(spec, isDeclared(connection.handshake.capabilities, spec)));
  }

  /**
   * Requests all lists, the declared ones first, so that a server that cannot handle the others has answered
   * those by then.
   */
  start(): void {
    for (const list of this.#lists) if (list.declared === true) this.#ask(list);
    if (!this.#lists.some(({ declared }) => declared === true)) this.#askUndeclared();
    this.#waitNoLongerAfter(this.#options.patience ?? patience, this.#lists);
    if (this.#lists.every(({ isSettled }) => isSettled)) this.#tell();
  }

  /** Requests changed lists again, declared or not; by default all declared ones. */
  refresh(capability?: ListSpec['capability']): void {
    const hasChanged = ({ spec, declared }: ListState) =>
      capability === undefined ? declared === true : spec.capability === capability;
    for (const list of this.#lists) if (hasChanged(list)) this.#askAgain(list);
  }

  /**
   * The listing as far as known; lists not answered on this connection stay as they were. Undefined while the
   * tools may still arrive.
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

  /**
   * Checks whether the listing is shown and nobody needs to wait for this list, or for any, see `patience`.
   */
  isKnown(part?: OfferPart): boolean {
    if (!this.#isShown) return false;
    return this.#lists.every(
      ({ spec, isSettled }) => isSettled || (part !== undefined && spec.part !== part),
    );
  }

  /** Resolves when all lists are known, see {@link isKnown}; never after disposal. */
  known(): Promise<void> {
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
  get endedOverUndeclared(): boolean {
    const cut = this.#lists.filter(({ isRunning, ending }) => isRunning || ending !== undefined);
    return cut.length > 0 && cut.every(({ declared }) => declared !== true);
  }

  /** True if undeclared lists were requested and the server has never responded to them. */
  get awaitsUndeclared(): boolean {
    return this.#lists.some(
      ({ declared, wasAsked, wasAnswered }) => declared !== true && wasAsked && !wasAnswered,
    );
  }

  /** The error if the connection ended before anything was listed. */
  get ending(): Error | undefined {
    if (this.#lists.some(({ items }) => items !== undefined)) return undefined;
    return this.#lists.find(({ ending }) => ending !== undefined)?.ending;
  }

  dispose(): void {
    this.#isOver = true;
    this.#telling?.dispose();
    for (const timer of this.#timers) timer.dispose();
    this.#timers.clear();
    for (const { retry, pause } of this.#lists) {
      retry?.dispose();
      pause?.dispose();
    }
    this.#waiters.clear();
  }

  #askUndeclared(): void {
    const open = this.#lists.filter(({ declared, wasAsked }) => declared === undefined && !wasAsked);
    const asked = open.filter(({ spec }) => this.#options.asksUndeclared !== false || this.#hadBefore(spec));
    for (const list of open) {
      if (asked.includes(list)) this.#ask(list);
      else list.isSettled = true;
    }
  }

  #hadBefore({ part }: ListSpec): boolean {
    return (this.#options.previous?.()?.[part] ?? []).length > 0;
  }

  /** Requests a list again, after the one in progress, and with a pause if changes keep coming. */
  #askAgain(list: ListState): void {
    list.hasChanged = true;
    if (list.isRunning || list.pause !== undefined || this.#isOver) return;
    const wait = list.pace.next(this.#clock.uptime());
    if (wait === 0) this.#ask(list);
    else list.pause = this.#clock.after(wait, () => this.#ask(list));
    if (!list.pace.isStorm || this.#isStormTold) return;
    this.#isStormTold = true;
    this.#options.onStorm?.(list.spec);
  }

  #ask(list: ListState): void {
    if (!this.#isOver && !list.isRunning) void this.#run(list);
  }

  async #run(list: ListState): Promise<void> {
    list.wasAsked = true;
    list.isRunning = true;
    list.hasChanged = false;
    list.retry?.dispose();
    list.pause?.dispose();
    list.pause = undefined;
    const look = this.#lookAt(list, firstLook);
    const outcome = await this.#outcomeOf(list);
    look.dispose();
    if (this.#isOver) return;
    this.#take(list, outcome);
    list.isRunning = false;
    list.pace.ended(this.#clock.uptime());
    if (list.hasChanged) this.#askAgain(list);
    if (!list.isRunning) this.#settle(list);
  }

  /** Reports a list that takes long, at growing intervals. */
  #lookAt(list: ListState, milliseconds: number): Disposable {
    let timer = this.#clock.after(milliseconds, () => {
      timer = this.#lookAt(list, milliseconds * 2);
      if (this.#showComing(list)) this.#tell();
    });
    return { dispose: () => timer.dispose() };
  }

  /** Shows the items received so far, with a note; returns false if there is nothing new. */
  #showComing(list: ListState): boolean {
    const { spec, coming = [], declared } = list;
    const isNew = coming.length > 0 || (declared === true && list.problem === undefined);
    if (isNew) list.problem = coming.length > 0 ? stillRead(spec, coming.length) : stillSilent(spec);
    this.#takeComing(list);
    return isNew;
  }

  #takeComing(list: ListState): void {
    const { coming = [] } = list;
    if (coming.length > this.#known(list).length) list.partial = [...coming] as readonly RawItem[];
  }

  #known({ spec, items }: ListState): readonly RawItem[] {
    return items ?? this.#options.previous?.()?.[spec.part] ?? [];
  }

  async #outcomeOf(list: ListState): Promise<Outcome> {
    const { method, part, key } = list.spec;
    const ask = this.connection.ask.bind(this.connection);
    const { pageTimeout = 30_000 } = this.#options;
    const onPage = (items: readonly unknown[]) => {
      list.coming = items;
    };
    try {
      const pages = await listPages({
        ask,
        method,
        field: part,
        key,
        clock: this.#clock,
        pageTimeout,
        onPage,
      });
      return { pages };
    } catch (error) {
      return { error };
    }
  }

  #take(list: ListState, { pages, error }: Outcome): void {
    const { spec, declared } = list;
    list.ending = error instanceof ConnectionClosedError ? error : undefined;
    list.wasAnswered ||= pages !== undefined || error instanceof RpcError;
    list.coming = undefined;
    list.partial = undefined;
    // Items are validated later, together with the listing.
    if (pages !== undefined) {
      const before = this.#known(list);
      const keepsBefore = pages.failure !== undefined && before.length > pages.items.length;
      list.items = keepsBefore ? before : (pages.items as readonly RawItem[]);
    }
    if (isUnknownMethod(error)) list.items = [];
    const failure = pages === undefined ? (isUnknownMethod(error) ? undefined : error) : pages.failure;
    const isOurs = declared !== true && list.items === undefined;
    list.problem = isOurs ? undefined : problemOf(spec, pages, failure);
    list.failures = failure === undefined || isOurs ? 0 : list.failures + 1;
    if (list.failures === 0) return;
    // Retried soon because the server may still be getting ready.
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
    for (const list of waiting) {
      list.isSettled = true;
      this.#takeComing(list);
    }
    this.#askUndeclared();
    if (waiting.length > 0) this.#tell();
  }

  /**
   * Shows the listing at once if everything is known, or after a moment, because responses mostly arrive
   * together.
   */
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

interface Outcome {
  readonly pages?: Pages;
  readonly error?: unknown;
}

const patience = 2_000;

/** Milliseconds to wait for the other lists after the tools. */
const patienceBesides = 1_000;

/** Milliseconds to wait for undeclared lists after the declared ones. */
const patienceUndeclared = 100;

/** Milliseconds until a list counts as slow. */
const firstLook = 5_000;

/** Milliseconds after the tools in which other responses are grouped with them. */
const together = 20;

/** Retry delays in milliseconds after the first refusals. */
const soonTries = [1_000, 3_000, 10_000, 30_000] as const;

const retries = { initial: 30_000, max: 300_000, factor: 2, jitter: 0.2 } as const;
