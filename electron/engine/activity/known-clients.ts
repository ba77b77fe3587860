import type { ClientView } from '../../../shared/model/client/client.ts';
import { clientTitle } from '../../../shared/model/client/client-title.ts';
import { clientProtocolText } from '../../../shared/model/server/protocol-text.ts';
import { isTesterSession, testerName } from '../routing/tester-session.ts';

export interface KnownClientsOptions {
  /** Connected clients. */
  readonly clients: () => readonly ClientView[];
  /** Returns the identity id of a session, for the audit log. */
  readonly agentOf: (sessionId: string) => string | undefined;
  /** Returns the name of the session's agent; undefined for clients. */
  readonly agentName: (sessionId: string) => string | undefined;
}

/** Name of a client, and how it speaks. */
interface KnownClient {
  readonly name?: string | undefined;
  readonly protocol?: string | undefined;
}

/**
 * Returns a function for the clients of sessions, including those that have just ended. A session that ended
 * before it sent its client info gets the name of its identity; an agent's session gets the agent's name,
 * whatever program it uses.
 */
export function createKnownClients({
  clients,
  agentOf,
  agentName,
}: KnownClientsOptions): (sessionId: string) => KnownClient {
  const known = new Map<string, KnownClient>();
  return (sessionId) => {
    if (isTesterSession(sessionId)) return tester;
    const before = known.get(sessionId);
    if (before !== undefined) return before;
    for (const client of clients()) {
      if (client.name === '') continue;
      const { id, era, protocolVersion } = client;
      const isSpoken = era !== undefined && protocolVersion !== undefined;
      known.set(id, {
        name: agentName(id) ?? clientTitle(client),
        protocol: isSpoken ? clientProtocolText(era, protocolVersion) : undefined,
      });
    }
    for (const id of known.keys()) {
      if (known.size <= maxClients) break;
      known.delete(id);
    }
    const found = known.get(sessionId);
    const agent = found === undefined ? agentOf(sessionId) : undefined;
    return agent === undefined ? (found ?? {}) : { name: clientTitle({ name: agent }) };
  };
}

const tester: KnownClient = { name: testerName };

const maxClients = 1_000;
