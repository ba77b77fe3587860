import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../helper/eventually.ts';
import { httpServer, readJson, sendJson } from '../../helper/http-server.ts';
import { fixture, nodeEntry, programs } from '../../helper/programs.ts';
import { isConnected, startHub } from '../../helper/running-hub.ts';
import { tempDir } from '../../helper/temp-dir.ts';
import type { Json } from './transport/modern/modern-peers.ts';

type Era = 'legacy' | 'modern';
type Front = 'command' | 'bridge' | 'http';

const servers = {
  legacy: nodeEntry(fixture('legacy-ask')),
  modern: nodeEntry(fixture('modern')),
};

/** A client of the official SDK that answers every kind of question. */
function createClient(era: Era, name: string) {
  const capabilities = { elicitation: { form: {} }, sampling: {}, roots: {} };
  const versionNegotiation = { mode: era === 'modern' ? { pin: '2026-07-28' } : ('legacy' as const) };
  const client = new Client({ name, version: '1' }, { capabilities, versionNegotiation });
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { name } }));
  client.setRequestHandler('sampling/createMessage', async () => ({
    role: 'assistant',
    model: 'm',
    content: { type: 'text', text: `word of ${name}` },
  }));
  client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: `file:///${name}` }] }));
  return client;
}

/** Calls a tool whatever prefix its name has; resolves with its text. */
async function call(client: Client, tool: string, args: Record<string, unknown> = {}): Promise<string> {
  const { tools } = await client.listTools();
  const name = tools.find((each) => new RegExp(`(^|:|__)${tool}$`).test(each.name))?.name ?? tool;
  const { content } = await client.callTool({ name, arguments: args });
  return (content as readonly { text: string }[]).map(({ text }) => text).join();
}

async function proveAll(client: Client, name: string): Promise<void> {
  expect(await call(client, 'echo', { text: 'grüße 1.0' })).toBe('grüße 1.0');
  expect(await call(client, 'ask')).toContain(`accept ${name}`);
  expect(await call(client, 'ask-twice')).toBe(`word of ${name} file:///${name}`);
  expect(await call(client, 'slow')).toBe('done');
}

const cells = (['legacy', 'modern'] as const).flatMap((client) =>
  (['legacy', 'modern'] as const).map((server) => [client, server] as const),
);

describe('[PB-DUAL-1] [PB-DUAL-2] [PB-DUAL-3] clients and servers of both eras', () => {
  it.each(cells)('%s client, %s server: through the command', async (client, server) => {
    await using folder = await tempDir();
    const file = join(folder.path, 'config.json');
    await writeFile(file, JSON.stringify({ mcpServers: { s: servers[server] } }));
    const peer = createClient(client, 'ada');
    const args = [programs.aggregator, '--config', file];
    await peer.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    expect(peer.getProtocolEra()).toBe(client);
    await proveAll(peer, 'ada');
    await peer.close();
  });

  it.each(['bridge', 'http'] satisfies Front[])(
    'two clients of each era at once over the %s, servers of both: no answer goes astray',
    async (front) => {
      await using hub = await startHub({ old: servers.legacy, new: servers.modern });
      await Promise.all([isConnected(hub, 'old'), isConnected(hub, 'new')]);
      const peers = await Promise.all(
        (['legacy', 'modern', 'legacy', 'modern'] as const).map(async (era, number) => {
          const name = `${era}${number}`;
          const peer = createClient(era, name);
          await peer.connect(await transportTo(hub, front));
          expect(peer.getProtocolEra()).toBe(era);
          return { peer, name };
        }),
      );
      for (let round = 0; round < 3; round += 1)
        await Promise.all(
          peers.map(async ({ peer, name }) => {
            expect(await call(peer, 'new__ask')).toContain(`accept ${name}`);
            expect(await call(peer, 'new__ask-twice')).toBe(`word of ${name} file:///${name}`);
          }),
        );
      const seen = hub.engine.clients();
      expect(seen.filter(({ name, era }) => !name.startsWith(String(era)))).toEqual([]);
      expect(new Set(seen.map(({ era }) => era))).toEqual(new Set(['legacy', 'modern']));
      expect(hub.server('old').era).toMatchObject({ era: 'legacy', version: '2025-11-25' });
      expect(hub.server('new').era).toMatchObject({ era: 'modern', version: '2026-07-28' });
      // A server with a session cannot tell which call its question belongs to, so they go one by one.
      for (const { peer, name } of peers) {
        expect(await call(peer, 'old__ask')).toContain(`accept ${name}`);
        expect(await call(peer, 'old__ask-twice')).toBe(`word of ${name} file:///${name}`);
      }
      await Promise.all(peers.map(({ peer }) => peer.close()));
    },
  );

  it('a stateless server over HTTP is found and used by clients of both eras', async () => {
    const child = spawn(process.execPath, [fixture('modern'), '--http'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = await once(child.stdout, 'data');
      const url = `http://127.0.0.1:${String(line).trim()}/mcp`;
      await using hub = await startHub({ far: { type: 'http', url } });
      await isConnected(hub, 'far');
      for (const era of ['legacy', 'modern'] as const) {
        const peer = createClient(era, era);
        await peer.connect(await transportTo(hub, 'http'));
        await proveAll(peer, era);
        await peer.close();
      }
    } finally {
      child.kill();
    }
  });

  it.each(['started again', 'found gone'])(
    'a server that an update made stateless is asked, %s',
    async (how) => {
      await using folder = await tempDir();
      const program = join(folder.path, 'server.mjs');
      const become = (name: string) =>
        writeFile(program, `import ${JSON.stringify(pathToFileURL(fixture(name)).href)};\n`);
      await become('legacy-ask');
      await using hub = await startHub({ updated: nodeEntry(program) });
      await isConnected(hub, 'updated');
      expect(hub.server('updated').era?.era).toBe('legacy');
      await become('modern');
      if (how === 'found gone') process.kill(hub.server('updated').pid ?? 0, 'SIGKILL');
      else await hub.restart();
      await eventually(() => expect(hub.server('updated').era?.era).toBe('modern'));
      await isConnected(hub, 'updated');
    },
  );

  it('a server that an update made stateless is asked, even if it quits over the sessions it once had', async () => {
    await using folder = await tempDir();
    const program = join(folder.path, 'server.mjs');
    const named = (name: string) => JSON.stringify(pathToFileURL(fixture(name)).href);
    await writeFile(program, `import ${named('legacy-ask')};\n`);
    await using hub = await startHub({ updated: nodeEntry(program) });
    await isConnected(hub, 'updated');
    const quits =
      "process.stdin.prependListener('data', (data) => String(data).includes('initialize') && process.exit(1));";
    await writeFile(program, `import ${named('modern')};\n${quits}\n`);
    await hub.restart();
    await isConnected(hub, 'updated');
    expect(hub.server('updated').era?.era).toBe('modern');
  });

  it('a stateless server that the config holds to sessions says what to change', async () => {
    await using hub = await startHub({ held: { ...servers.modern, patchbay: { protocol: 'legacy' } } });
    await eventually(() =>
      expect(hub.server('held').problem).toMatchObject({
        code: 'server.handshake_failed',
        sentence: 'The config says that this server has sessions, but it is stateless.',
      }),
    );
  });

  it('a remote server that an update made stateless is asked, too', async () => {
    let isUpdated = false;
    await using remote = await httpServer(async (request, response) => {
      const { id, method, params }: Json = (await readJson(request)) ?? {};
      const isModern = 'io.modelcontextprotocol/protocolVersion' in (params?._meta ?? {});
      const answer = answersOf(isUpdated, isModern)[method];
      if (answer === undefined) sendJson(response, request.method === 'POST' ? 202 : 405);
      else sendJson(response, 'error' in answer ? 400 : 200, { jsonrpc: '2.0', id, ...answer });
    });
    await using hub = await startHub({ far: { type: 'http', url: remote.url } });
    await isConnected(hub, 'far');
    expect(hub.server('far').era?.era).toBe('legacy');
    isUpdated = true;
    await hub.restart();
    await eventually(() => expect(hub.server('far').era?.era).toBe('modern'));
  });

  it('a front can be held to one era: by its URL, or by an option', async () => {
    await using hub = await startHub({ old: servers.legacy });
    const { url, token } = hub.engine.connection();
    const post = async (protocol: string, method: string, params: object) => {
      const response = await fetch(`${url}?protocol=${protocol}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(method === 'initialize' ? {} : { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      return { status: response.status, body: await response.json() };
    };
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const discover = { _meta: envelope };
    const initialize = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    };
    expect(await post('auto', 'server/discover', discover)).toMatchObject({
      status: 200,
      body: { result: {} },
    });
    // Exactly this refusal makes a client of both eras open a session.
    expect(await post('legacy', 'server/discover', discover)).toMatchObject({
      status: 400,
      body: { error: { code: -32601 } },
    });
    expect(await post('modern', 'initialize', initialize)).toMatchObject({
      status: 400,
      body: { error: { code: -32022, data: { supported: ['2026-07-28'] } } },
    });
    const old = createClient('legacy', 'ada');
    const args = [programs.bridge, '--data-dir', hub.dir, '--protocol', 'modern'];
    const refused = old.connect(
      new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }),
    );
    await expect(refused).rejects.toThrow();
    await old.close();
  });

  it('a server gets the capabilities of the client that calls, and nothing of another hop', async () => {
    await using hub = await startHub({ new: servers.modern, old: servers.legacy });
    await Promise.all([isConnected(hub, 'old'), isConnected(hub, 'new')]);
    const peer = createClient('modern', 'ada');
    await peer.connect(await transportTo(hub, 'http'));
    const seen = JSON.parse(await call(peer, 'new__envelope'));
    expect(seen.envelope['io.modelcontextprotocol/clientCapabilities']).toEqual({
      elicitation: { form: {} },
      sampling: {},
      roots: {},
    });
    expect(seen.envelope['io.modelcontextprotocol/clientInfo'].name).toBe('patchbay');
    expect(JSON.stringify(seen.meta)).not.toContain('patchbay/');
    expect(await call(peer, 'old__meta')).not.toMatch(/modelcontextprotocol|patchbay/);
    await peer.close();
  });

  it('a stateless server is told what each client with a session can do, so that it asks for nothing else', async () => {
    await using hub = await startHub({ new: servers.modern });
    await isConnected(hub, 'new');
    const seenOf = async (peer: Client) => JSON.parse(await call(peer, 'new__envelope')).envelope;
    const declared = [{}, { roots: { listChanged: true } }, { elicitation: {}, sampling: {} }] as const;
    const peers = declared.map(
      (capabilities) =>
        new Client({ name: 'a', version: '1' }, { capabilities, versionNegotiation: { mode: 'legacy' } }),
    );
    for (const peer of peers) await peer.connect(await transportTo(hub, 'bridge'));
    const seen = await Promise.all(peers.map(seenOf));
    expect(seen.map((each) => each['io.modelcontextprotocol/clientCapabilities'])).toEqual([
      {},
      { roots: {} },
      { elicitation: {}, sampling: {} },
    ]);
    await Promise.all(peers.map((peer) => peer.close()));
  });
});

/** Answers of a remote server before and after its update. */
function answersOf(isUpdated: boolean, isModern: boolean): Readonly<Record<string, object>> {
  const refusal = { error: { code: -32601, message: 'Method not found' } };
  const serverInfo = { name: 'far', version: '1' };
  if (!isUpdated)
    return {
      'server/discover': refusal,
      initialize: { result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo } },
      ping: { result: {} },
    };
  if (!isModern) return { initialize: { error: { code: -32022, message: 'Unsupported', data: {} } } };
  const validity = { ttlMs: 0, cacheScope: 'private', resultType: 'complete' };
  return {
    'server/discover': { result: { supportedVersions: ['2026-07-28'], capabilities: {}, ...validity } },
  };
}

async function transportTo(hub: Awaited<ReturnType<typeof startHub>>, front: Front) {
  if (front === 'bridge') {
    const args = [programs.bridge, '--data-dir', hub.dir];
    return new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' });
  }
  const { url, token } = hub.engine.connection();
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  return new StreamableHTTPClientTransport(new URL(url), { requestInit });
}
