import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dataPaths } from '../../../../electron/engine/store/files/data-dir.ts';
import { loneBridge, startBridge } from '../../../helper/bridge.ts';
import { eventually } from '../../../helper/eventually.ts';
import { fixture, nodeEntry, programs } from '../../../helper/programs.ts';
import { type Hub, isConnected, namesOf, startHub, textOf } from '../../../helper/running-hub.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

const servers = {
  v: nodeEntry(fixture('verbatim')),
  t: nodeEntry(fixture('tricky')),
  e: nodeEntry(fixture('echo')),
};
const own = ['search_tools', 'describe_tool', 'call_tool'];
const settings = { direct: 0, pinned: [] };

async function startCompact(client = 'test', compact: object = settings): Promise<Hub> {
  const profiles = JSON.stringify({ version: 1, profiles: {}, compact: { [client]: compact } });
  const hub = await startHub(servers, { files: { 'profiles.json': profiles } });
  for (const key of Object.keys(servers)) await isConnected(hub, key);
  return hub;
}

const call = (client: Client, name: string, args: object) =>
  client.callTool({ name, arguments: { ...args } }) as Promise<unknown>;

/** Sends one line to the bridge and returns the answering line. */
async function askRaw(hub: Hub, line: string, id: string): Promise<string> {
  await using bridge = await startBridge(programs.bridge, ['--data-dir', hub.dir]);
  await bridge.client.greet('test');
  const { stdin, stdout } = bridge.child;
  const chunks: Buffer[] = [];
  stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  stdin?.write(`${line}\n`);
  const found = () =>
    Buffer.concat(chunks)
      .toString('utf8')
      .split('\n')
      .slice(0, -1)
      .find((one) => one.includes(`"id":${id}`));
  await eventually(() => expect(found() === undefined).toBe(false));
  return found() ?? '';
}

const wrapped = (id: string, name: string, args: string) =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"call_tool","arguments":{"name":"${name}","arguments":${args}}}}`;
const direct = (id: string, name: string, args: string) =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;

describe('compact mode of a running hub', () => {
  it('[PB-SMART-1] [AG-US4-AC4] [AG-US4-AC5] calls through call_tool pass arguments, results and errors byte for byte', async () => {
    await using hub = await startCompact();
    const odd = '{"big":12345678901234567890,"small":1.0,"exp":1e400,"k":1,"k":2,"future":{"x":null}}';
    for (const [name, args] of [
      ['v:give', odd],
      ['v:odd', '{}'],
      ['v:refuse', '{}'],
      ['t:fail', '{}'],
      ['t:extra', '{"a":[1.50]}'],
      ['t:nothing', '{}'],
    ] as const) {
      const through = await askRaw(hub, wrapped('900', name, args), '900');
      expect(through).toBe(await askRaw(hub, direct('900', name, args), '900'));
      if (name === 'v:give') expect(JSON.parse(through).result.content[0].text).toBe(odd);
    }
    const large = `{"text":"${'ä'.repeat(512 * 1024)}","n":12345678901234567890}`;
    const through = await askRaw(hub, wrapped('901', 'v:give', large), '901');
    expect(JSON.parse(through).result.content[0].text === large).toBe(true);
  });

  it('[PB-SMART-1] the list is short; tools are found, described as listed, and called', async () => {
    await using hub = await startCompact();
    await using whole = await hub.bridge('other');
    await using client = await hub.bridge('test');
    expect(await namesOf(client)).toEqual(own);
    const found = textOf(await call(client, 'search_tools', { query: 'gives arguments back' }));
    expect(found?.split('\n')[0]).toBe('e__echo: Gives its arguments back [read-only]');
    const tools = z.looseObject({ tools: z.array(z.looseObject({ name: z.string() })) });
    const listed = await whole.request({ method: 'tools/list' }, tools);
    const definition = textOf(await call(client, 'describe_tool', { name: 'e__echo' }));
    expect(definition).toBe(JSON.stringify(listed.tools.find(({ name }) => name === 'e__echo')));
    expect(textOf(await call(client, 'call_tool', { name: 'e__echo', arguments: { a: 1 } }))).toBe('{"a":1}');
    const [session] = hub.engine.clients().filter(({ name }) => name === 'test');
    expect(session).toMatchObject({ compact: 'client', listedTools: 3 });
    const detail = await hub.engine.run('client.detail', { id: session?.id ?? '' });
    expect(detail.compact).toEqual({ by: 'client', settings, tools: listed.tools.length });
    expect(detail.tools.map(({ serverKey }) => serverKey)).toEqual([undefined, undefined, undefined]);
    const weight = await hub.engine.run('client.weigh', { id: session?.id ?? '' });
    expect(weight.total).toBe(weight.compact.short);
    expect(weight.compact.whole).toBeGreaterThan(100);
    expect(weight.compact.perTool).toBeGreaterThan(50);
    // Calls through call_tool count for the tool itself.
    await hub.engine.run('profile.setCompact', { of: 'client', name: 'test', compact: 'off' });
    const { tools: all } = await hub.engine.run('client.detail', { id: session?.id ?? '' });
    expect(all.filter(({ calls }) => calls > 0)).toMatchObject([{ name: 'echo', calls: 1 }]);
  });

  it('[PB-SMART-1] is switched in profiles.json, tells connected clients, and its profile limits what is found', async () => {
    await using hub = await startCompact('nobody');
    const { engine } = hub;
    await using client = await hub.bridge('test');
    let told = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      told += 1;
    });
    expect((await namesOf(client)).length).toBeGreaterThan(10);
    await engine.run('profile.setCompact', {
      of: 'client',
      name: 'test',
      compact: { direct: 0, pinned: ['e:pid'] },
    });
    await eventually(() => expect(told).toBe(1));
    expect(await namesOf(client)).toEqual([...own, 'e__pid']);
    await engine.run('profile.create', { name: 'P' });
    await engine.run('profile.select', { name: 'P', servers: { e: { only: ['echo'] } } });
    await engine.run('profile.setCompact', { of: 'profile', name: 'P', compact: settings });
    await engine.run('profile.assign', { client: 'test', profile: 'P' });
    await engine.run('profile.setCompact', { of: 'client', name: 'test', compact: 'inherit' });
    await eventually(async () => expect(await namesOf(client)).toEqual(own));
    const all = textOf(await call(client, 'search_tools', { query: '', limit: 50 }));
    expect(all).toBe('e__echo: Gives its arguments back [read-only]');
    await expect(call(client, 'call_tool', { name: 'e__pid' })).rejects.toThrow('profile');
    const kept = JSON.parse(await readFile(join(hub.dir, 'profiles.json'), 'utf8'));
    expect(kept).toMatchObject({ profiles: { P: { compact: settings } }, compact: { nobody: settings } });
    expect(kept.compact.test).toBeUndefined();
  });

  it('[PB-SMART-1] an entry asks for it with --compact; its bridge lists the same with no hub', async () => {
    const hub = await startCompact('nobody');
    await using folder = await tempDir();
    // A bridge alone in its folder finds no hub to start.
    const program = await loneBridge(folder.path);
    const args = ['--data-dir', hub.dir, '--compact'];
    const list = async (bridge: { client: { request(method: string): Promise<unknown> } }) =>
      z
        .object({ result: z.object({ tools: z.array(z.object({ name: z.string() })) }) })
        .parse(await bridge.client.request('tools/list'))
        .result.tools.map(({ name }) => name);
    await using bridge = await startBridge(program, args);
    await bridge.client.greet('test');
    expect(await list(bridge)).toEqual(own);
    await eventually(() => expect(hub.engine.clients()[0]?.compact).toBe('entry'));
    await hub.engine.stop();
    await rm(dataPaths(hub.dir).launch, { force: true });
    await using lone = await startBridge(program, args);
    await lone.client.greet('test');
    expect(await list(lone)).toEqual(own);
    // Windows removes no folder that somebody watches.
    for (const each of [bridge, lone]) await each.hangUp();
    await hub[Symbol.asyncDispose]();
  });
});
