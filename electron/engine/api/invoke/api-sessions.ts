import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { RawRequest } from '../../jsonrpc/raw-message.ts';
import type { CallWatcher, Router } from '../../routing/contract.ts';
import { capabilityMissing } from '../../routing/server-requests/client-errors.ts';
import type { Caller, ServerRequests, SessionEndpoint } from '../../routing/server-requests/contract.ts';

export interface ApiSessionsOptions {
  readonly backchannel: ServerRequests;
  readonly router: Router;
  readonly clock: Clock;
  readonly version: string;
  /** Binds a session to an identity. */
  readonly grants: { open(sessionId: string, identityId: string): Disposable };
}

type SentListener = (serverKey: string) => void;

interface OpenSession {
  readonly participant: SessionEndpoint;
  readonly router: Router;
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
  /** Listeners by request, needed because a session's router does not report when a request is sent. */
  readonly #sent = new WeakMap<RawRequest, SentListener>();

  constructor(options: ApiSessionsOptions) {
    this.#options = options;
  }

  /** Returns the router for one call; dispose it when the call is over. */
  enter(identityId: string, name: string): Disposable & { readonly router: Router } {
    const session = this.#open.get(identityId) ?? this.#openSession(identityId, name);
    session.calls += 1;
    session.idle?.dispose();
    session.idle = undefined;
    return { router: session.router, dispose: () => this.#release(identityId, session) };
  }

  /** Calls the listener each time the request is sent to a server. */
  onSent(request: RawRequest, listener: SentListener): void {
    this.#sent.set(request, listener);
  }

  dispose(): void {
    for (const identityId of [...this.#open.keys()]) this.#end(identityId);
  }

  #openSession(identityId: string, name: string): OpenSession {
    const { backchannel, router, version } = this.#options;
    const grants = this.#options.grants.open(apiSession(identityId), identityId);
    const caller: Caller = {
      sessionId: apiSession(identityId),
      initializeParams: () => ({
        protocolVersion: '2025-11-25',
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
    const participant = backchannel.join(caller);
    const session = {
      participant,
      router: participant.track(this.#reportingSent(router)),
      grants,
      calls: 0,
      idle: undefined,
    };
    this.#open.set(identityId, session);
    return session;
  }

  #reportingSent(router: Router): Router {
    return {
      forward: (request) => {
        const listener = this.#sent.get(request.message);
        if (listener === undefined) return router.forward(request);
        const { watcher } = request;
        const reporting: CallWatcher = {
          sent(server, connection, id) {
            watcher?.sent(server, connection, id);
            listener(server.key);
          },
          ended: (error) => watcher?.ended(error),
        };
        return router.forward({ ...request, watcher: reporting });
      },
    };
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
    session?.participant.dispose();
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
