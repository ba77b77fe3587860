import type { ActiveCall } from '../../../shared/model/activity/call.ts';
import { IdTable } from '../jsonrpc/id-table.ts';
import { rpcErrorCodes } from '../jsonrpc/message.ts';
import type { CallListener, CallRecord } from '../routing/contract.ts';
import { isTesterSession } from '../routing/tester-session.ts';

export interface CallTrackerOptions {
  /** Called when a call has ended at a server; `failed` if the server is to blame and not the request. */
  readonly onEnded: (serverKey: string, milliseconds: number, failed: boolean) => void;
  /** Returns the milliseconds of a call that were spent waiting for a person. */
  readonly humanWaitOf: (call: CallRecord) => number;
  /** Called when a call to this server has started or ended. */
  readonly onCountChanged: (serverKey: string) => void;
  /** Called when the number of clients that use a server may have changed. */
  readonly onUsersChanged: (serverKey: string) => void;
}

/**
 * Tracks active calls, and which clients use which server. Runs for every call, so it does as little as
 * possible.
 */
export class CallTracker implements CallListener {
  readonly #options: CallTrackerOptions;
  readonly #active = new IdTable<CallRecord>();
  /** Server key -> sessions that have called it. */
  readonly #users = new Map<string, Set<string>>();

  constructor(options: CallTrackerOptions) {
    this.#options = options;
  }

  started(call: CallRecord): void {
    this.#active.set(call);
    this.#options.onCountChanged(call.serverKey);
    this.#addUser(call);
  }

  ended(call: CallRecord): void {
    this.#active.take(call.id);
    this.#options.onCountChanged(call.serverKey);
    const { serverKey, startedAt, endedAt, fallback } = call;
    const failed = isFailure(call);
    if (fallback !== undefined) this.#options.onEnded(serverKey, 0, true);
    if (failed === undefined || endedAt === undefined) return;
    const milliseconds = Math.max(0, endedAt - startedAt - this.#options.humanWaitOf(call));
    this.#options.onEnded(fallback?.serverKey ?? serverKey, milliseconds, failed);
  }

  all(): Iterable<CallRecord> {
    return this.#active.all();
  }

  /** `nameOf` returns the client name of a session. */
  active(nameOf: (sessionId: string) => string): readonly ActiveCall[] {
    return this.#active.all().map((call) => ({
      id: call.id,
      clientId: call.sessionId,
      clientName: nameOf(call.sessionId),
      serverKey: call.fallback?.serverKey ?? call.serverKey,
      method: call.method,
      ...nameMember(call),
      since: call.startedAt,
    }));
  }

  /** Undefined for a call that has ended. */
  find(id: number): CallRecord | undefined {
    return this.#active.get(id);
  }

  /** Returns how many open sessions have called this server. */
  users(serverKey: string): number {
    return this.#users.get(serverKey)?.size ?? 0;
  }

  /** Removes sessions that have ended. */
  retainSessions(sessionIds: ReadonlySet<string>): void {
    for (const [key, users] of this.#users) {
      const before = users.size;
      for (const id of users) if (!sessionIds.has(id)) users.delete(id);
      if (users.size === 0) this.#users.delete(key);
      if (users.size !== before) this.#options.onUsersChanged(key);
    }
  }

  #addUser({ serverKey, sessionId }: CallRecord): void {
    // The tester's short sessions are no client that could interfere with others.
    if (isTesterSession(sessionId)) return;
    const users = this.#users.get(serverKey);
    if (users?.has(sessionId)) return;
    this.#users.set(serverKey, (users ?? new Set<string>()).add(sessionId));
    this.#options.onUsersChanged(serverKey);
  }
}

function nameMember({ fallback, name }: CallRecord): { readonly name?: string } {
  const calledName = fallback?.name ?? name;
  return calledName === undefined ? {} : { name: calledName };
}

/**
 * Returns whether a call counts against its server; undefined if it says nothing because the client cancelled
 * it or no server received it. An error in a tool result, or an error response to a bad request, shows a
 * working server.
 */
function isFailure({ outcome, error }: CallRecord): boolean | undefined {
  switch (outcome) {
    case 'ok':
      return false;
    case 'error':
      return error?.code === rpcErrorCodes.internalError;
    case 'timeout':
    case 'lost':
      return true;
    default:
      return undefined;
  }
}
