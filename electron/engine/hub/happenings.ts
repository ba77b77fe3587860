import {
  describeClients,
  describeHub,
  describeRemoved,
  describeServer,
  type StatusEvent,
} from '../../../shared/model/activity/status-event.ts';
import type { ClientView } from '../../../shared/model/client/client.ts';
import type { HubView } from '../../../shared/model/hub/hub.ts';
import type { ServerView } from '../../../shared/model/server/server.ts';
import type { HubEvents } from './hub-contract.ts';

/** Describes changes of servers, clients and the hub, from their views; `present` are the servers at the start. */
export function followHappenings(
  events: Pick<HubEvents, 'servers.changed' | 'clients.changed' | 'hub.changed'>,
  present: readonly ServerView[],
  report: (happenings: readonly StatusEvent[]) => void,
): void {
  let servers = new Map(present.map((server) => [server.key, server]));
  let clients: readonly ClientView[] = [];
  let hub: HubView | undefined;
  events['servers.changed'](({ servers: changed, order }) => {
    const left = new Set(order);
    const removed = [...servers.keys()].filter((key) => !left.has(key));
    report([
      ...changed.flatMap((server) => describeServer(servers.get(server.key), server)),
      ...removed.map(describeRemoved),
    ]);
    const kept = [...servers].filter(([key]) => left.has(key));
    servers = new Map([...kept, ...changed.map((server) => [server.key, server] as const)]);
  });
  events['clients.changed'](({ clients: list }) => {
    report(describeClients(clients, list));
    clients = list;
  });
  events['hub.changed']((view) => {
    report(describeHub(hub, view));
    hub = view;
  });
}
