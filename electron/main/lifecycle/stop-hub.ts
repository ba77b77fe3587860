import type { Engine } from '../../engine/engine.ts';
import { killServers } from './kill-servers.ts';

/** Stops the engine; `force` kills what it did not stop. */
export interface HubStopper {
  stop(): Promise<void>;
  force(): void;
}

export function createHubStopper(engine: Pick<Engine, 'servers' | 'stop'>): HubStopper {
  // A stopping engine no longer reports its servers.
  let running = engine.servers();
  return {
    stop() {
      running = engine.servers();
      return engine.stop();
    },
    force: () => killServers(running),
  };
}
