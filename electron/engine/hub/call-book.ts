import type { ActiveCall } from '../../../shared/model/call.ts';
import type { CallListener, CallRecord } from '../route/contract.ts';
import { IdTable } from '../rpc/id-table.ts';
import { rpcErrorCodes } from '../rpc/message.ts';
import { isTesterSession } from './tester/identity.ts';

export interface CallBookOptions {
  /** A call has ended at a server; `failed` where the server, not what it was asked, is to blame. */
  readonly onEnded: (serverKey: string, milliseconds: number, failed: boolean) => void;
  /** How much of a call's time somebody was being asked, in milliseconds. */
  readonly waitedIn: (call: CallRecord) => number;
  /** A call to this server has begun or ended. */
  readonly onMoved: (serverKey: string) => void;
  /** The number of clients that use a server may be another one now. */
  readonly onUse: (serverKey: string) => void;
}

/** The calls under way, and which clients use which server. Stands in the path of every call, so it only takes notes. */
export class CallBook implements CallListener {
  readonly #options: CallBookOptions;
  readonly #active = new IdTable<CallRecord>();
  /** By server, the sessions that have called it. */
  readonly #users = new Map<string, Set<string>>();

  constructor(options: CallBookOptions) {
    this.#options = options;
  }

  started(call: CallRecord): void {
    this.#active.set(call);
    this.#options.onMoved(call.serverKey);
    this.#note(call);
  }

  ended(call: CallRecord): void {
    this.#active.take(call.id);
    this.#options.onMoved(call.serverKey);
    const { serverKey, startedAt, endedAt, fallback } = call;
    const failed = isFailure(call);
    if (fallback !== undefined) this.#options.onEnded(serverKey, 0, true);
    if (failed === undefined || endedAt === undefined) return;
    const milliseconds = Math.max(0, endedAt - startedAt - this.#options.waitedIn(call));
    this.#options.onEnded(fallback?.serverKey ?? serverKey, milliseconds, failed);
  }

  underWay(): Iterable<CallRecord> {
    return this.#active.all();
  }

  /** `nameOf`: the client of a session. */
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

  /** Undefined for one that has ended. */
  find(id: number): CallRecord | undefined {
    return this.#active.get(id);
  }

  /** How many of the sessions that are still there have called this server. */
  users(serverKey: string): number {
    return this.#users.get(serverKey)?.size ?? 0;
  }

  /** Other sessions have ended. */
  keepUsers(sessionIds: ReadonlySet<string>): void {
    for (const [key, users] of this.#users) {
      const before = users.size;
      for (const id of users) if (!sessionIds.has(id)) users.delete(id);
      if (users.size === 0) this.#users.delete(key);
      if (users.size !== before) this.#options.onUse(key);
    }
  }

  #note({ serverKey, sessionId }: CallRecord): void {
    // It is there for moments, and no client that could get into another's way.
    if (isTesterSession(sessionId)) return;
    const users = this.#users.get(serverKey);
    if (users?.has(sessionId)) return;
    this.#users.set(serverKey, (users ?? new Set<string>()).add(sessionId));
    this.#options.onUse(serverKey);
  }
}

function nameMember({ fallback, name }: CallRecord): { readonly name?: string } {
  const asked = fallback?.name ?? name;
  return asked === undefined ? {} : { name: asked };
}

/**
 * Whether a call speaks against its server; undefined where it says nothing: its client took it back, or no server got
 * it. What a tool calls an error in its result, and what a server answers to a wrong question, is a server at work.
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
