import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeEntry, programs } from '../helper/programs.ts';
import { configText, type Hub, isConnected, startHub } from '../helper/running-hub.ts';
import { tempDir } from '../helper/temp-dir.ts';

/** A conversation with something that speaks MCP, text by text as it is written. */
interface Line extends AsyncDisposable {
  /** The answer to the request of this id; `undefined` for a text that asks for none. */
  say(text: string, id?: string): Promise<unknown>;
}

const stdioServer = fileURLToPath(new URL('./lib/stdio-server.mjs', import.meta.url));
/** Started without an oddity. */
const entry = nodeEntry(stdioServer, 's');

/** Says lines to a program and finds answers by their id, exactly as it is written. */
function lineTo(args: readonly string[]): Line {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<string, (answer: unknown) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    for (const [id, resolve] of waiting)
      if (line.includes(`"id":${id},`) || line.includes(`"id":${id}}`)) resolve(JSON.parse(line));
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    say(text, id) {
      child.stdin.write(`${text}\n`);
      if (id === undefined) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        setTimeout(() => resolve('silence'), 20_000).unref();
      });
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}

function lineOverHttp(hub: Hub): Line {
  const { url, token } = hub.engine.connection();
  let session: string | undefined;
  return {
    async say(text) {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json',
        ...(session === undefined ? {} : { 'mcp-session-id': session }),
      };
      const response = await fetch(url, { method: 'POST', headers, body: text });
      session ??= response.headers.get('mcp-session-id') ?? undefined;
      const body = await response.text();
      if (response.status === 202) return undefined;
      return JSON.parse(body.replace(/^[\s\S]*?data: (?=\{)/, ''));
    },
    async [Symbol.asyncDispose]() {},
  };
}

const greeting = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'odd', version: '1' },
};
/** Texts of `params` for a greeting; all are greeted. */
const greetings: readonly (readonly [string, string])[] = [
  ['as it should be', JSON.stringify(greeting)],
  ...(['capabilities', 'clientInfo', '_meta'] as const).flatMap((name) =>
    ['null', '[]', '{}', '"text"', '7'].map(
      (value) => [`${name}: ${value}`, odd(greeting, name, value)] as const,
    ),
  ),
  ...['null', '""', '"1.0"', '"2030-01-01"', '7'].map(
    (value) => [`protocolVersion: ${value}`, odd(greeting, 'protocolVersion', value)] as const,
  ),
  ['no client info', JSON.stringify({ ...greeting, clientInfo: undefined })],
  ['no capabilities', JSON.stringify({ ...greeting, capabilities: undefined })],
  ['no version of the client', JSON.stringify({ ...greeting, clientInfo: { name: 'odd' } })],
  ['no revision', JSON.stringify({ ...greeting, protocolVersion: undefined })],
  ['nothing', '{}'],
];

function odd(whole: object, name: string, value: string): string {
  const text = JSON.stringify({ ...whole, [name]: undefined });
  return `${text.slice(0, -1)},${JSON.stringify(name)}:${value}}`;
}

/** Programs that are greeted side by side: each starts servers of its own. */
const atOnce = 4;

const call = '"name":"s:echo"';
/** Requests after a greeting, with what their result has to have. */
const requests: readonly (readonly [method: string, params: string | undefined, has: string])[] = [
  ...[undefined, 'null', '{}', '{"cursor":null}', '{"_meta":null}', '{"_meta":{}}', '{"x":[null]}'].flatMap(
    (params) =>
      [
        ['tools/list', params, 'tools'],
        ['resources/list', params, 'resources'],
        ['resources/templates/list', params, 'resourceTemplates'],
        ['prompts/list', params, 'prompts'],
      ] as const,
  ),
  ...[undefined, 'null', '{}'].map((params) => ['ping', params, ''] as const),
  ...['', ',"arguments":null', ',"arguments":[]', ',"arguments":{}', ',"_meta":null', ',"_meta":[]'].map(
    (rest) => ['tools/call', `{${call}${rest}}`, 'content'] as const,
  ),
  ['tools/call', `{${call},"_meta":{"progressToken":null}}`, 'content'],
  ['tools/call', `{${call},"task":null}`, 'content'],
  ['tools/call', `{"x":1,"arguments":{"a":{}},${call},"${'y'.repeat(300)}":{}}`, 'content'],
  ...['', ',"arguments":null', ',"arguments":[]', ',"_meta":null'].map(
    (rest) => ['prompts/get', `{"name":"s:greet"${rest}}`, 'messages'] as const,
  ),
  ...['', ',"_meta":null', ',"x":null'].map(
    (rest) => ['resources/read', `{"uri":"compat://s/note"${rest}}`, 'contents'] as const,
  ),
];
/** Notices that must do no harm. */
const notices = [
  '{"jsonrpc":"2.0","method":"notifications/initialized","params":null}',
  '{"jsonrpc":"2.0","method":"notifications/initialized","params":{"_meta":null}}',
  '{"jsonrpc":"2.0","method":"notifications/roots/list_changed","params":null}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none","reason":null}}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":null}',
  '{"jsonrpc":"2.0","method":"notifications/unheard/of"}',
];
/** Ids as clients write them: each comes back as it is written. */
const ids = [
  '1',
  '0',
  '-7',
  '"a"',
  '""',
  '"1"',
  '4503599627370497',

  '"6f9619ff-8b86-d011-b42d-00cf4fc964ff"',
];

let hub: Hub;
let config: Awaited<ReturnType<typeof tempDir>>;
beforeAll(async () => {
  hub = await startHub({ s: entry });
  config = await tempDir();
  await writeFile(join(config.path, 'config.json'), configText({ s: entry }));
  await isConnected(hub, 's');
}, 120_000);
afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await config[Symbol.asyncDispose]();
});

const ways: readonly (readonly [string, () => Line])[] = [
  ['HTTP', () => lineOverHttp(hub)],
  ['the bridge', () => lineTo([programs.bridge, '--data-dir', hub.dir])],
  ['the command', () => lineTo([programs.aggregator, '--config', join(config.path, 'config.json')])],
];

const request = (id: string, method: string, params: string | undefined) =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}"${params === undefined ? '' : `,"params":${params}`}}`;

describe.each(ways)('a client with one oddity, over %s', (_way, open) => {
  it('[PB-PASS-1] is greeted, whatever it leaves out of its greeting or writes in another way', async () => {
    const refused: unknown[] = [];
    const greet = async ([what, params]: readonly [string, string]) => {
      await using line = open();
      const answer = await line.say(request('1', 'initialize', params), '1');
      const { result } = (answer ?? {}) as { readonly result?: { readonly protocolVersion?: string } };
      if (result?.protocolVersion === undefined) refused.push([what, answer]);
    };
    for (let from = 0; from < greetings.length; from += atOnce)
      await Promise.all(greetings.slice(from, from + atOnce).map(greet));
    expect(refused).toEqual([]);
  }, 120_000);

  it('[PB-PASS-1] gets a result for every request, under its id as it is written, and for none of its notices', async () => {
    await using line = open();
    await line.say(request('"hello"', 'initialize', JSON.stringify(greeting)), '"hello"');
    for (const notice of notices) expect(await line.say(notice)).toBeUndefined();
    const refused: unknown[] = [];
    let count = 0;
    for (const [method, params, has] of requests) {
      count += 1;
      const answer = await line.say(request(String(count), method, params), String(count));
      const { result } = (answer ?? {}) as { readonly result?: object };
      if (result === undefined || (has !== '' && !(has in result))) refused.push([method, params, answer]);
    }
    for (const id of ids) {
      const answer = await line.say(request(id, 'ping', undefined), id);
      if ((answer as { readonly id: unknown }).id !== JSON.parse(id)) refused.push([id, answer]);
    }
    expect(refused).toEqual([]);
  }, 120_000);
});
