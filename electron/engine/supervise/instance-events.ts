import type { SupervisedServer } from './contract.ts';
import type { InstanceEvents, InstanceIdentity } from './instances.ts';
import type { ManagedServerOptions } from './owned-server-options.ts';

type InstanceListeners = Pick<ManagedServerOptions, 'onState' | 'onNotification' | 'onRequest' | 'onLate'>;

/** Adapts the events of an instance for its owner, adding the instance itself. */
export function toServerListeners(server: () => SupervisedServer, events: InstanceEvents): InstanceListeners {
  return {
    onState: (changed, previous) => events.state({ server: changed, previous }),
    onNotification: (notification, relatedTo, connection) =>
      events.notification({
        server: server(),
        notification,
        ...(connection === undefined ? {} : { connection }),
        ...(relatedTo === undefined ? {} : { relatedTo }),
      }),
    onRequest: (request) => events.request(server(), request),
    onLate: (id, connection) =>
      events.lateAnswer({ id, ...(connection === undefined ? {} : { connection }) }),
  };
}

/**
 * Labels an instance's lines in a shared log: its client, and the start of the session id, since a client may
 * have many sessions.
 */
export function instanceLabel({
  sessionId,
  initializeParams,
}: Pick<InstanceIdentity, 'sessionId' | 'initializeParams'>): string {
  const name = initializeParams()?.clientInfo.name;
  const client = typeof name === 'string' && name !== '' ? name.replace(/\s+/g, ' ').slice(0, 40) : 'client';
  return `${client} ${sessionId.slice(0, 4)}`;
}
