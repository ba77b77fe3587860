import type { ServerView } from '../../../shared/model/server/server.ts';
import type { HubLifecycle } from './hub-lifecycle.ts';
import { killServers } from './kill-servers.ts';

/** Stops the hub; `force` kills the servers that it did not stop. */
export interface HubStopper {
  stop(): Promise<void>;
  force(): void;
}

export function createHubStopper(hub: Pick<HubLifecycle, 'stop'>): HubStopper {
  // A stopped hub no longer lists its servers.
  let servers: readonly ServerView[] = [];
  return {
    stop: () =>
      hub.stop((running) => {
        servers = running.servers();
      }),
    force: () => killServers(servers),
  };
}
