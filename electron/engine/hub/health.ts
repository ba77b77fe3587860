import { type Problem, ProblemError, problem } from '../../../shared/error/problem.ts';
import type { Clock } from '../base/clock.ts';
import type { ConfiguredLookup } from '../config/configured-lookup.ts';
import type { ConfigStore } from '../config/contract.ts';
import type { SupervisedServer, Supervisor } from '../servers/contract.ts';
import { createHealthMonitor, type HealthMonitor } from '../servers/health/health-monitor.ts';

export interface HubHealthOptions {
  readonly clock: Clock;
  readonly configured: ConfiguredLookup;
  readonly supervisor: Supervisor;
  readonly env: () => Promise<Readonly<Record<string, string | undefined>>>;
  readonly onChange: (key: string) => void;
}

/** Creates the health monitor with the settings of the config. */
export function openHealth({
  clock,
  configured,
  supervisor,
  env,
  onChange,
}: HubHealthOptions): HealthMonitor {
  return createHealthMonitor({
    clock,
    supervisor,
    env,
    settings(key) {
      const server = configured(key);
      return { ...server?.health, isRemote: server !== undefined && server.transport !== 'stdio' };
    },
    fail: ({ id }, problem) => supervisor.fail(id, problem),
    onChange: (keys) => {
      for (const key of keys) onChange(key);
    },
  });
}

/**
 * Checks a server at the user's request; its view shows the result. Rejects with ProblemError if the server
 * is not running.
 */
export async function checkHealth(
  { health }: { readonly health: HealthMonitor },
  { key }: Pick<SupervisedServer, 'key'>,
): Promise<void> {
  if (health.health(key) === undefined) throw new ProblemError(notRunning(key));
  await health.check(key);
}

/** After the machine slept or its network changed, checks all servers and retries unreachable ones now. */
export function wakeUp(hub: {
  readonly health: HealthMonitor;
  readonly supervisor: Supervisor;
  readonly config: Pick<ConfigStore, 'state'>;
}): void {
  hub.health.wokeUp();
  const remote = hub.config.state.servers.filter(({ transport }) => transport !== 'stdio');
  for (const { key } of remote) {
    const state = hub.supervisor.servers.get(key)?.state;
    if (state !== undefined && 'nextTryAt' in state && state.nextTryAt !== undefined) {
      hub.supervisor.restart(key);
    }
  }
}

function notRunning(key: string): Problem {
  const sentence = `${key} is not running, so there is nothing to check.`;
  return problem('call.server_unavailable', sentence, 'Start it first.', { server: key });
}
