import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import { IdTable } from '../rpc/id-table.ts';
import type { JsonRpcId } from '../rpc/message.ts';
import type { Connection } from '../supervise/contract.ts';
import type { Caller } from './backchannel-contract.ts';
import { ignore } from './ledgers.ts';

/** The session whose call caused a server's message. */
export type Cause =
  | { readonly kind: 'certain'; readonly caller: Caller; readonly requestId?: JsonRpcId }
  /** No call is in progress on this connection. */
  | { readonly kind: 'none' }
  /** Calls of several sessions are in progress, and nothing tells them apart. */
  | { readonly kind: 'ambiguous' };

/** A call in progress at a server. */
export interface CallInProgress {
  /** The server has answered, or the connection has ended. */
  completed(): void;
  /** The hub no longer waits, but the server may still be processing the call. */
  abandoned(): void;
}

/**
 * Tracks the calls in progress by connection, with their sessions. A server that is being replaced has two
 * connections, whose ids are independent.
 */
export interface ActiveCalls {
  begin(
    connection: Connection,
    sentAs: JsonRpcId,
    caller: Caller,
    requestId: JsonRpcId | undefined,
  ): CallInProgress;
  /** `relatedTo` is the id of the call, if the transport knows it. */
  causeOf(connection: Connection | undefined, relatedTo: JsonRpcId | undefined): Cause;
  /** The server has answered an abandoned call, so it is done with it. */
  onLateAnswer(connection: Connection | undefined, sentAs: JsonRpcId): void;
  /**
   * Determines the cause of a current message when abandoned calls hide it: the cause becomes certain once
   * they have lingered in silence, within seconds. Undefined if waiting cannot help.
   */
  causeAfterSilence(connection: Connection | undefined): Promise<Cause> | undefined;
}

/**
 * How long an abandoned call still counts, in milliseconds, once the server has read its cancellation, unless
 * the server answers it first. A server that obeys says no more about the call, so its silence must not block
 * others for long.
 */
const lingerMs = 5_000;
/**
 * As above, for a server that has not read the cancellation, or that has answered a call long after its
 * cancellation.
 */
const stubbornLingerMs = 60_000;
/** Within this time, in milliseconds, a response may simply have crossed the cancellation. */
const crossingToleranceMs = 1_000;

export function createActiveCalls(clock: Clock): ActiveCalls {
  const byConnection = new WeakMap<Connection, ConnectionCalls>();
  let lastId = 0;

  function connectionCallsOf(connection: Connection): ConnectionCalls {
    const known = byConnection.get(connection);
    if (known !== undefined) return known;
    const calls = new ConnectionCalls(clock);
    byConnection.set(connection, calls);
    return calls;
  }

  function entriesOf(connection: Connection | undefined): readonly ActiveCallEntry[] {
    return (connection && byConnection.get(connection)?.table.all()) ?? [];
  }

  return {
    begin(connection, sentAs, caller, requestId) {
      lastId += 1;
      return new ActiveCallEntry(lastId, {
        sentAs,
        caller,
        requestId,
        connection,
        calls: connectionCallsOf(connection),
      });
    },
    causeOf(connection, relatedTo) {
      const entries = entriesOf(connection);
      if (relatedTo !== undefined) {
        const named = entries.find(({ facts }) => facts.sentAs === relatedTo);
        // The request has ended or is the hub's own, so no call in progress caused the message.
        return named === undefined ? { kind: 'none' } : named.cause;
      }
      const latest = entries.at(-1);
      if (latest === undefined) return { kind: 'none' };
      if (entries.some(({ facts }) => facts.caller !== latest.facts.caller)) return { kind: 'ambiguous' };
      // Any call of the session will do, because they differ only in the stream used to reach the client.
      return (entries.findLast(({ isLingering }) => !isLingering) ?? latest).cause;
    },
    onLateAnswer(connection, sentAs) {
      const calls = connection && byConnection.get(connection);
      calls?.onLateAnswer(
        calls.table.all().find((entry) => entry.isLingering && entry.facts.sentAs === sentAs),
      );
    },
    causeAfterSilence(connection) {
      const entries = entriesOf(connection);
      const latest = entries.findLast(({ isLingering }) => !isLingering);
      const isClear = entries.every(
        (entry) => entry.isLingering || entry.facts.caller === latest?.facts.caller,
      );
      const lingering = entries.filter(({ isLingering }) => isLingering);
      // Until the server has read a cancellation, the cancelled call is as likely to be the cause as any
      // other.
      const isRead = lingering.every(({ isCancellationRead }) => isCancellationRead);
      if (latest === undefined || !isClear || !isRead || latest.facts.calls.isStubborn) return undefined;
      return causeAfter(latest, lingering);
    },
  };
}

/**
 * Waits for the abandoned calls to end. One that is answered after all was in progress the whole time, so it
 * may be the cause.
 */
async function causeAfter(latest: ActiveCallEntry, lingering: readonly ActiveCallEntry[]): Promise<Cause> {
  const endings = await Promise.all(lingering.map((entry) => entry.whenEnded()));
  if (endings.includes('answered')) return { kind: 'ambiguous' };
  return latest.isActive ? latest.cause : { kind: 'none' };
}

/** The calls that count on one connection, and how its server handles cancellations. */
class ConnectionCalls {
  readonly table = new IdTable<ActiveCallEntry>();
  readonly clock: Clock;
  #isStubborn = false;
  /** The latest ping, and the next one if scheduled. */
  #lastPing: Promise<unknown> = Promise.resolve();
  #nextPing: Promise<void> | undefined;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  get isStubborn(): boolean {
    return this.#isStubborn;
  }

  /** Resolves once the server has read everything sent so far, as its response to a ping shows. */
  whenAllRead(connection: Connection): Promise<void> {
    this.#nextPing ??= this.#lastPing.then(() => {
      this.#nextPing = undefined;
      this.#lastPing = connection.request('ping').result.catch(ignore);
      return this.#lastPing.then(ignore);
    });
    return this.#nextPing;
  }

  /** Handles a late response; `entry` is undefined if the call had stopped counting by then. */
  onLateAnswer(entry: ActiveCallEntry | undefined): void {
    if (entry === undefined || entry.lingeredMs > crossingToleranceMs) this.#isStubborn = true;
    entry?.completed();
  }
}

type CallEnding = 'answered' | 'silent';

interface ActiveCallFacts {
  readonly sentAs: JsonRpcId;
  readonly caller: Caller;
  readonly requestId: JsonRpcId | undefined;
  readonly connection: Connection;
  readonly calls: ConnectionCalls;
}

class ActiveCallEntry implements CallInProgress {
  readonly id: number;
  readonly facts: ActiveCallFacts;
  #lingering: { readonly since: number; readonly timer: Disposable } | undefined;
  #isCancellationRead = false;
  #endListeners: ((whenEnded: CallEnding) => void)[] = [];

  constructor(id: number, facts: ActiveCallFacts) {
    this.id = id;
    this.facts = facts;
    facts.calls.table.set(this);
  }

  get isLingering(): boolean {
    return this.#lingering !== undefined;
  }

  get isCancellationRead(): boolean {
    return this.#isCancellationRead;
  }

  get isActive(): boolean {
    return this.facts.calls.table.get(this.id) === this;
  }

  /** Milliseconds since the call was abandoned. */
  get lingeredMs(): number {
    return this.#lingering === undefined ? 0 : this.facts.calls.clock.uptime() - this.#lingering.since;
  }

  get cause(): Cause {
    const { caller, requestId } = this.facts;
    // The client no longer reads the stream of a call it has abandoned.
    if (requestId === undefined || this.isLingering) return { kind: 'certain', caller };
    return { kind: 'certain', caller, requestId };
  }

  /** Resolves with how an abandoned call ended. */
  whenEnded(): Promise<CallEnding> {
    return new Promise((resolve) => this.#endListeners.push(resolve));
  }

  completed(): void {
    this.#lingering?.timer.dispose();
    this.#end('answered');
  }

  abandoned(): void {
    const { calls, connection } = this.facts;
    if (!this.isActive || this.isLingering) return;
    this.#linger(stubbornLingerMs);
    if (calls.isStubborn) return;
    void calls.whenAllRead(connection).then(() => {
      if (!this.isActive) return;
      this.#isCancellationRead = true;
      this.#linger(lingerMs);
    });
  }

  #linger(milliseconds: number): void {
    const { clock } = this.facts.calls;
    this.#lingering?.timer.dispose();
    const timer = clock.after(milliseconds, () => this.#end('silent'));
    this.#lingering = { since: this.#lingering?.since ?? clock.uptime(), timer };
  }

  #end(whenEnded: CallEnding): void {
    this.facts.calls.table.take(this.id);
    for (const resolve of this.#endListeners) resolve(whenEnded);
  }
}
