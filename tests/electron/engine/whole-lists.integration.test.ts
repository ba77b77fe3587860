import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { startAggregator } from '../../helper/aggregator.ts';
import { eventually } from '../../helper/eventually.ts';
import { fixture, nodeEntry } from '../../helper/programs.ts';
import { configText, type Hub, isConnected, namesOf, startHub, textOf } from '../../helper/running-hub.ts';
import { tempDir } from '../../helper/temp-dir.ts';

const echo = nodeEntry(fixture('echo'));
const echoTools = ['a__echo', 'a__pid'];

/** A client with a 10 s startup limit, so that waiting for incomplete lists stays short. */
const hurried = 'codex-mcp-client';

const gated = (gate: string) => ({ ...nodeEntry(fixture('gated')), env: { GATE: gate } });

async function overHttp(hub: Hub): Promise<Client & AsyncDisposable> {
  const { url, token } = hub.engine.connection();
  const client = new Client({ name: hurried, version: '1' });
  const headers = { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport as Transport);
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

/** Returns the kinds of lists that the client was notified about. */
function changesOf(client: Client): ReadonlySet<string> {
  const kinds = new Set<string>();
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void kinds.add('tools'));
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => void kinds.add('prompts'));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void kinds.add('resources'));
  return kinds;
}

/** Expects that the client, which received incomplete lists, is notified of each list once it is complete. */
async function expectLate(client: Client, known: readonly string[], late: string, open: () => Promise<void>) {
  const kinds = changesOf(client);
  const [tools, { prompts }, { resources }] = await Promise.all([
    namesOf(client),
    client.listPrompts(),
    client.listResources(),
  ]);
  expect(tools).toEqual([...known, 'patchbay_status']);
  expect([prompts, resources]).toEqual([[], []]);
  const status = textOf(await client.callTool({ name: 'patchbay_status' }));
  expect(status).toContain('- late: connecting.');
  await open();
  await eventually(() => expect([...kinds].sort()).toEqual(['prompts', 'resources', 'tools']));
  expect(await namesOf(client)).toEqual([...known, late]);
  expect((await client.listPrompts()).prompts).toHaveLength(1);
  expect((await client.listResources()).resources).toHaveLength(1);
  expect(textOf(await client.callTool({ name: late }))).toBe('at last');
}

describe('an incomplete list', () => {
  it.each(['http', 'bridge'])(
    '[PB-LIST-1] says so over %s, and its client is notified of every kind once it is complete',
    async (way) => {
      await using folder = await tempDir();
      const gate = join(folder.path, 'gate');
      await using hub = await startHub({ a: echo, late: gated(gate) });
      await isConnected(hub, 'a');
      await using client = await (way === 'http' ? overHttp(hub) : hub.bridge(hurried));
      await expectLate(client, echoTools, 'late__late', () => writeFile(gate, ''));
    },
  );

  it('[PB-LIST-1] says so from the command as well', async () => {
    await using folder = await tempDir();
    const gate = join(folder.path, 'gate');
    const config = { mcpServers: { a: echo, late: gated(gate) } };
    await using running = await startAggregator(config, { clientName: hurried });
    const { client } = running;
    const kinds = changesOf(client);
    expect(await namesOf(client)).toEqual(['a:echo', 'a:pid', 'patchbay_status']);
    expect(textOf(await client.callTool({ name: 'patchbay_status' }))).toContain('- late: connecting.');
    await writeFile(gate, '');
    await eventually(() => expect([...kinds]).toContain('tools'));
    expect(await namesOf(client)).toEqual(['a:echo', 'a:pid', 'late:late']);
  });

  it('[PB-LIST-1] is waited for if its client has the time, also by a call of a missing tool', async () => {
    await using folder = await tempDir();
    const gate = join(folder.path, 'gate');
    await using hub = await startHub({ a: echo, late: gated(gate) });
    await using client = await hub.bridge('test');
    const list = namesOf(client);
    const call = client.callTool({ name: 'late__late' });
    await isConnected(hub, 'a');
    await writeFile(gate, '');
    expect(await list).toEqual([...echoTools, 'late__late']);
    expect(textOf(await call)).toBe('at last');
  });

  it('[PB-LIST-1] leaves nothing on disk that a bridge would use as an answer', async () => {
    await using folder = await tempDir();
    const gate = join(folder.path, 'gate');
    await using hub = await startHub({ late: gated(gate) });
    const kept = () => readFile(join(hub.dir, 'catalogue.json'), 'utf8').then(JSON.parse);
    await hub.engine.stop();
    await expect(kept()).rejects.toThrow('ENOENT');
    await writeFile(hub.file, configText({ a: echo, late: gated(gate) }));
    await hub.restart();
    await isConnected(hub, 'a');
    await eventually(async () => expect(await kept()).toMatchObject({ awaited: ['late'] }));
    await writeFile(gate, '');
    await eventually(async () => expect(await kept()).toMatchObject({ awaited: [], servers: { length: 2 } }));
  });
});

describe('a config that is broken when the hub starts', () => {
  const text = configText({ a: echo, b: echo });
  const half = text.slice(0, text.length / 2);
  const names = [...echoTools, 'b__echo', 'b__pid'];

  async function usedHub(): Promise<Hub> {
    const hub = await startHub(text);
    await isConnected(hub, 'a');
    await isConnected(hub, 'b');
    const kept = () => readFile(join(hub.dir, 'catalogue.json'), 'utf8').then(JSON.parse);
    await eventually(async () => expect(await kept()).toMatchObject({ awaited: [], servers: { length: 2 } }));
    await hub.engine.stop();
    return hub;
  }

  it.each([
    ['half-written', half],
    ['empty', ''],
    ['gone', undefined],
  ])('[PB-LIST-1] [PB-CFG-1] costs no tool and no call where it is %s', async (_, broken) => {
    await using hub = await usedHub();
    if (broken === undefined) await rm(hub.file);
    else await writeFile(hub.file, broken);
    await hub.restart();
    await using http = await overHttp(hub);
    await using bridge = await hub.bridge('test');
    for (const client of [http, bridge]) {
      expect(await namesOf(client)).toEqual(names);
      expect(textOf(await client.callTool({ name: 'a__echo', arguments: { x: 1 } }))).toBe('{"x":1}');
    }
    expect(hub.engine.view().problems.map(({ code }) => code)).toContain(
      broken === undefined ? 'config.file_not_found' : 'config.invalid_json',
    );
  });

  it('[PB-LIST-1] lists what servers last listed if there is no good config, and never says that a tool is unknown', async () => {
    await using hub = await usedHub();
    await rm(join(hub.dir, 'run/mcp.good.json'));
    await writeFile(hub.file, half);
    await hub.restart();
    await using client = await overHttp(hub);
    const kinds = changesOf(client);
    expect(await namesOf(client)).toEqual([...names, 'patchbay_status']);
    expect(textOf(await client.callTool({ name: 'patchbay_status' }))).toMatch(
      /not valid JSON.*line \d+, column \d+/,
    );
    const called: unknown = await client.callTool({ name: 'a__echo' }).catch((error) => error);
    expect(called).toMatchObject({ data: { code: 'call.server_unavailable' } });
    await writeFile(hub.file, text);
    await eventually(() => expect([...kinds]).toContain('tools'));
    expect(await namesOf(client)).toEqual(names);
    expect(textOf(await client.callTool({ name: 'a__echo', arguments: {} }))).toBe('{}');
  });
});
