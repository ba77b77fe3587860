import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import { IdTable } from '../rpc/id-table.ts';
import type { JsonRpcId } from '../rpc/message.ts';
import type { Connection } from '../supervise/contract.ts';
import type { Caller } from './backchannel-contract.ts';

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
  /** The server is done with a call that was given up. */
  finished(connection: Connection | undefined, sentAs: JsonRpcId): void;
}

/**
 * Milliseconds for which a call that was given up still counts, unless the server is heard to be done with it: most do
 * not stop when they are told to, and what they ask meanwhile must not be taken to be for another session's call.
 */
const lingerFor = 60_000;

export function createFlights(clock: Clock): Flights {
  const byConnection = new WeakMap<Connection, IdTable<FlightEntry>>();
  let lastId = 0;

  function entriesOf(connection: Connection | undefined): readonly FlightEntry[] {
    return (connection && byConnection.get(connection)?.all()) ?? [];
  }

  return {
    begin(connection, sentAs, caller, requestId) {
      let siblings = byConnection.get(connection);
      if (siblings === undefined) {
        siblings = new IdTable();
        byConnection.set(connection, siblings);
      }
      lastId += 1;
      return new FlightEntry(lastId, { sentAs, caller, requestId, siblings, clock });
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
      for (const entry of entriesOf(connection)) {
        if (entry.isLingering && entry.facts.sentAs === sentAs) entry.landed();
      }
    },
  };
}

interface FlightFacts {
  readonly sentAs: JsonRpcId;
  readonly caller: Caller;
  readonly requestId: JsonRpcId | undefined;
  /** All that are under way over its connection. */
  readonly siblings: IdTable<FlightEntry>;
  readonly clock: Clock;
}

/** An object rather than closures: there is one for each call. */
class FlightEntry implements Flight {
  readonly id: number;
  readonly facts: FlightFacts;
  #lingering: Disposable | undefined;

  constructor(id: number, facts: FlightFacts) {
    this.id = id;
    this.facts = facts;
    facts.siblings.set(this);
  }

  get isLingering(): boolean {
    return this.#lingering !== undefined;
  }

  get cause(): Cause {
    const { caller, requestId } = this.facts;
    // The client no longer listens for an answer to what it has given up.
    if (requestId === undefined || this.isLingering) return { kind: 'certain', caller };
    return { kind: 'certain', caller, requestId };
  }

  landed(): void {
    this.#lingering?.dispose();
    this.facts.siblings.take(this.id);
  }

  abandoned(): void {
    const { siblings, clock } = this.facts;
    if (siblings.get(this.id) === undefined) return;
    this.#lingering = clock.after(lingerFor, () => siblings.take(this.id));
  }
}
