import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../helper/eventually.ts';
import { fixture, nodeEntry } from '../../helper/programs.ts';
import { configText, isConnected, startHub } from '../../helper/running-hub.ts';
import { connectSession } from '../../helper/session-clients.ts';

const moody = (tools = '') => ({
  ...nodeEntry(fixture('moody')),
  env: { TOOLS: tools },
  patchbay: { guard: 'off' },
});

describe('inspecting a client', () => {
  it('[PB-NAMES-1] shows which list the client has, later changes, its size and use, and can notify the client again', async () => {
    await using hub = await startHub({ s: moody('one,two') });
    await isConnected(hub, 's');
    await eventually(() => expect(hub.server('s').counts.tools).toBe(7));
    await using client = await connectSession(hub, 'bridge', 'cursor-vscode');
    await client.tools();
    await client.call('pid');
    const { id } = hub.engine.clients()[0] ?? { id: '' };
    const { run } = hub.engine;
    const before = await run('client.detail', { id });
    expect(before).toMatchObject({ name: 'cursor-vscode', list: 'current', toolCap: 40, longestName: 51 });
    expect(before.tools.find(({ name }) => name === 'pid')).toEqual({
      serverKey: 's',
      name: 'pid',
      wireName: 's__pid',
      calls: 1,
    });
    expect(before.countedSince).toBeLessThanOrEqual(Date.now());

    await writeFile(hub.file, configText({ s: moody('two,three') }));
    await eventually(async () => expect((await run('client.detail', { id })).list).toBe('outdated'));
    const after = await run('client.detail', { id });
    expect(after.difference).toEqual({ added: ['s__three'], removed: ['s__one'], changed: [] });
    expect(after.fixes.map(({ kind }) => kind)).toEqual(['notify']);
    const { lists } = client.heard;
    await run('client.notify', { id });
    await eventually(() => expect(client.heard.lists).toBeGreaterThan(lists));

    const weight = await run('client.weigh', { id });
    expect(Object.keys(weight.byName)).toEqual(after.tools.map(({ wireName }) => wireName));
    expect(weight.byName.s__three).toBeGreaterThan(5);
    expect(weight.total).toBe(Object.values(weight.byName).reduce((sum, tokens) => sum + tokens, 0));
  });

  it('[PB-NAMES-1] works for disconnected clients, and is refused for unknown ones', async () => {
    await using hub = await startHub({ s: moody() });
    await isConnected(hub, 's');
    {
      await using client = await connectSession(hub, 'http', 'claude-ai');
      await client.call('pid');
      expect((await hub.engine.run('client.known', undefined)).clients).toEqual([]);
      await client.leave();
    }
    await eventually(() => expect(hub.engine.clients()).toEqual([]));
    const [known] = (await hub.engine.run('client.known', undefined)).clients;
    expect(known).toMatchObject({ id: 'known:claude-ai', name: 'claude-ai', calls: 1 });
    const detail = await hub.engine.run('client.detail', { id: 'known:claude-ai' });
    expect(detail).toMatchObject({ connected: false, list: 'none', honoursListChanged: false });
    expect(detail.tools.find(({ name }) => name === 'pid')?.calls).toBe(1);
    const identityId = hub.engine.access().identities.find(({ name }) => name === 'claude-ai')?.id ?? '';
    const deny = {
      identityId,
      effect: 'deny',
      scope: { kind: 'tool', serverKey: 's', tool: 'pid' },
    } as const;
    const { id: denied } = await hub.engine.run('access.grant', deny, 'test');
    const less = await hub.engine.run('client.detail', { id: 'known:claude-ai' });
    expect(less.tools).toEqual(detail.tools.filter(({ name }) => name !== 'pid'));
    await hub.engine.run('access.revokeGrant', { grantId: denied });
    await hub.engine.run('profile.create', { name: 'small' });
    await hub.engine.run('profile.setTools', { name: 'small', serverKey: 's', names: ['pid'], on: true });
    await hub.engine.run('profile.assign', { client: 'claude-ai', profile: 'small' });
    const small = await hub.engine.run('client.detail', { id: 'known:claude-ai' });
    expect(small.tools.map(({ name }) => name)).toEqual(['pid']);
    await expect(hub.engine.run('client.detail', { id: 'gone' })).rejects.toMatchObject({
      problem: { code: 'client.gone' },
    });
  });
});
