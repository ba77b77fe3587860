import { describe, expect, it } from 'vitest';
import { wakeUp } from '../../../../electron/engine/hub/health.ts';
import type { RunningHub } from '../../../../electron/engine/hub/running-hub.ts';
import type { ServerState } from '../../../../electron/engine/servers/contract.ts';
import { configured } from '../../../helper/configured.ts';
import { someProblem } from '../../../helper/views.ts';

describe('a machine that has woken up', () => {
  it('checks its running servers, and retries remote servers at once', () => {
    const waiting: ServerState = {
      status: 'disconnected',
      since: 1,
      nextTryAt: 9,
      problem: someProblem('server.unreachable'),
    };
    const states: Readonly<Record<string, ServerState>> = {
      local: waiting,
      remote: waiting,
      probed: { status: 'error', since: 1, nextTryAt: 9, problem: someProblem('server.keeps_failing') },
      refused: { status: 'error', since: 1, problem: someProblem('config.invalid_schema') },
      asleep: { status: 'disconnected', since: 1, asleep: true },
    };
    const restarted: string[] = [];
    let checks = 0;
    const servers = new Map(Object.entries(states).map(([key, state]) => [key, { key, state }]));
    const hub = {
      health: { wokeUp: () => void checks++ },
      supervisor: { servers, restart: (key: string) => restarted.push(key) },
      config: {
        state: {
          servers: Object.keys(states).map((key) =>
            configured(key, { transport: key === 'local' ? 'stdio' : 'http' }),
          ),
        },
      },
    } as unknown as RunningHub;
    wakeUp(hub);
    expect(restarted).toEqual(['remote', 'probed']);
    expect(checks).toBe(1);
  });
});
