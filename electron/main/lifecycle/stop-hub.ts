import type { ServerView } from '../../../shared/model/server.ts';
import type { HubLifecycle } from './hub-run.ts';
import { killServers } from './kill-servers.ts';

/** Stops the hub; `force` kills the servers that it did not stop. */
export interface HubStopper {
  stop(): Promise<void>;
  force(): void;
}

export function createHubStopper(hub: Pick<HubLifecycle, 'stop'>): HubStopper {
  // A stopped hub no longer says what it ran.
  let servers: readonly ServerView[] = [];
  return {
    stop: () =>
      hub.stop((running) => {
        servers = running.servers();
      }),
    force: () => killServers(servers),
  };
}
