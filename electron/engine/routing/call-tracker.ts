import { rpcErrorCodes } from '../jsonrpc/message.ts';
import type { CallListener, CallRecord } from './contract.ts';
import { isTesterSession } from './tester-session.ts';

export interface CallTrackerOptions {
  /** Called when a call has ended at a server; `failed` if the server is to blame and not the request. */
  readonly onEnded: (serverKey: string, milliseconds: number, failed: boolean) => void;
  /** Called when a call to this server has started or ended. */
  readonly onCountChanged: (serverKey: string) => void;
  /** Called when the number of clients that use a server may have changed. */
  readonly onUsersChanged: (serverKey: string) => void;
}

/** Reports what calls show about their servers, and knows which clients use which server. */
export class CallTracker implements CallListener {
  readonly #options: CallTrackerOptions;
  /** Server key -> sessions that have called it. */
  readonly #users = new Map<string, Set<string>>();

  constructor(options: CallTrackerOptions) {
    this.#options = options;
  }

  started(call: CallRecord): void {
    this.#options.onCountChanged(call.serverKey);
    this.#addUser(call);
  }

  ended(call: CallRecord): void {
    this.#options.onCountChanged(call.serverKey);
    const { serverKey, startedAt, endedAt, fallback } = call;
    const failed = isFailure(call);
    if (fallback !== undefined) this.#options.onEnded(serverKey, 0, true);
    if (failed === undefined || endedAt === undefined) return;
    const milliseconds = Math.max(0, endedAt - startedAt - call.humanWaitMs);
    this.#options.onEnded(fallback?.serverKey ?? serverKey, milliseconds, failed);
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
