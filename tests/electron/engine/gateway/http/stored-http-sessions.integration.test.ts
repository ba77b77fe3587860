import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../../helper/eventually.ts';
import { freePort } from '../../../../helper/free-port.ts';
import { fixture, nodeEntry, programs } from '../../../../helper/programs.ts';
import { configText, endHub, namesOf, textOf } from '../../../../helper/running-hub.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

const servers = { a: nodeEntry(fixture('echo')), slow: nodeEntry(fixture('subscribed')) };

/** Keeps no connection to a hub that is killed: Wine holds its end open, and the next request would wait for ever. */
const unkept = { connection: 'close' };

/** Some ports below 10081 are refused by fetch. */
async function fetchablePort(): Promise<number> {
  const port = await freePort();
  return port > 10_080 ? port : fetchablePort();
}

/**
 * Starts a hub on an existing data directory, because the very first session does not wait for its database.
 */
async function hubProcess() {
  const hub = await newHub();
  await hub.session();
  await hub.end('SIGTERM');
  await hub.start();
  return hub;
}

/** Runs a hub as a process that can be killed and restarted on its folder. */
async function newHub() {
  const folder = await tempDir();
  const port = await fetchablePort();
  const dir = folder.path;
  await writeFile(join(dir, 'mcp.json'), configText(servers));
  let child: ChildProcess;
  const start = async () => {
    const args = [programs.patchbay, 'serve', '--data-dir', dir, '--port', String(port)];
    child = spawn(process.execPath, args, { stdio: 'ignore', env: { ...process.env } });
    await eventually(async () => {
      expect((await fetch(`http://127.0.0.1:${port}/healthz`, { headers: unkept })).ok).toBe(true);
    });
  };
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (signal === 'SIGTERM') return void (await endHub(child, dir));
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  await start();
  const token = (await readFile(join(dir, 'token'), 'utf8')).trim();
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...unkept,
        ...headers,
      },
      body: JSON.stringify(body),
    });
  return {
    dir,
    token,
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    post,
    start,
    end,
    /** Opens a session by hand and resolves with its id. */
    async session(path = '/mcp') {
      const params = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      };
      const answer = await post(path, { jsonrpc: '2.0', id: 0, method: 'initialize', params });
      await answer.text();
      const id = answer.headers.get('mcp-session-id') ?? '';
      await post(path, { jsonrpc: '2.0', method: 'notifications/initialized' }, { 'mcp-session-id': id });
      return id;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await end('SIGTERM');
      await folder[Symbol.asyncDispose]();
    },
  };
}

const ping = { jsonrpc: '2.0', id: 7, method: 'ping' };
const list = { jsonrpc: '2.0', id: 8, method: 'tools/list' };

async function sdkClient(hub: { readonly url: URL; readonly token: string }) {
  const client = new Client({ name: 'sdk', version: '1' });
  const headers = { authorization: `Bearer ${hub.token}`, ...unkept };
  const transport = new StreamableHTTPClientTransport(hub.url, {
    requestInit: { headers },
    reconnectionOptions: {
      initialReconnectionDelay: 100,
      maxReconnectionDelay: 500,
      reconnectionDelayGrowFactor: 1.5,
      maxRetries: 100,
    },
  });
  await client.connect(transport as Transport);
  return Object.assign(client, {
    session: () => transport.sessionId,
    [Symbol.asyncDispose]: () => client.close(),
  });
}

describe('a session over HTTP when its hub has gone', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)(
    '[PB-LIST-1] [PB-BRIDGE-1] goes on at the next hub after %s, with its notices and subscriptions',
    async (signal) => {
      await using hub = await hubProcess();
      await using client = await sdkClient(hub);
      const updates: string[] = [];
      let changes = 0;
      client.setNotificationHandler(
        ResourceUpdatedNotificationSchema,
        ({ params }) => void updates.push(params.uri),
      );
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
        changes += 1;
      });
      await eventually(async () => expect(await namesOf(client)).toContain('a__echo'));
      await client.subscribeResource({ uri: 'kept://one' });
      await client.setLoggingLevel('debug');
      const before = client.session();
      await eventually(async () => {
        await client.callTool({ name: 'slow__touch' });
        expect(updates).toContain('kept://one');
      });
      await hub.end(signal);
      await hub.start();
      updates.length = 0;
      await eventually(async () =>
        expect(textOf(await client.callTool({ name: 'a__echo', arguments: { x: 1 } }))).toBe('{"x":1}'),
      );
      expect(client.session()).toBe(before);
      // The client reopens its stream by itself.
      await eventually(async () => {
        await client.callTool({ name: 'slow__touch' });
        expect(updates).toContain('kept://one');
      });
      changes = 0;
      await writeFile(join(hub.dir, 'mcp.json'), configText({ ...servers, b: servers.a }));
      await eventually(async () => {
        expect(changes).toBeGreaterThan(0);
        changes = 0;
        expect(await namesOf(client)).toContain('b__echo');
      });
    },
  );

  it('[NFR-R4] learns what is known of a call that was in progress', async () => {
    await using hub = await hubProcess();
    await using client = await sdkClient(hub);
    await eventually(async () =>
      expect(await namesOf(client)).toEqual(expect.arrayContaining(['a__echo', 'slow__wait'])),
    );
    let call: Promise<unknown> | undefined;
    // The response becomes a stream, which can be resumed, with progress.
    await new Promise<void>((onprogress) => {
      const options = { onprogress: () => onprogress() };
      call = client.callTool({ name: 'slow__wait' }, undefined, options).catch((error: unknown) => error);
    });
    await hub.end('SIGKILL');
    await hub.start();
    expect(await call).toMatchObject({ code: -32011, data: { code: 'call.outcome_unknown' } });
    expect(textOf(await client.callTool({ name: 'a__echo', arguments: {} }))).toBe('{}');
  });

  it('[PB-ISO-1] belongs to no one else, works at no other endpoint, and cannot be resumed once ended', async () => {
    await using hub = await hubProcess();
    const [kept, deleted, ofOne] = [
      await hub.session(),
      await hub.session(),
      await hub.session('/mcp/servers/a'),
    ];
    const gone = await fetch(hub.url, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${hub.token}`, 'mcp-session-id': deleted, ...unkept },
    });
    expect(gone.status).toBe(200);
    await hub.end('SIGKILL');
    await hub.start();
    const status = async (path: string, id: string, headers: Record<string, string> = {}) => {
      const answer = await hub.post(path, ping, { 'mcp-session-id': id, ...headers });
      await answer.text();
      return answer.status;
    };
    expect(await status('/mcp', deleted)).toBe(404);
    expect(await status('/mcp', ofOne)).toBe(404);
    expect(await status('/mcp/servers/a', kept)).toBe(404);
    expect(await status('/mcp', '00000000-0000-4000-8000-000000000000')).toBe(404);
    expect(await status('/mcp', kept, { authorization: 'Bearer forged' })).toBe(401);
    // Concurrent requests resume it only once.
    expect(await Promise.all([1, 2, 3].map(() => status('/mcp', kept)))).toSatisfy((all: number[]) =>
      all.every((one) => one === 200 || one === 400),
    );
    expect(await status('/mcp/servers/a', ofOne)).toBe(200);
    await hub.end('SIGKILL');
    await writeFile(join(hub.dir, 'token'), `${'t'.repeat(43)}\n`);
    await hub.start();
    expect(await status('/mcp', kept, { authorization: `Bearer ${'t'.repeat(43)}` })).toBe(404);
  });

  it('[PB-LIST-1] survives a hub that was killed right after initialize', async () => {
    await using hub = await hubProcess();
    const id = await hub.session();
    await hub.end('SIGKILL');
    await hub.start();
    const answer = await hub.post('/mcp', list, { 'mcp-session-id': id });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('a__echo');
  });
});
