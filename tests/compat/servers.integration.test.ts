import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import {
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListToolsResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { eventually } from '../helper/eventually.ts';
import { type Hub, startHub } from '../helper/running-hub.ts';
import { startHttpServers } from './lib/http-servers.mjs';
import { allMutants, type Mutant } from './lib/mutants.mjs';
import { resultsOf } from './lib/session.mjs';
import { losses } from './losses.ts';

const stdioServer = fileURLToPath(new URL('./lib/stdio-server.mjs', import.meta.url));
const mutants = allMutants();
const anything = z.looseObject({});
const answerSchema = z.looseObject({ result: anything.optional(), error: z.unknown().optional() });

type Way = 'http' | 'sse' | 'stdio';

/** The oddities of some servers, by their keys. */
type OddServers = ReadonlyMap<string, readonly Mutant[]>;

/** An odd handshake, and how answers are sent, may affect all else, so such a server has no other oddity. */
const isAlone = ({ method, delivery }: Mutant) => method === 'initialize' || delivery !== 'plain';
/**
 * Picks a part of the mutants for the other ways, since the same code reads answers however they come: a fifth of the odd
 * members, which is every member and, as there are seven, every change.
 */
const goesBySse = ({ delivery }: Mutant, index: number) => delivery !== 'plain' || index % 5 === 0;
/** Servers over stdio are processes: of those, only what is odd in the handshake and in how answers are sent. */
const goesByStdio = (mutant: Mutant, index: number) => isAlone(mutant) && goesBySse(mutant, index);

/** Puts odd answers to different requests into one server: they are judged apart. */
function toServers(chosen: readonly Mutant[]): OddServers {
  const shared: Mutant[][] = [];
  for (const mutant of chosen) {
    if (isAlone(mutant)) continue;
    const free = shared.find((some) => some.every(({ method }) => method !== mutant.method));
    if (free === undefined) shared.push([mutant]);
    else free.push(mutant);
  }
  const alone = chosen.filter(isAlone).map((mutant) => [mutant]);
  return new Map([...alone, ...shared].map((some, index) => [`s${index}`, some]));
}

/** The oddity of one answer of a server, else all it has. */
const idOf = (odd: readonly Mutant[], method = '') =>
  odd.find((mutant) => mutant.method === method)?.id ?? odd.map(({ id }) => id).join(', ');

/** Reads answers as they are: what a library makes of them is not what is judged. */
async function connect(hub: Hub, name: string) {
  const { url, token } = hub.engine.connection();
  let session: Record<string, string> = {};
  let lastId = 0;
  async function post(message: object): Promise<Response> {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json',
      ...session,
    };
    return await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  }
  async function request(method: string, params: object = {}): Promise<Record<string, unknown>> {
    lastId += 1;
    const response = await post({ id: lastId, method, params });
    const id = response.headers.get('mcp-session-id');
    if (id !== null) session = { 'mcp-session-id': id };
    const { result, error } = answerSchema.parse(await response.json());
    return result ?? { error };
  }
  const clientInfo = { name, version: '1.0.0' };
  await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  await post({ method: 'notifications/initialized' });
  return { request };
}

type Connected = Awaited<ReturnType<typeof connect>>;

const inList = (list: string, item: string) => `${list} ${item}`;

/** Everything that a client is told of, each with its list: a tool and a prompt may have the same name. */
async function listedTo(client: Connected) {
  const list = async (method: string, member: string, field: string) => {
    const result = await client.request(method);
    return (z.array(anything).parse(result[member]) as Record<string, unknown>[]).map((item) =>
      inList(method, String(item[field])),
    );
  };
  return new Set([
    ...(await list('tools/list', 'tools', 'name')),
    ...(await list('prompts/list', 'prompts', 'name')),
    ...(await list('resources/list', 'resources', 'uri')),
  ]);
}

/** All that has to be there of a server, as clients are told it, by the list that has it. */
function dueOf(key: string, odd: readonly Mutant[]): readonly (readonly [list: string, item: string])[] {
  const due = {
    'tools/list': [`${key}__echo`, `${key}__other`],
    'prompts/list': [`${key}__greet`, `${key}__other`],
    'resources/list': [`compat://${key}/note`, `compat://${key}/other`],
  };
  const isMissing = (list: string) =>
    odd.some(({ delivery, method }) => method === list && /silent|refus/.test(delivery));
  return Object.entries(due).flatMap(([list, items]) =>
    isMissing(list) ? [] : items.map((item) => [list, item] as const),
  );
}

async function callFailures(
  client: Connected,
  key: string,
  odd: readonly Mutant[],
): Promise<readonly string[]> {
  const due = (method: 'tools/call' | 'resources/read' | 'prompts/get') => {
    const result = resultsOf(key)[method] ?? {};
    const mutant = odd.find((each) => each.method === method);
    return JSON.parse(JSON.stringify(mutant === undefined ? result : mutant.change(result)));
  };
  const failures: string[] = [];
  const asked = [
    ['tools/call', { name: `${key}__echo`, arguments: { text: 'x' } }],
    ['resources/read', { uri: `compat://${key}/note` }],
    ['prompts/get', { name: `${key}__greet`, arguments: { who: 'x' } }],
  ] as const;
  for (const [method, params] of asked) {
    if (odd.some(({ delivery }) => /silent|refus/.test(delivery)) && method !== 'tools/call') continue;
    const result = await client.request(method, params);
    if (!isDeepStrictEqual(result, due(method)))
      failures.push(`${idOf(odd, method)}: ${method} gives ${JSON.stringify(result)}`);
  }
  return failures;
}

/** Every loss with the oddity that costs it, of some servers behind one hub. */
async function lossesOf(way: Way, chosen: OddServers): Promise<readonly string[]> {
  const remote = await startHttpServers(chosen);
  const entryOf = (key: string, odd: readonly Mutant[]) =>
    way === 'stdio'
      ? { command: process.execPath, args: [stdioServer, key, ...odd.map(({ id }) => id)] }
      : { type: way, url: remote.url(key, way) };
  const entries = Object.fromEntries([...chosen].map(([key, odd]) => [key, entryOf(key, odd)]));
  try {
    await using hub = await startHub(entries);
    const lenient = await connect(hub, 'a-lenient-client');
    const strict = await connect(hub, 'claude-code');
    const starting = () => hub.engine.servers().filter(({ status }) => status === 'connecting');
    await eventually(
      () => expect(starting().map(({ key }) => idOf(chosen.get(key) ?? []))).toEqual([]),
      120_000,
    );
    const unlisted = await unlistedTo(lenient, chosen);
    const unlistedStrictly = await unlistedTo(strict, chosen);
    await refusedBySdk(strict);
    const found = [...unlisted, ...unlistedStrictly.map((loss) => `${loss} to a strict client`)];
    for (const [key, odd] of chosen) found.push(...(await callFailures(lenient, key, odd)));
    for (const { key, status } of hub.engine.servers())
      if (status === 'error' || status === 'disconnected')
        found.push(`${idOf(chosen.get(key) ?? [])}: ${status}`);
    return found;
  } finally {
    await remote.close();
  }
}

/** Lists may follow the handshake by some seconds; what is still not there then is lost. */
async function unlistedTo(client: Connected, chosen: OddServers): Promise<readonly string[]> {
  let missing: readonly string[] = [];
  const look = async () => {
    const told = await listedTo(client);
    missing = [...chosen].flatMap(([key, odd]) =>
      dueOf(key, odd)
        .filter(([list, item]) => !told.has(inList(list, item)))
        .map(([list, item]) => `${idOf(odd, list)}: ${item} is not listed`),
    );
    expect(missing).toEqual([]);
  };
  await eventually(look, 120_000).catch(() => undefined);
  return missing;
}

/** A client that judges whole lists by the SDK's schemas must be able to take them. */
async function refusedBySdk(strict: Connected): Promise<void> {
  for (const [method, schema] of [
    ['tools/list', ListToolsResultSchema],
    ['resources/list', ListResourcesResultSchema],
    ['prompts/list', ListPromptsResultSchema],
  ] as const) {
    const result = await strict.request(method);
    expect(schema.safeParse(result).error?.issues.slice(0, 5), method).toBeUndefined();
  }
}

/** Few enough for one hub that a busy machine starts them in seconds. */
function* inBatches(chosen: OddServers, size = 80) {
  const all = [...chosen];
  for (let start = 0; start < all.length; start += size) yield new Map(all.slice(start, start + size));
}

describe('a server with an oddity in an optional part loses nothing', () => {
  it.each<readonly [Way, readonly Mutant[]]>([
    ['http', mutants],
    ['sse', mutants.filter(goesBySse)],
    ['stdio', mutants.filter(goesByStdio)],
  ])(
    '[PB-PASS-1] [NFR-R3] over %s: no tool, no prompt, no resource, no call',
    async (way, chosen) => {
      const unexpected: string[] = [];
      for (const some of inBatches(toServers(chosen)))
        unexpected.push(
          ...(await lossesOf(way, some)).filter(
            (loss) => !losses.some(({ begins }) => loss.startsWith(begins)),
          ),
        );
      expect(unexpected).toEqual([]);
    },
    600_000,
  );
});
