import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text as textFrom } from 'node:stream/consumers';
import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as SessionClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as SessionTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { fixture, nodeEntry, programs, realServer } from '../../helper/programs.ts';
import { isConnected, startHub } from '../../helper/running-hub.ts';

type Hub = Awaited<ReturnType<typeof startHub>>;

interface Content {
  readonly type: string;
  readonly text?: string;
}

/** Members of a client that the tests need, whichever SDK it is made with. */
interface Peer extends AsyncDisposable {
  readonly tools: () => Promise<readonly string[]>;
  readonly call: (
    name: string,
    args?: Readonly<Record<string, unknown>>,
    onprogress?: (progress: { readonly progress: number }) => void,
  ) => Promise<readonly Content[]>;
}

const name = 'ada';
const capabilities = { elicitation: { form: {} }, sampling: {}, roots: {} };
const form = { action: 'accept' as const, content: { name } };
const said = { role: 'assistant' as const, model: 'm', content: { type: 'text' as const, text: 'a word' } };
const roots = { roots: [{ uri: `file:///${name}` }] };

/** The SDK's first version, which knows sessions only. */
async function connectFirst(hub: Hub): Promise<Peer> {
  const client = new SessionClient({ name, version: '1' }, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, () => form);
  client.setRequestHandler(CreateMessageRequestSchema, () => said);
  client.setRequestHandler(ListRootsRequestSchema, () => roots);
  const { url, token } = hub.engine.connection();
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new SessionTransport(new URL(url), { requestInit }));
  return {
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: async (tool, args = {}, onprogress = () => {}) =>
      (await client.callTool({ name: tool, arguments: args }, undefined, { onprogress }))
        .content as Content[],
    [Symbol.asyncDispose]: () => client.close(),
  };
}

type Negotiation = 'auto' | 'legacy' | { readonly pin: string };

/** The SDK's second version, which knows both. */
async function connectSecond(hub: Hub, mode: Negotiation): Promise<Peer> {
  const client = new ModernClient({ name, version: '2' }, { capabilities, versionNegotiation: { mode } });
  client.setRequestHandler('elicitation/create', async () => form);
  client.setRequestHandler('sampling/createMessage', async () => said);
  client.setRequestHandler('roots/list', async () => roots);
  const { url, token } = hub.engine.connection();
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return {
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: async (tool, args = {}, onprogress = () => {}) =>
      (await client.callTool({ name: tool, arguments: args }, { onprogress })).content as Content[],
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const clients = [
  ['the first SDK', '2025-11-25', connectFirst],
  ['the second SDK, asked for sessions', '2025-11-25', (hub: Hub) => connectSecond(hub, 'legacy')],
  ['the second SDK, asking modern first', '2026-07-28', (hub: Hub) => connectSecond(hub, 'auto')],
  ['the second SDK, modern only', '2026-07-28', (hub: Hub) => connectSecond(hub, { pin: '2026-07-28' })],
] as const;

/** A server of the second SDK over HTTP. */
async function serveOverHttp(...flags: string[]) {
  const child = spawn(process.execPath, [fixture('modern'), '--http', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  return {
    entry: { type: 'http', url: `http://127.0.0.1:${String(line).trim()}/mcp` },
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const textOf = (content: readonly Content[]) => content.map(({ text = '' }) => text).join();

describe('[PB-DUAL-1] [PB-DUAL-2] [PB-DUAL-3] peers made with the official SDKs', () => {
  it.each(clients)('%s: servers of every kind at once', async (_name, version, connect) => {
    await using rejecting = await serveOverHttp();
    await using dual = await serveOverHttp('--dual');
    const eras = {
      first: '2025-11-25',
      rejects: '2026-07-28',
      dual: '2026-07-28',
      'far-rejects': '2026-07-28',
      'far-dual': '2026-07-28',
    };
    await using hub = await startHub({
      first: nodeEntry(fixture('legacy-ask')),
      rejects: nodeEntry(fixture('modern')),
      dual: nodeEntry(fixture('modern'), '--dual'),
      'far-rejects': rejecting.entry,
      'far-dual': dual.entry,
    });
    await Promise.all(Object.keys(eras).map((key) => isConnected(hub, key)));
    await using peer = await connect(hub);
    for (const [key, expected] of Object.entries(eras)) {
      expect(hub.server(key).era?.version, key).toBe(expected);
      expect(textOf(await peer.call(`${key}__echo`, { text: 'grüße 1.0' })), key).toBe('grüße 1.0');
      expect(textOf(await peer.call(`${key}__ask`)), key).toContain(`accept ${name}`);
      expect(textOf(await peer.call(`${key}__ask-twice`)), key).toBe(`a word file:///${name}`);
    }
    expect(hub.engine.clients()).toMatchObject([{ name, protocolVersion: version }]);
  });

  it.each(clients)('%s: all of server-everything that can be called', async (_name, _version, connect) => {
    await using hub = await startHub({ all: nodeEntry(realServer('everything')) });
    await isConnected(hub, 'all');
    await using peer = await connect(hub);
    expect(await peer.tools()).toEqual(expect.arrayContaining(['all__get-sum', 'all__get-roots-list']));
    expect(textOf(await peer.call('all__get-sum', { a: 40, b: 2 }))).toContain('42');
    expect(await peer.call('all__get-tiny-image')).toContainEqual(expect.objectContaining({ type: 'image' }));
    expect(textOf(await peer.call('all__trigger-sampling-request', { prompt: 'p' }))).toContain('a word');
    expect(textOf(await peer.call('all__trigger-elicitation-request'))).toContain(name);
    expect(textOf(await peer.call('all__get-roots-list'))).toContain(`file:///${name}`);
    const seen: number[] = [];
    await peer.call('all__trigger-long-running-operation', { duration: 0.2, steps: 2 }, ({ progress }) =>
      seen.push(progress),
    );
    expect(seen).toEqual([1, 2]);
  });

  it('[PB-DUAL-1] patchbay status says how each connection speaks, and why', async () => {
    await using hub = await startHub({
      old: nodeEntry(fixture('legacy-ask')),
      new: nodeEntry(fixture('modern')),
    });
    await Promise.all([isConnected(hub, 'old'), isConnected(hub, 'new')]);
    await using first = await connectFirst(hub);
    await using second = await connectSecond(hub, 'auto');
    await Promise.all([first.tools(), second.tools()]);
    const args = [programs.patchbay, 'status', '--data-dir', hub.dir];
    const status = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const stdout = await textFrom(status.stdout);
    expect(stdout).toMatch(/^old .*\n {4}MCP 2025-11-25, with sessions because .*server\/discover/m);
    expect(stdout).toMatch(/^new .*\n {4}MCP 2026-07-28, stateless because .*server\/discover/m);
    expect(stdout).toMatch(/^ {2}ada 1, by HTTP\n {4}MCP 2025-11-25, with a session because .*initialize/m);
    expect(stdout).toMatch(
      /^ {2}ada 2, by HTTP, last request [^,\n]+\n {4}MCP 2026-07-28, stateless because each request/m,
    );
  });

  describe('[PB-DUAL-2] two clients with one token, whose calls overlap', () => {
    /** A client that answers as `who` once it may. */
    async function open({ engine }: Hub, who: string, clientName: string) {
      const asked = deferred();
      const mayAnswer = deferred();
      const answered = async <T>(value: T) => {
        asked.resolve();
        await mayAnswer.promise;
        return value;
      };
      const versionNegotiation = { mode: { pin: '2026-07-28' } };
      const client = new ModernClient(
        { name: clientName, version: '2' },
        { capabilities, versionNegotiation },
      );
      client.setRequestHandler('elicitation/create', () =>
        answered({ action: 'accept' as const, content: { name: who } }),
      );
      client.setRequestHandler('sampling/createMessage', () => answered(said));
      client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: `file:///${who}` }] }));
      const { url, token } = engine.connection();
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
      return {
        asked: asked.promise,
        mayAnswer: mayAnswer.resolve,
        call: async (tool: string) => textOf((await client.callTool({ name: tool })).content as Content[]),
        [Symbol.asyncDispose]: () => client.close(),
      };
    }

    it('windows of one program: a question reaches the call that waits for no answer', async () => {
      await using hub = await startHub({ old: nodeEntry(fixture('legacy-ask')) });
      await isConnected(hub, 'old');
      await using ada = await open(hub, 'ada', name);
      await using bob = await open(hub, 'bob', name);
      const ofAda = ada.call('old__ask-twice');
      await ada.asked;
      const ofBob = bob.call('old__ask');
      await bob.asked;
      // The server's next question belongs to the earlier call, since the later one waits for its answer.
      ada.mayAnswer();
      expect(await ofAda).toBe('a word file:///ada');
      bob.mayAnswer();
      expect(await ofBob).toBe('accept bob');
    });

    it('two programs: a question that may be of either is refused', async () => {
      await using hub = await startHub({ old: nodeEntry(fixture('legacy-ask')) });
      await isConnected(hub, 'old');
      await using ada = await open(hub, 'ada', 'ada');
      await using bob = await open(hub, 'bob', 'bob');
      bob.mayAnswer();
      const ofAda = ada.call('old__ask-twice');
      await ada.asked;
      expect(await bob.call('old__ask')).toContain('several calls are in progress on this server');
      ada.mayAnswer();
      expect(await ofAda).toBe('a word file:///ada');
      expect(await bob.call('old__ask')).toBe('accept bob');
    });
  });
});
