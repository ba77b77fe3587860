import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../electron/engine/base/clock.ts';
import { createUsageSampler } from '../../../../electron/engine/supervise/process-usage.ts';
import type { ProcessUsage } from '../../../../shared/model/server.ts';
import { eventually, harness, order } from './harness.ts';

describe('the usage of process trees', () => {
  it('counts every process of a server, while somebody listens and not after', async () => {
    await using h = harness();
    h.supervisor.apply([order('a', 'wrapper'), order('b', 'echo')]);
    const [a, b] = [await h.until('a', 'connected'), await h.until('b', 'connected')];
    let asked = 0;
    const sampler = createUsageSampler({
      clock: systemClock,
      interval: 30,
      pids: () => {
        asked++;
        return new Map([
          ['a', a.pid ?? 0],
          ['b', b.pid ?? 0],
        ]);
      },
    });
    expect(asked).toBe(0);
    const heard: (readonly ProcessUsage[])[] = [];
    const subscription = sampler.onUsage((usage) => heard.push(usage));
    await eventually(() => heard.length >= 3);
    subscription.dispose();
    const [usageOfA, usageOfB] = heard.at(-1) ?? [];
    // The wrapper, its shell (which may have become the server) and the server.
    expect(usageOfA?.processes.length).toBeGreaterThanOrEqual(2);
    expect(usageOfB?.processes.map(({ pid }) => pid)).toEqual([b.pid]);
    expect(usageOfA?.memory).toBeGreaterThan(usageOfB?.memory ?? Number.POSITIVE_INFINITY);
    expect(usageOfB?.memory).toBeGreaterThan(10 * 1024 ** 2);
    expect(usageOfB?.processes[0]?.command).not.toBe('');
    await new Promise((resolve) => setTimeout(resolve, 100));
    const before = asked;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(asked).toBe(before);
    sampler.dispose();
  });
});
