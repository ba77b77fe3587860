import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import { IdTable } from '../rpc/id-table.ts';
import type { JsonRpcId } from '../rpc/message.ts';
import type { Connection } from '../supervise/contract.ts';
import type { Caller } from './backchannel-contract.ts';
import { ignore } from './ledgers.ts';

/** Whose call made a server say something. */
export type Cause =
  | { readonly kind: 'certain'; readonly caller: Caller; readonly requestId?: JsonRpcId }
  /** No call is under way over this connection. */
  | { readonly kind: 'none' }
  /** Calls of several sessions are, and nothing tells them apart. */
  | { readonly kind: 'ambiguous' };

/** A call under way at a server. */
export interface Flight {
  /** The server has answered, or its connection has ended. */
  landed(): void;
  /** We no longer wait, but the server may still be at work on it. */
  abandoned(): void;
}

/**
 * Which calls are under way over which connection, and whose they are. A server that is being replaced has two, and the
 * ids of each count for themselves.
 */
export interface Flights {
  begin(connection: Connection, sentAs: JsonRpcId, caller: Caller, requestId: JsonRpcId | undefined): Flight;
  /** `relatedTo`: id of the call, where the transport tells it. */
  causeOf(connection: Connection | undefined, relatedTo: JsonRpcId | undefined): Cause;
  /** The server has answered a call that was given up, so it is done with it. */
  finished(connection: Connection | undefined, sentAs: JsonRpcId): void;
  /**
   * The cause of something said now, where calls that were given up hide which session it is for: it is certain once they
   * have stopped counting in silence, within seconds. Undefined where waiting cannot help.
   */
  laterCause(connection: Connection | undefined): Promise<Cause> | undefined;
}

/**
 * Milliseconds for which a call that was given up still counts once the server has read its cancellation, unless the server
 * answers it before. A server that obeys says no more about the call, so its silence must not block others for long.
 */
const lingerMs = 5_000;
/** The same at a server that has not read it, or that has answered a call long after its cancellation. */
const stubbornLingerMs = 60_000;
/** Milliseconds within which an answer may merely have crossed the cancellation on its way. */
const crossingMs = 1_000;

export function createFlights(clock: Clock): Flights {
  const byConnection = new WeakMap<Connection, ConnectionCalls>();
  let lastId = 0;

  function callsOf(connection: Connection): ConnectionCalls {
    const known = byConnection.get(connection);
    if (known !== undefined) return known;
    const calls = new ConnectionCalls(clock);
    byConnection.set(connection, calls);
    return calls;
  }

  function entriesOf(connection: Connection | undefined): readonly FlightEntry[] {
    return (connection && byConnection.get(connection)?.table.all()) ?? [];
  }

  return {
    begin(connection, sentAs, caller, requestId) {
      lastId += 1;
      return new FlightEntry(lastId, { sentAs, caller, requestId, connection, calls: callsOf(connection) });
    },
    causeOf(connection, relatedTo) {
      const entries = entriesOf(connection);
      if (relatedTo !== undefined) {
        const named = entries.find(({ facts }) => facts.sentAs === relatedTo);
        // A request that is over, or one of the hub's own: whatever else is under way did not cause it.
        return named === undefined ? { kind: 'none' } : named.cause;
      }
      const latest = entries.at(-1);
      if (latest === undefined) return { kind: 'none' };
      if (entries.some(({ facts }) => facts.caller !== latest.facts.caller)) return { kind: 'ambiguous' };
      // Any call of the session will do: they differ only in the stream the client is asked on.
      return (entries.findLast(({ isLingering }) => !isLingering) ?? latest).cause;
    },
    finished(connection, sentAs) {
      const calls = connection && byConnection.get(connection);
      calls?.answeredLate(
        calls.table.all().find((entry) => entry.isLingering && entry.facts.sentAs === sentAs),
      );
    },
    laterCause(connection) {
      const entries = entriesOf(connection);
      const latest = entries.findLast(({ isLingering }) => !isLingering);
      const isClear = entries.every(
        (entry) => entry.isLingering || entry.facts.caller === latest?.facts.caller,
      );
      const lingering = entries.filter(({ isLingering }) => isLingering);
      // Before the server has read a cancellation, the cancelled call is as likely to ask as any other.
      const isRead = lingering.every(({ isCancellationRead }) => isCancellationRead);
      if (latest === undefined || !isClear || !isRead || latest.facts.calls.isStubborn) return undefined;
      return causeAfter(latest, lingering);
    },
  };
}

/** A given-up call that is answered after all was under way all the time, so it may be what asked. */
async function causeAfter(latest: FlightEntry, lingering: readonly FlightEntry[]): Promise<Cause> {
  const endings = await Promise.all(lingering.map((entry) => entry.ending()));
  if (endings.includes('answered')) return { kind: 'ambiguous' };
  return latest.isUnderWay ? latest.cause : { kind: 'none' };
}

/** All calls that count over one connection, and how its server takes cancellations. */
class ConnectionCalls {
  readonly table = new IdTable<FlightEntry>();
  readonly clock: Clock;
  #isStubborn = false;
  /** The latest ping, and the one that follows it. */
  #asked: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  get isStubborn(): boolean {
    return this.#isStubborn;
  }

  /** Resolves once the server has read what was sent to it so far, as its answer to a ping shows. */
  allRead(connection: Connection): Promise<void> {
    this.#next ??= this.#asked.then(() => {
      this.#next = undefined;
      this.#asked = connection.request('ping').result.catch(ignore);
      return this.#asked.then(ignore);
    });
    return this.#next;
  }

  /** `entry` is undefined where the call has stopped counting before its answer came. */
  answeredLate(entry: FlightEntry | undefined): void {
    if (entry === undefined || entry.lingeredMs > crossingMs) this.#isStubborn = true;
    entry?.landed();
  }
}

type Ending = 'answered' | 'silent';

interface FlightFacts {
  readonly sentAs: JsonRpcId;
  readonly caller: Caller;
  readonly requestId: JsonRpcId | undefined;
  readonly connection: Connection;
  readonly calls: ConnectionCalls;
}

/** An object rather than closures: there is one for each call. */
class FlightEntry implements Flight {
  readonly id: number;
  readonly facts: FlightFacts;
  #lingering: { readonly since: number; readonly timer: Disposable } | undefined;
  #isCancellationRead = false;
  #onEnding: ((ending: Ending) => void)[] = [];

  constructor(id: number, facts: FlightFacts) {
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

  get isUnderWay(): boolean {
    return this.facts.calls.table.get(this.id) === this;
  }

  /** Milliseconds since the call was given up. */
  get lingeredMs(): number {
    return this.#lingering === undefined ? 0 : this.facts.calls.clock.uptime() - this.#lingering.since;
  }

  get cause(): Cause {
    const { caller, requestId } = this.facts;
    // The client no longer listens for an answer to what it has given up.
    if (requestId === undefined || this.isLingering) return { kind: 'certain', caller };
    return { kind: 'certain', caller, requestId };
  }

  /** How a call that was given up ends. */
  ending(): Promise<Ending> {
    return new Promise((resolve) => this.#onEnding.push(resolve));
  }

  landed(): void {
    this.#lingering?.timer.dispose();
    this.#end('answered');
  }

  abandoned(): void {
    const { calls, connection } = this.facts;
    if (!this.isUnderWay || this.isLingering) return;
    this.#linger(stubbornLingerMs);
    if (calls.isStubborn) return;
    void calls.allRead(connection).then(() => {
      if (!this.isUnderWay) return;
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

  #end(ending: Ending): void {
    this.facts.calls.table.take(this.id);
    for (const resolve of this.#onEnding) resolve(ending);
  }
}
