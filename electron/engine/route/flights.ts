import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { JsonRpcId } from '../rpc/message.ts';
import type { Caller } from './backchannel-contract.ts';

/** Whose call made a server say something. */
export type Cause =
  | { readonly kind: 'certain'; readonly caller: Caller; readonly requestId?: JsonRpcId }
  /** No call is under way at this server. */
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

/** Which calls are under way at which server, and whose they are. */
export interface Flights {
  begin(serverKey: string, sentAs: JsonRpcId, caller: Caller, requestId: JsonRpcId | undefined): Flight;
  /** `relatedTo`: id of the call, where the transport tells it. */
  causeOf(serverKey: string, relatedTo: JsonRpcId | undefined): Cause;
  /** The server is done with a call that was given up. */
  finished(serverKey: string, sentAs: JsonRpcId): void;
  /** The server's connection has ended, and every call with it. */
  forget(serverKey: string): void;
}

interface Entry {
  readonly sentAs: JsonRpcId;
  readonly caller: Caller;
  readonly requestId: JsonRpcId | undefined;
  lingering: Disposable | undefined;
}

/**
 * Milliseconds for which a call that was given up still counts, unless the server is heard to be done with it: most do
 * not stop when they are told to, and what they ask meanwhile must not be taken to be for another session's call.
 */
const lingerFor = 60_000;

export function createFlights(clock: Clock): Flights {
  const byServer = new Map<string, Set<Entry>>();

  function remove(serverKey: string, entry: Entry): void {
    entry.lingering?.dispose();
    const entries = byServer.get(serverKey);
    entries?.delete(entry);
    if (entries?.size === 0) byServer.delete(serverKey);
  }

  return {
    begin(serverKey, sentAs, caller, requestId) {
      const entry: Entry = { sentAs, caller, requestId, lingering: undefined };
      const entries = byServer.get(serverKey) ?? new Set();
      byServer.set(serverKey, entries.add(entry));
      return {
        landed: () => remove(serverKey, entry),
        abandoned() {
          if (!byServer.get(serverKey)?.has(entry)) return;
          entry.lingering = clock.after(lingerFor, () => remove(serverKey, entry));
        },
      };
    },
    causeOf(serverKey, relatedTo) {
      const entries = [...(byServer.get(serverKey) ?? [])];
      if (relatedTo !== undefined) {
        const named = entries.find(({ sentAs }) => sentAs === relatedTo);
        // A request that is over, or one of the hub's own: whatever else is under way did not cause it.
        return named === undefined ? { kind: 'none' } : causedBy(named);
      }
      const latest = entries.at(-1);
      if (latest === undefined) return { kind: 'none' };
      if (entries.some(({ caller }) => caller !== latest.caller)) return { kind: 'ambiguous' };
      // Any call of the session will do: they differ only in the stream the client is asked on.
      return causedBy(entries.findLast(({ lingering }) => lingering === undefined) ?? latest);
    },
    finished(serverKey, sentAs) {
      for (const entry of byServer.get(serverKey) ?? []) {
        if (entry.lingering !== undefined && entry.sentAs === sentAs) remove(serverKey, entry);
      }
    },
    forget(serverKey) {
      for (const entry of byServer.get(serverKey) ?? []) entry.lingering?.dispose();
      byServer.delete(serverKey);
    },
  };
}

function causedBy({ caller, requestId, lingering }: Entry): Cause {
  return {
    kind: 'certain',
    caller,
    // The client no longer listens for an answer to what it has given up.
    ...(requestId === undefined || lingering !== undefined ? {} : { requestId }),
  };
}
