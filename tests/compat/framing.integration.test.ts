import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeEntry, programs } from '../helper/programs.ts';
import {
  configText,
  connectBridge,
  type Hub,
  isConnected,
  namesOf,
  startHub,
  textOf,
} from '../helper/running-hub.ts';
import { framings } from './lib/framed.mjs';

const server = fileURLToPath(new URL('./lib/framed-server.mjs', import.meta.url));
const ways = Object.keys(framings);
const keyOf = (way: string) => `s${ways.indexOf(way)}`;

let hub: Hub;
beforeAll(async () => {
  hub = await startHub(Object.fromEntries(ways.map((way) => [keyOf(way), nodeEntry(server, way)])));
  for (const way of ways) await isConnected(hub, keyOf(way));
}, 120_000);
afterAll(() => hub[Symbol.asyncDispose]());

describe('a server that frames its messages with', () => {
  it.each(ways)('[PB-PASS-1] %s: is listed and called', async (way) => {
    await using client = await connectBridge(hub.dir);
    expect(await namesOf(client)).toContain(`${keyOf(way)}__say`);
    const result = await client.callTool({ name: `${keyOf(way)}__say` });
    expect(textOf(result)).toBe('said');
    expect(result.structuredContent).toEqual({ nested: [{ long: 'é'.repeat(100_000) }, { a: {} }] });
  });
});

/** Says messages to a program and reads what it writes, with or without headers. */
function converse(args: readonly string[], frame: (message: object) => string | Buffer) {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  let text = '';
  const waiting: (() => void)[] = [];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    for (const look of waiting.splice(0)) look();
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  async function answer(found: (line: string) => boolean): Promise<unknown> {
    for (;;) {
      const line = text.split(/\r?\n/).find((part) => part.startsWith('{') && found(part));
      if (line !== undefined) return JSON.parse(line);
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  }
  return {
    text: () => text,
    async ask(id: number, method: string, params: object = {}) {
      child.stdin.write(frame({ jsonrpc: '2.0', id, method, params }));
      return await answer((line) => line.includes(`"id":${id},`) || line.includes(`"id":${id}}`));
    },
    async say(bytes: string, found: string) {
      child.stdin.write(bytes);
      return await answer((line) => line.includes(found));
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}

const greeting = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'odd', version: '1' },
};

describe.each(['the bridge', 'the command'])('a client of %s', (way) => {
  async function open(frame: (message: object) => string | Buffer) {
    const config = join(hub.dir, 'command.json');
    await writeFile(config, configText({ s: nodeEntry(server, 'no end of the line') }));
    const args = [programs.aggregator, '--config', config];
    return converse(way === 'the bridge' ? [programs.bridge, '--data-dir', hub.dir] : args, frame);
  }

  it.each(ways)('[PB-PASS-1] that frames its messages with %s: is answered', async (name) => {
    const frame = framings[name] ?? String;
    await using client = await open(frame);
    expect(await client.ask(1, 'initialize', greeting)).toHaveProperty('result.protocolVersion');
    expect(await client.ask(2, 'tools/list')).toHaveProperty('result.tools');
    expect(/^Content-Length: \d+\r\n\r\n\{/.test(client.text())).toBe(/header/i.test(name));
  });

  it('[NFR-R4] that sends an invalid message gets an error, and further answers', async () => {
    await using client = await open((message) => `${JSON.stringify(message)}\n`);
    await client.ask(1, 'initialize', greeting);
    expect(await client.say('what is this?\n', '-32700')).toMatchObject({
      id: null,
      error: { code: -32700 },
    });
    const nan =
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","arguments":{"a":NaN}}}\n';
    expect(await client.say(nan, 'NaN')).toMatchObject({
      id: 7,
      error: { code: -32700, message: expect.stringContaining('NaN is not a JSON value') },
    });
    expect(await client.say('{"hello":"there"}\n', '-32600')).toMatchObject({
      id: null,
      error: { code: -32600 },
    });
    expect(await client.ask(8, 'ping')).toMatchObject({ result: {} });
  });
});
