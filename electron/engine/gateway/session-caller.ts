import type { CatalogueView } from '../catalogue/contract.ts';
import type { Caller } from '../route/backchannel-contract.ts';
import type { ClientNotifications } from './client-notices.ts';
import type { ClientRequests } from './client-questions.ts';
import { type ClientInitializeParams, toServerParams } from './introduction.ts';
import type { SessionCatalogue } from './session-catalogue.ts';
import type { SessionConnection } from './session-contract.ts';

export interface SessionCallerOptions {
  readonly sessionId: string;
  readonly connection: Pick<SessionConnection, 'only' | 'bridge'>;
  readonly client: () => ClientInitializeParams | undefined;
  readonly view: () => CatalogueView | undefined;
  readonly catalogue: SessionCatalogue;
  readonly notifications: ClientNotifications;
  readonly ask: ClientRequests['ask'];
}

/** Creates the endpoint of a session for requests and notifications from servers. */
export function createSessionCaller(parts: SessionCallerOptions): Caller {
  const { sessionId, client, view, catalogue: sources, notifications: notices, ask } = parts;
  const { only, bridge } = parts.connection;
  return {
    sessionId,
    initializeParams: () => {
      const introduction = client();
      return introduction && toServerParams(introduction);
    },
    ask,
    notify: (serverKey, notification, relatedTo) => {
      // Messages of starting servers are not meant for a client that has not initialized yet.
      const isWanted = client() !== undefined && sources.visible.includes(serverKey);
      if (isWanted) notices.forwardFrom(view(), serverKey, notification, relatedTo);
    },
    sees: (serverKey) => sources.sees(serverKey),
    onListingChanged: (key, connection) => sources.instances.onListingChanged(key, connection),
    ...(only === undefined ? {} : { only }),
    mayReturn: bridge?.session === undefined ? undefined : bridge.isAlive,
  };
}
