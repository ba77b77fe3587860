import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../../../electron/engine/base/clock.ts';
import {
  createUsageSampler,
  memoryOf,
} from '../../../../../../electron/engine/servers/process/table/process-usage.ts';
import type { ProcessUsage } from '../../../../../../shared/model/server/server.ts';
import { FakeClock } from '../../../../../helper/fake-clock.ts';
import { eventually, harness, order } from '../../harness.ts';

const linux = process.platform === 'linux';

describe('the usage of process trees', () => {
  it('counts every process of a server, but only while someone listens', async () => {
    await using h = harness();
    h.supervisor.apply([order('a', 'wrapper'), order('b', 'echo')]);
    const [a, b] = [await h.until('a', 'connected'), await h.until('b', 'connected')];
    let asked = 0;
    const clock = new FakeClock();
    const sampler = createUsageSampler({
      clock,
      interval: 30,
      pids: () => {
        asked++;
        return new Map([
          ['a', [a.pid ?? 0]],
          ['b', [b.pid ?? 0]],
        ]);
      },
    });
    expect(asked).toBe(0);
    const heard: (readonly ProcessUsage[])[] = [];
    const subscription = sampler.onUsage((usage) => heard.push(usage));
    await eventually(() => heard.length === 1);
    await clock.advance(30);
    await eventually(() => heard.length === 2);
    subscription.dispose();
    const [usageOfA, usageOfB] = heard.at(-1) ?? [];
    // Processes: the wrapper, its shell (which may have become the server) and the server.
    expect(usageOfA?.processes.length).toBeGreaterThanOrEqual(2);
    // Windows gives a program without a window a console host.
    const own = usageOfB?.processes.filter(({ command }) => !/conhost/i.test(command)) ?? [];
    expect(own.map(({ pid }) => pid)).toEqual([b.pid]);
    expect(usageOfA?.memory).toBeGreaterThan(usageOfB?.memory ?? Number.POSITIVE_INFINITY);
    expect(usageOfB?.memory).toBeGreaterThan(10 * 1024 ** 2);
    expect(usageOfB?.processes[0]?.command).not.toBe('');
    const startedAt = usageOfB?.processes[0]?.startedAt ?? 0;
    expect(Math.abs(startedAt - b.connectedAt)).toBeLessThan(20_000);
    expect(heard.at(-2)?.[1]?.processes[0]?.startedAt).toBe(startedAt);
    expect(clock.pending).toBe(0);
    expect(asked).toBe(2);
    sampler.dispose();
  });

  it.runIf(linux)('counts group members with another parent', async () => {
    await using h = harness();
    h.supervisor.apply([order('a', 'family')]);
    const { pid = 0 } = await h.until('a', 'connected');
    const family: number[] = JSON.parse(await h.call('a', 'family'));
    const sampler = createUsageSampler({ clock: systemClock, pids: () => new Map([['a', [pid]]]) });
    const [usage] = await new Promise<readonly ProcessUsage[]>((resolve) => sampler.onUsage(resolve));
    sampler.dispose();
    expect(usage?.processes.map((process) => process.pid).sort()).toEqual([pid, ...family].sort());
    // Measured a moment apart, so pages may have come or gone.
    const memory = (await memoryOf(pid)) ?? 0;
    expect(Math.abs(memory - (usage?.memory ?? 0)) / memory).toBeLessThan(0.2);
    expect(await memoryOf(4_000_001)).toBeUndefined();
  });
});
