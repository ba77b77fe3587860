import type { HubRun } from './hub-run.ts';
import { killServers } from './kill-servers.ts';

/** Stops the hub; `force` kills the servers that it did not stop. */
export interface HubStopper {
  stop(): Promise<void>;
  force(): void;
}

export function createHubStopper(hub: Pick<HubRun, 'running' | 'stop'>): HubStopper {
  // A stopped hub no longer says what it ran.
  let servers = hub.running?.servers() ?? [];
  return {
    stop() {
      servers = hub.running?.servers() ?? [];
      return hub.stop();
    },
    force: () => killServers(servers),
  };
}
