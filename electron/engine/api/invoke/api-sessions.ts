import { protocolVersions } from '../../../../shared/model/mcp.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import { capabilityMissing } from '../../routing/server-requests/client-errors.ts';
import type { Caller, SessionEndpoint } from '../../routing/server-requests/contract.ts';
import type { ServerRequests } from '../../routing/server-requests/server-requests.ts';

export interface ApiSessionsOptions {
  readonly serverRequests: ServerRequests;
  readonly clock: Clock;
  readonly version: string;
  /** Binds a session to an identity. */
  readonly grants: { open(sessionId: string, identityId: string): Disposable };
}

interface OpenSession {
  readonly endpoint: SessionEndpoint;
  readonly caller: Caller;
  readonly grants: Disposable;
  calls: number;
  idle: Disposable | undefined;
}

/**
 * Sessions of REST callers: one for each identity, kept for some minutes after its last call so that it finds
 * its own server processes again. Servers cannot ask these sessions anything.
 */
export class ApiSessions implements Disposable {
  readonly #open = new Map<string, OpenSession>();
  readonly #options: ApiSessionsOptions;

  constructor(options: ApiSessionsOptions) {
    this.#options = options;
  }

  /** Returns the session for one call; dispose it when the call is over. */
  enter(identityId: string, name: string): Disposable & { readonly caller: Caller } {
    const session = this.#open.get(identityId) ?? this.#openSession(identityId, name);
    session.calls += 1;
    session.idle?.dispose();
    session.idle = undefined;
    return { caller: session.caller, dispose: () => this.#release(identityId, session) };
  }

  dispose(): void {
    for (const identityId of [...this.#open.keys()]) this.#end(identityId);
  }

  #openSession(identityId: string, name: string): OpenSession {
    const { serverRequests, version } = this.#options;
    const grants = this.#options.grants.open(apiSession(identityId), identityId);
    const caller: Caller = {
      sessionId: apiSession(identityId),
      initializeParams: () => ({
        protocolVersion: protocolVersions[0],
        capabilities: {},
        clientInfo: { name: 'patchbay-api', title: name, version },
      }),
      // A REST caller can answer no requests, so servers must never pick it.
      sees: () => false,
      ask: async ({ message }) => {
        throw capabilityMissing('of the REST API', message.method);
      },
      notify: () => {},
      onListingChanged: () => {},
    };
    const endpoint = serverRequests.join(caller);
    const session = {
      endpoint,
      caller,
      grants,
      calls: 0,
      idle: undefined,
    };
    this.#open.set(identityId, session);
    return session;
  }

  #release(identityId: string, session: OpenSession): void {
    session.calls -= 1;
    if (session.calls > 0) return;
    session.idle = this.#options.clock.after(idleTimeoutMs, () => this.#end(identityId));
  }

  #end(identityId: string): void {
    const session = this.#open.get(identityId);
    this.#open.delete(identityId);
    session?.idle?.dispose();
    session?.endpoint.dispose();
    session?.grants.dispose();
  }
}

/** Milliseconds that a session outlives its last call. */
const idleTimeoutMs = 10 * 60_000;

const prefix = 'patchbay-api/';

/** Returns the session id for an identity's calls over REST, one for each identity. */
export function apiSession(identityId: string): string {
  return `${prefix}${identityId}`;
}

/** Returns the identity of a REST session; undefined for any other session. */
export function identityOfApiSession(sessionId: string): string | undefined {
  return sessionId.startsWith(prefix) ? sessionId.slice(prefix.length) : undefined;
}
