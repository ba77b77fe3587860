import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../helper/eventually.ts';
import { fixture, nodeEntry } from '../../helper/programs.ts';
import { isConnected, progressOf, startHub, textOf } from '../../helper/running-hub.ts';
import { tempDir } from '../../helper/temp-dir.ts';

/** An entry of the failing program, with Patchbay options. */
function entry(runs: string, patchbay: object = {}, env: Readonly<Record<string, string>> = {}) {
  return { ...nodeEntry(fixture('fails-on-command')), env: { RUNS: runs, ...env }, patchbay };
}

describe('calls of a client through the hub', () => {
  it('[REQ-MCP-CALL-004, REQ-MCP-CALL-005] follow mcp.json: circuit breaker, fallback, and a restart that resets them', async () => {
    await using folder = await tempDir();
    const runs = join(folder.path, 'runs');
    const fallback = { act: ['nowhere:act', 'b:act'] };
    const a = { ...entry(runs, { fallback }), timeout: 1500 };
    await using hub = await startHub({ a, b: entry(`${runs} of b`) });
    for (const key of ['a', 'b']) await isConnected(hub, key);
    await using client = await hub.bridge();
    const act = (end: string) => client.callTool({ name: 'a__act', arguments: { mark: 'x', end } });
    for (let failure = 0; failure < 5; failure += 1)
      await expect(act('hang')).rejects.toThrow('did not answer');

    // First run on the other server: the first one is no longer called.
    expect(textOf(await act('answer'))).toBe('act x ran 1');
    const { openCircuits } = hub.server('a');
    expect(openCircuits).toEqual([{ tool: 'act', until: expect.any(Number) }]);

    await hub.engine.run('server.restart', { key: 'a' });
    expect(hub.server('a').openCircuits).toEqual([]);
    await eventually(async () => expect(textOf(await act('answer'))).toBe('act x ran 6'));
  });

  it('[PB-DEMAND-1, PB-PASS-1] wake a sleeping server, and report what they are waiting for', async () => {
    await using folder = await tempDir();
    const runs = join(folder.path, 'runs');
    const sleepy = entry(runs, { start: 'on-demand' }, { STARTS_AFTER: '2500' });
    await using hub = await startHub({ sleepy });
    await eventually(() => expect(hub.server('sleepy').asleep).toBeDefined());
    await using client = await hub.bridge();
    const { heard, _meta } = progressOf(client);
    const call = client.callTool({ name: 'sleepy__read', arguments: { mark: 'x', steps: [0, 1] }, _meta });
    expect(textOf(await call)).toBe('read x ran 1');
    await eventually(() => expect(heard.at(-1)?.progress).toBe(1));
    expect(heard[0]).toMatchObject({ message: 'Starting sleepy…' });
    expect(heard.slice(-2).map(({ progress }) => progress)).toEqual([0, 1]);
    expect(
      heard.every(({ progress }, index) => index === 0 || progress > Number(heard[index - 1]?.progress)),
    ).toBe(true);
  });
});
