import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonRpcRequest } from '../../../../../electron/engine/jsonrpc/message.ts';
import { createPeer } from '../../../../../electron/engine/jsonrpc/peer.ts';
import type { Peer } from '../../../../../electron/engine/jsonrpc/peer-contract.ts';
import {
  createHttpServerTransport,
  type HttpServerTransport,
} from '../../../../../electron/engine/transport/http-server/http-server-transport.ts';
import { httpServer, readPosted } from '../../../../helper/http-server.ts';

type Answer = (request: JsonRpcRequest, peer: Peer) => Promise<unknown>;

interface Session {
  readonly transport: HttpServerTransport;
  readonly peer: Peer;
}

const initialized = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: 'test', version: '1' },
};

/** Does what the gateway does, on a small scale: one session for each `initialize`, found again by its id. */
async function serveSessions(answer: Answer) {
  const sessions = new Map<string, Session>();
  const ended: string[] = [];
  const server = await httpServer(async (request, response) => {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    const session = known ?? (await begin());
    await session.transport.handle(request, response, await readPosted(request));
  });
  async function begin(): Promise<Session> {
    const transport = createHttpServerTransport();
    const peer: Peer = createPeer(transport, {
      request: (request) =>
        request.method === 'initialize' ? Promise.resolve(initialized) : answer(request, peer),
      notification: () => {},
      closed: () => ended.push(transport.sessionId),
    });
    await peer.start();
    sessions.set(transport.sessionId, { transport, peer });
    return { transport, peer };
  }
  return { ...server, sessions, ended };
}

async function connectClient(url: string) {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { roots: {} } });
  const transport = new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport);
  return { client, transport };
}

const loose = z.looseObject({});
const only = (sessions: ReadonlyMap<string, Session>): Session => {
  const [session] = sessions.values();
  if (session === undefined) throw new Error('There is no session');
  return session;
};
const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  });
const initialize = {
  jsonrpc: '2.0',
  id: 'init',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

/** Opens the session stream and collects its messages. */
async function listen(url: string, sessionId: string) {
  const stop = new AbortController();
  const headers = { accept: 'text/event-stream', 'mcp-session-id': sessionId };
  const response = await fetch(url, { headers, signal: stop.signal });
  const messages: { method?: string }[] = [];
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      const text = decoder.decode(chunk as Uint8Array);
      for (const line of text.split('\n'))
        if (line.startsWith('data: ')) messages.push(JSON.parse(line.slice(6)));
    }
  })().catch(() => {});
  return { status: response.status, messages, ended, stop: () => stop.abort() };
}

describe('served HTTP session', () => {
  it('[PB-PASS-1] answers requests side by side, in the order they finish, fields unchanged', async () => {
    const release: (() => void)[] = [];
    await using server = await serveSessions(async ({ method, params }) => {
      if (method === 'slow') await new Promise<void>((resolve) => release.push(resolve));
      return { method, params, unknown: { kept: [1, null] } };
    });
    const { client } = await connectClient(server.url);
    const ask = (method: string) => client.request({ method, params: { text: 'a\u2028b' } }, loose);
    const slow = ask('slow');
    expect(await ask('fast')).toMatchObject({ method: 'fast' });
    release[0]?.();
    expect(await slow).toEqual({
      method: 'slow',
      params: { text: 'a\u2028b' },
      unknown: { kept: [1, null] },
    });
    await client.close();
  });

  it('[PB-PASS-1] sends what is related to a request on its stream, before its answer', async () => {
    await using server = await serveSessions(async ({ id }, peer) => {
      await peer.notify('notifications/progress', { progressToken: 't', progress: 1 }, id);
      const asked = await peer.request('roots/list', {}, id).result;
      return { asked };
    });
    const started = await post(server.url, initialize);
    await started.text();
    const session = { 'mcp-session-id': started.headers.get('mcp-session-id') ?? '' };
    const response = await post(server.url, { jsonrpc: '2.0', id: 1, method: 'work' }, session);
    const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
    let received = '';
    while (!received.includes('roots/list')) received += (await reader.read()).value;
    expect(received.indexOf('notifications/progress')).toBeLessThan(received.indexOf('roots/list'));
    const accepted = await post(server.url, { jsonrpc: '2.0', id: 1, result: { roots: ['r'] } }, session);
    expect(accepted.status).toBe(202);
    while (!received.includes('asked')) received += (await reader.read()).value;
    expect(received).toContain('"result":{"asked":{"roots":["r"]}}');
    expect((await reader.read()).done).toBe(true);
  });

  it('[PB-PASS-1] sends everything else on the stream opened with GET, and keeps it until there is one', async () => {
    await using server = await serveSessions(async () => ({}));
    const { client } = await connectClient(server.url);
    const changed = new Promise((resolve) =>
      client.setNotificationHandler(ToolListChangedNotificationSchema, resolve),
    );
    await only(server.sessions).peer.notify('notifications/tools/list_changed');
    expect(await changed).toMatchObject({ method: 'notifications/tools/list_changed' });
    await client.close();
  });

  it('[NFR-R4] keeps the last notifications for a client that listens late, and refuses what nobody could answer', async () => {
    await using server = await serveSessions(async () => ({}));
    const started = await post(server.url, initialize);
    await started.text();
    const { peer, transport } = only(server.sessions);
    for (let n = 0; n < 40; n += 1) await peer.notify(`n${n}`);
    await expect(peer.request('roots/list').result).rejects.toMatchObject({ sent: false });
    const stream = await listen(server.url, transport.sessionId);
    while (stream.messages.length < 32) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(stream.messages.map(({ method }) => method)).toEqual(
      Array.from({ length: 32 }, (_, n) => `n${n + 8}`),
    );
    stream.stop();
    await stream.ended;
  });

  it('[PB-BRIDGE-1] lets a client that comes back replace its old stream', async () => {
    await using server = await serveSessions(async () => ({}));
    await (await post(server.url, initialize)).text();
    const { peer, transport } = only(server.sessions);
    const first = await listen(server.url, transport.sessionId);
    const second = await listen(server.url, transport.sessionId);
    expect([first.status, second.status]).toEqual([200, 200]);
    await first.ended;
    await peer.notify('hello');
    while (second.messages.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(second.messages).toEqual([{ jsonrpc: '2.0', method: 'hello' }]);
    second.stop();
    await second.ended;
  });

  it('[PB-ISO-1] refuses a second request under an id still in flight, and takes the id again afterwards', async () => {
    const release: (() => void)[] = [];
    await using server = await serveSessions(async () => {
      await new Promise<void>((resolve) => release.push(resolve));
      return {};
    });
    const started = await post(server.url, initialize);
    await started.text();
    const session = { 'mcp-session-id': started.headers.get('mcp-session-id') ?? '' };
    const first = post(server.url, { jsonrpc: '2.0', id: 1, method: 'a' }, session);
    while (release.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await post(server.url, { jsonrpc: '2.0', id: 1, method: 'b' }, session)).status).toBe(400);
    release[0]?.();
    expect(await (await first).text()).toContain('"result":{}');
    const again = post(server.url, { jsonrpc: '2.0', id: 1, method: 'c' }, session);
    while (release.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    release[1]?.();
    expect((await again).status).toBe(200);
  });

  it('[NFR-R4] ends with DELETE, once, and refuses what comes after', async () => {
    await using server = await serveSessions(async () => ({}));
    const { client, transport } = await connectClient(server.url);
    const { sessionId } = only(server.sessions).transport;
    expect(transport.sessionId).toBe(sessionId);
    await transport.terminateSession();
    expect(server.ended).toEqual([sessionId]);
    const late = await post(
      server.url,
      { jsonrpc: '2.0', id: 1, method: 'a' },
      { 'mcp-session-id': sessionId },
    );
    expect(late.status).toBe(404);
    await expect(only(server.sessions).peer.notify('late')).rejects.toMatchObject({ sent: false });
    await client.close();
  });

  it('[PB-PROC-1] ends its streams when it is closed from this side', async () => {
    await using server = await serveSessions(() => new Promise(() => {}));
    await (await post(server.url, initialize)).text();
    const { peer, transport } = only(server.sessions);
    const stream = await listen(server.url, transport.sessionId);
    const waiting = await post(
      server.url,
      { jsonrpc: '2.0', id: 1, method: 'a' },
      { 'mcp-session-id': transport.sessionId },
    );
    await peer.close();
    await stream.ended;
    expect(await waiting.text()).toBe('');
  });

  it('[NFR-R4] drops the answer for a client that has gone away, and serves on', async () => {
    const release: (() => void)[] = [];
    await using server = await serveSessions(async ({ method }) => {
      if (method === 'slow') await new Promise<void>((resolve) => release.push(resolve));
      return {};
    });
    const started = await post(server.url, initialize);
    await started.text();
    const session = { 'mcp-session-id': started.headers.get('mcp-session-id') ?? '' };
    const gone = await post(server.url, { jsonrpc: '2.0', id: 1, method: 'slow' }, session);
    await gone.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, 20));
    release[0]?.();
    const next = await post(server.url, { jsonrpc: '2.0', id: 1, method: 'fast' }, session);
    expect(await next.text()).toContain('"result":{}');
  });
});
