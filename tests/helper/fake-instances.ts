import { type Clock, systemClock } from '../../electron/engine/base/clock.ts';
import {
  type InstanceIdentity,
  ManagedInstances,
} from '../../electron/engine/servers/lifecycle/instances/instances.ts';
import type { ServerEvents } from '../../electron/engine/servers/lifecycle/managed-server-options.ts';
import type { ServerConfig } from '../../electron/engine/servers/server-config.ts';
import type { Problem } from '../../shared/error/problem.ts';
import { createFakeServer, type FakeServer } from './fake-supervisor.ts';

/** An instance whose state a test decides. */
export interface FakeInstance {
  readonly identity: InstanceIdentity;
  readonly server: FakeServer;
  readonly events: ServerEvents;
  /** Orders that it received, by their fingerprint, oldest first. */
  readonly told: string[];
}

/** Instances without processes; `made` is handed each when it is made, `ended` when it is to end. */
export function createFakeInstances(
  made: (instance: FakeInstance) => void = () => {},
  ended: (instance: FakeInstance) => Promise<void> = async () => {},
  clock: Clock = systemClock,
) {
  const all: FakeInstance[] = [];
  const instances = new ManagedInstances((identity, events) => {
    const server = createFakeServer(identity.key, (previous) => events.state({ server, previous }), identity);
    const told: string[] = [];
    const instance: FakeInstance = { identity, server, events, told };
    const leave = async (how: string) => {
      told.push(how);
      server.ended();
      await ended(instance);
    };
    all.push(instance);
    made(instance);
    return Object.assign(server, {
      apply: ({ fingerprint }: ServerConfig) => void told.push(fingerprint),
      restart: () => void told.push('restart'),
      sleep: () => void told.push('sleep'),
      fail: ({ code }: Problem) => void told.push(code),
      forceUpdate: () => void told.push('forceUpdate'),
      async refuseCalls() {
        told.push('refuseCalls');
      },
      takeCalls: () => void told.push('takeCalls'),
      retire: () => leave('retire'),
      end: () => leave('end'),
    });
  }, clock);
  return { instances, all };
}

/** An order for a server that is not shared, or as told. */
export function isolatedOrder(key: string, rest: Partial<ServerConfig> = {}): ServerConfig {
  return {
    key,
    enabled: true,
    restart: 'always',
    isolation: 'per-client',
    target: { ok: true, value: { kind: 'stdio', command: 'x', args: [], env: {} } },
    fingerprint: '1',
    ...rest,
  };
}
