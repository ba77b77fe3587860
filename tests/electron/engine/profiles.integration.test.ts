import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { createOffline } from '../../../electron/bridge/offline.ts';
import { eventually } from '../../helper/eventually.ts';
import { fixture, nodeEntry, programs } from '../../helper/programs.ts';
import { configText, type Hub, isConnected, namesOf, startHub, textOf } from '../../helper/running-hub.ts';

const servers = { a: nodeEntry(fixture('moody')), b: nodeEntry(fixture('echo')) };
const fileOf = (hub: Hub) => join(hub.dir, 'profiles.json');
const written = async (hub: Hub) => JSON.parse(await readFile(fileOf(hub), 'utf8'));

async function started(files: Readonly<Record<string, string>> = {}): Promise<Hub> {
  const hub = await startHub(servers, { files });
  for (const key of ['a', 'b']) await isConnected(hub, key);
  await eventually(() => expect(hub.server('a').counts.tools).toBe(5));
  await eventually(() => expect(hub.server('b').counts.tools).toBeGreaterThan(0));
  return hub;
}

type Connected = Client & AsyncDisposable & { readonly heard: { lists: number } };

async function connected(transport: Transport, name: string): Promise<Connected> {
  const client = new Client({ name, version: '1' });
  const heard = { lists: 0 };
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    heard.lists += 1;
  });
  await client.connect(transport);
  return Object.assign(client, { heard, [Symbol.asyncDispose]: () => client.close() });
}

const overBridge = (hub: Hub, name: string, ...args: string[]) =>
  connected(
    new StdioClientTransport({
      command: process.execPath,
      args: [programs.bridge, '--data-dir', hub.dir, ...args],
      env: {},
      stderr: 'ignore',
    }),
    name,
  );

function overHttp(hub: Hub, place: string, name = 'http') {
  const { url, token } = hub.engine.connection();
  const headers = { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(url + place), { requestInit: { headers } });
  return connected(transport as Transport, name);
}

const outside = { data: { code: 'call.outside_profile' } };
const unknown = { data: { code: 'profile.unknown' } };

describe('a profile', () => {
  it('[AG-US7-AC1] [PB-NAMES-1] limits its endpoint and its bridge, and changes take effect at once', async () => {
    await using hub = await started();
    const { run } = hub.engine;
    await run('profile.create', { name: 'my work' });
    await run('profile.select', { name: 'my work', servers: { a: { only: ['pid', 'wait'] } } });
    await using direct = await overHttp(hub, '/profiles/my%20work');
    await using bridged = await overBridge(hub, 'c', '--profile', 'my work');
    await using all = await overHttp(hub, '');
    for (const client of [direct, bridged]) {
      expect(await namesOf(client)).toEqual(['a__pid', 'a__wait']);
      expect(Number(textOf(await client.callTool({ name: 'a__pid' })))).toBeGreaterThan(0);
      for (const name of ['a__fail', 'b__echo', 'b:echo'])
        await expect(client.callTool({ name })).rejects.toMatchObject(outside);
    }
    expect(await namesOf(all)).toEqual(expect.arrayContaining(['a__pid', 'b__echo']));
    expect(hub.engine.clients().map(({ profile }) => profile?.name)).toEqual(
      expect.arrayContaining(['my work', 'my work', undefined]),
    );

    // A notification about an earlier grant may arrive before the client has a list.
    const told = all.heard.lists;
    await run('profile.select', { name: 'my work', servers: { b: 'all' } });
    for (const client of [direct, bridged]) {
      await eventually(() => expect(client.heard.lists).toBeGreaterThan(0));
      expect(await namesOf(client)).toContain('b__echo');
    }
    expect(all.heard.lists).toBe(told);
  });

  it('[AG-US7-AC1] is assigned to a connected client by its name, and removed from it', async () => {
    await using hub = await started();
    const { run } = hub.engine;
    await run('profile.create', { name: 'some' });
    await run('profile.select', { name: 'some', servers: { b: 'all' } });
    await using cursor = await overBridge(hub, 'cursor-vscode');
    await using other = await overBridge(hub, 'other');
    await using entry = await overBridge(hub, 'anything', '--client', 'my-entry');
    expect(await namesOf(cursor)).toContain('a__pid');
    await run('profile.assign', { client: 'cursor-vscode', profile: 'some' });
    await run('profile.assign', { client: 'my-entry', profile: 'some' });
    await eventually(() => expect(cursor.heard.lists).toBeGreaterThan(0));
    expect((await namesOf(cursor)).every((name) => name.startsWith('b__'))).toBe(true);
    await eventually(async () =>
      expect((await namesOf(entry)).every((name) => name.startsWith('b__'))).toBe(true),
    );
    expect(await namesOf(other)).toContain('a__pid');
    await run('profile.assign', { client: 'cursor-vscode' });
    await eventually(async () => expect(await namesOf(cursor)).toContain('a__pid'));
  });

  it('[PB-NAMES-1] that does not exist gives its client a clear error until it exists', async () => {
    await using hub = await started();
    await using client = await overBridge(hub, 'c', '--profile', 'typo');
    await expect(namesOf(client)).rejects.toMatchObject(unknown);
    await expect(client.callTool({ name: 'a__pid' })).rejects.toMatchObject(unknown);
    await expect(overHttp(hub, '/profiles/typo')).rejects.toThrow(/There is no profile/);
    await eventually(() =>
      expect(hub.engine.clients()[0]?.profile).toEqual({ name: 'typo', isKnown: false, isAsked: true }),
    );
    await hub.engine.run('profile.create', { name: 'typo' });
    await hub.engine.run('profile.select', { name: 'typo', servers: { a: { only: ['pid'] } } });
    await eventually(async () => expect(await namesOf(client)).toEqual(['a__pid']));
  });

  it('[AG-US6-AC3] [AG-US7-AC4] loses a removed server, and has it again after an undo', async () => {
    await using hub = await started();
    const { run } = hub.engine;
    await run('profile.create', { name: 'some' });
    await run('profile.select', { name: 'some', servers: { a: { only: ['pid'] }, b: 'all' } });
    const { undoId } = await run('server.remove', { key: 'a' });
    await eventually(async () => expect((await written(hub)).profiles.some.servers).toEqual({ b: true }));
    await run('server.undoRemove', { undoId });
    await eventually(async () =>
      expect((await written(hub)).profiles.some.servers).toEqual({ b: true, a: { only: ['pid'] } }),
    );
    await run('server.update', { key: 'a', entry: servers.a, newKey: 'renamed' });
    await eventually(async () =>
      expect((await written(hub)).profiles.some.servers).toEqual({ b: true, renamed: { only: ['pid'] } }),
    );
    // A new server with the key of a removed one is not in the profile, and neither is a copy.
    await run('server.remove', { key: 'renamed' });
    await eventually(async () => expect((await written(hub)).profiles.some.servers).toEqual({ b: true }));
    await run('server.add', { servers: [{ key: 'renamed', entry: servers.b }] });
    await run('server.duplicate', { key: 'b' });
    await eventually(() => expect(hub.engine.servers()).toHaveLength(3));
    expect((await written(hub)).profiles.some.servers).toEqual({ b: true });
  });
});

describe('the file of profiles', () => {
  it('[PB-CFG-1] [PB-CFG-2] is edited by hand and in the window with comments kept, and refused as a whole if it is broken', async () => {
    const text = `{
  "version": 1,
  "profiles": {
    // for the day
    "day": { "servers": { "b": true } }
  },
  "clients": { "cursor-vscode": "day" }
}
`;
    await using hub = await started({ 'profiles.json': text });
    await using cursor = await overBridge(hub, 'cursor-vscode');
    expect((await namesOf(cursor)).every((name) => name.startsWith('b__'))).toBe(true);
    await hub.engine.run('profile.select', { name: 'day', servers: { a: { only: ['pid'] } } });
    expect(await readFile(fileOf(hub), 'utf8')).toContain('// for the day');
    await eventually(async () => expect(await namesOf(cursor)).toContain('a__pid'));

    await writeFile(fileOf(hub), text.replace('true', 'yes'));
    await eventually(() =>
      expect(hub.engine.view().problems.map(({ code }) => code)).toEqual(['profile.unreadable']),
    );
    expect(await namesOf(cursor)).toContain('a__pid');
    await expect(hub.engine.run('profile.create', { name: 'x' })).rejects.toMatchObject({
      problem: { code: 'profile.unreadable' },
    });
    await writeFile(fileOf(hub), text);
    await eventually(() => expect(hub.engine.view().problems).toEqual([]));
    await eventually(async () => expect(await namesOf(cursor)).not.toContain('a__pid'));
  });

  it('[PB-CFG-1] that is broken from the start gives nobody access to everything', async () => {
    await using hub = await started({ 'profiles.json': '{ "version": 1, "clients": 5 }' });
    await using client = await overHttp(hub, '');
    await expect(namesOf(client)).rejects.toMatchObject({ data: { code: 'profile.unreadable' } });
  });

  it('[PB-BRIDGE-1] applies to a bridge whose hub is down', async () => {
    await using hub = await started();
    await hub.engine.run('profile.create', { name: 'some' });
    await hub.engine.run('profile.select', { name: 'some', servers: { a: { only: ['pid'] } } });
    await hub.engine.run('profile.assign', { client: 'cursor-vscode', profile: 'some' });
    await hub.engine.stop();
    const offline = (profile?: string) =>
      createOffline({
        catalogueFile: join(hub.dir, 'catalogue.json'),
        configFile: join(hub.dir, 'mcp.json'),
        profilesFile: fileOf(hub),
        openClientsFile: join(hub.dir, 'open-clients.json'),
        version: '1',
        ...(profile === undefined ? {} : { profile }),
      });
    const names = async (client: string, profile?: string) =>
      (await offline(profile).list('tools/list', client))?.items.map(({ name }) => name);
    expect(await names('cursor-vscode')).toEqual(['a__pid']);
    expect(await names('other', 'some')).toEqual(['a__pid']);
    expect(await names('other')).toContain('b__echo');
    expect(await names('other', 'typo')).toBeUndefined();
    await writeFile(fileOf(hub), configText({}));
    expect(await names('other')).toBeUndefined();
  });
});
