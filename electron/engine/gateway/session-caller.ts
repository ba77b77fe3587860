import type { CatalogueView } from '../catalogue/contract.ts';
import type { Caller } from '../route/backchannel-contract.ts';
import type { ClientNotices } from './client-notices.ts';
import type { ClientQuestions } from './client-questions.ts';
import { asToServers, type Introduction } from './introduction.ts';
import type { SessionCatalogue } from './session-catalogue.ts';
import type { SessionConnection } from './session-contract.ts';

export interface SessionCallerParts {
  readonly sessionId: string;
  readonly connection: Pick<SessionConnection, 'only' | 'bridge'>;
  readonly client: () => Introduction | undefined;
  readonly view: () => CatalogueView | undefined;
  readonly sources: SessionCatalogue;
  readonly notices: ClientNotices;
  readonly ask: ClientQuestions['ask'];
}

/** Creates the endpoint of a session for requests and notifications from servers. */
export function sessionCaller(parts: SessionCallerParts): Caller {
  const { sessionId, client, view, sources, notices, ask } = parts;
  const { only, bridge } = parts.connection;
  return {
    sessionId,
    introduction: () => {
      const introduction = client();
      return introduction && asToServers(introduction);
    },
    ask,
    tell: (serverKey, notice, relatedTo) => {
      // Messages of starting servers are not meant for a client that has not initialized yet.
      const isHeard = client() !== undefined && sources.seen.includes(serverKey);
      if (isHeard) notices.tell(view(), serverKey, notice, relatedTo);
    },
    sees: (serverKey) => sources.sees(serverKey),
    offerChanged: (key, connection) => sources.own.changed(key, connection),
    ...(only === undefined ? {} : { only }),
    mayReturn: bridge?.session === undefined ? undefined : bridge.isAlive,
  };
}
