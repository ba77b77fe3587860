import { Agent, createServer, request as httpRequest, type RequestOptions } from 'node:http';
import { type AddressInfo, connect as connectTo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../../electron/engine/base/logger.ts';
import {
  createHttpEndpoint,
  type HttpEndpointOptions,
} from '../../../../../electron/engine/gateway/http/http-endpoint.ts';
import type { SessionServices } from '../../../../../electron/engine/gateway/session/session-contract.ts';
import { createSessionRegistry } from '../../../../../electron/engine/gateway/session/session-registry.ts';
import { extendAncestors } from '../../../../../shared/model/server/loop.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import {
  catalogueOf,
  createHeldRouter,
  echoRouter,
  type HeldCall,
  offerOf,
  surroundings,
  until,
} from '../../../../helper/gateway.ts';
import { progressOf } from '../../../../helper/raw-messages.ts';

const token = 'correct-horse-battery-staple';
const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const it of opened.splice(0).reverse()) await it.close();
});

async function hub(options: Partial<HttpEndpointOptions> & Partial<SessionServices> = {}) {
  const store = catalogueOf({ files: offerOf('read'), notes: offerOf('add') });
  const { clock: _, ...parts } = options;
  const sessions = createSessionRegistry(surroundings({ router: echoRouter, ...parts, catalogue: store }));
  const endpoint = createHttpEndpoint({
    token,
    version: '1.2.3',
    instanceId: 'hub test',
    hasProfile: () => false,
    hasServer: (key) => store.current.servers.some((server) => server.key === key),
    log: silentLogger,
    clock: new FakeClock(),
    ...options,
    sessions,
  });
  await endpoint.listen(0);
  opened.push(endpoint, sessions);
  return { store, sessions, endpoint, base: `http://127.0.0.1:${endpoint.port}` };
}

async function connect(base: string, query = '', place = '') {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  let onStream = () => {};
  const stream = new Promise<void>((resolve) => {
    onStream = resolve;
  });
  const transport = new StreamableHTTPClientTransport(new URL(`${base}/mcp${place}${query}`), {
    requestInit,
    async fetch(url, init) {
      const response = await fetch(url, init);
      if (init?.method === 'GET' && response.ok) onStream();
      return response;
    },
  });
  await client.connect(transport);
  opened.push(client);
  return { client, transport, stream };
}

interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Sends a raw request, including the Host header that `fetch` would not let us set. */
function raw(
  base: string,
  path: string,
  options: RequestOptions,
  body?: string | Buffer,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${base}${path}`, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const bearer = { authorization: `Bearer ${token}` };
const posting = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  ...bearer,
};
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});

const toolNames = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

describe('the HTTP endpoint', () => {
  it('[FR-005] [FR-006] [PB-NAMES-1] serves a real SDK client, in the names its URL asks for', async () => {
    const { base, sessions } = await hub();
    const { client } = await connect(base);
    expect(await toolNames(client)).toEqual(['files__read', 'notes__add']);
    const result = await client.callTool({ name: 'files__read', arguments: { path: '/ü' } });
    expect(result.content).toMatchObject([{ text: expect.stringContaining('"path":"/ü"') }]);
    const other = await connect(base, '?names=colon');
    expect(await toolNames(other.client)).toEqual(['files:read', 'notes:add']);
    expect(sessions.views()).toMatchObject([
      { name: 'test', via: 'http', nameStyle: 'safe', calls: 1 },
      { name: 'test', via: 'http', nameStyle: 'colon' },
    ]);
  });

  it('[PB-ISO-1] [PB-PASS-1] gives two interleaved clients their own answers, progress, cancellation and notices', async () => {
    const { router, calls } = createHeldRouter();
    const { base, store } = await hub({ router });
    const one = await connect(base);
    const two = await connect(base);
    const progress: string[] = [];
    const call = (who: string, { client }: { client: Client }, signal?: AbortSignal) =>
      client.callTool({ name: 'files__read', arguments: { who } }, undefined, {
        onprogress: ({ message }) => void progress.push(`${who} heard ${message}`),
        ...(signal === undefined ? {} : { signal }),
      });
    const stop = new AbortController();
    const answers = [call('one', one), call('two', two)];
    const cancelled = call('stopped', one, stop.signal).catch(() => 'cancelled');
    await until('all calls', () => calls.length === 3);
    const whoOf = ({ params }: HeldCall) => (params.arguments as { who: string }).who;
    stop.abort();
    const stopped = calls.find((it) => whoOf(it) === 'stopped');
    await until('the abort', () => stopped?.call.aborted === true);
    for (const held of [...calls].reverse()) {
      const { progressToken } = held.params._meta as { progressToken: number };
      held.call.onProgress(progressOf({ progressToken, progress: 1, message: whoOf(held) }));
      held.answer({ content: [{ type: 'text', text: whoOf(held) }] });
    }
    expect((await Promise.all(answers)).map(({ content }) => content)).toMatchObject([
      [{ text: 'one' }],
      [{ text: 'two' }],
    ]);
    expect(await cancelled).toBe('cancelled');
    expect(progress.sort()).toEqual(['one heard one', 'two heard two']);

    const changed = new Promise<void>((resolve) => {
      one.client.fallbackNotificationHandler = async ({ method }) => {
        if (method === 'notifications/tools/list_changed') resolve();
      };
    });
    store.setListing('files', offerOf('read', 'write'));
    await changed;
  });

  it('[NFR-R4] answers calls in progress when the hub closes', async () => {
    const { router, calls } = createHeldRouter();
    const { base, sessions, endpoint } = await hub({ router });
    const { client } = await connect(base);
    const outcome = client.callTool({ name: 'files__read' }).catch((error: unknown) => error);
    await until('the call', () => calls.length === 1);
    await sessions.close();
    await endpoint.close();
    expect(await outcome).toMatchObject({ data: { code: 'call.outcome_unknown' } });
  });

  it('[PB-SAFE-2] requires the token, and says how', async () => {
    const { base } = await hub();
    const answers = await Promise.all(
      ['', 'Bearer wrong', `Basic ${token}`, `Bearer ${token}x`].map((authorization) =>
        raw(base, '/mcp', { method: 'POST', headers: { ...posting, authorization } }, initialize),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect(answers[0]?.headers['www-authenticate']).toBe('Bearer realm="patchbay"');
    expect(answers[1]?.headers['www-authenticate']).toContain('invalid_token');
  });

  it.each(['', 'Bearer Bearer ', 'bearer  '])(
    '[NFR-R3] knows the token behind %j, as clients write it whose settings ask for a header',
    async (scheme) => {
      const { base } = await hub();
      const headers = { ...posting, authorization: `${scheme}${token}` };
      const { status } = await raw(base, '/mcp', { method: 'POST', headers }, initialize);
      expect(status).toBe(200);
    },
  );

  it('[PB-SAFE-2] refuses a second Host header, also on a connection that was let in', async () => {
    const { endpoint } = await hub();
    const own = `Host: 127.0.0.1:${endpoint.port}\r\n`;
    const socket = connectTo(endpoint.port ?? 0, '127.0.0.1');
    let answers = '';
    socket.setEncoding('utf8').on('data', (text) => {
      answers += text;
    });
    socket.write(
      `GET /healthz HTTP/1.1\r\n${own}\r\nGET /healthz HTTP/1.1\r\n${own}host: evil.example\r\n\r\n`,
    );
    await expect.poll(() => answers.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 403']);
    socket.destroy();
  });

  describe('without a Host', () => {
    const withToken = `Content-Type: application/json\r\nAuthorization: Bearer ${token}\r\n`;
    const post = (version: string, headers: string) =>
      `POST /mcp HTTP/${version}\r\n${headers}Content-Length: ${initialize.length}\r\n\r\n${initialize}`;

    /** Returns the status of each answer. */
    async function ask(text: string, count = 1) {
      const { endpoint } = await hub();
      const socket = connectTo(endpoint.port ?? 0, '127.0.0.1');
      let answers = '';
      socket.setEncoding('utf8').on('data', (part) => {
        answers += part;
      });
      socket.write(text);
      const statuses = () => [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
      await expect.poll(() => statuses().length).toBe(count);
      socket.destroy();
      return statuses();
    }

    it('[NFR-R3] lets in a program that speaks HTTP/1.0, but not without the token', async () => {
      expect(await ask(post('1.0', withToken))).toEqual(['200']);
      expect(await ask(post('1.0', 'Content-Type: application/json\r\n'))).toEqual(['401']);
      expect(await ask(post('1.0', withToken.replace(token, 'wrong')))).toEqual(['401']);
    });

    it.each([
      ['HTTP/1.1', '1.1', ''],
      ['HTTP/1.0 with an empty Host', '1.0', 'Host:\r\n'],
      ['HTTP/1.0 with a foreign Host', '1.0', 'Host: evil.example\r\n'],
      ['HTTP/1.0 with an Origin', '1.0', 'Origin: http://127.0.0.1\r\n'],
      ['HTTP/1.0 with a foreign Origin', '1.0', 'Origin: https://evil.example\r\n'],
    ])('[PB-SAFE-2] refuses %s', async (_what, version, more) => {
      expect(await ask(post(version, `${more}${withToken}`))).toEqual(['403']);
    });

    it('[PB-SAFE-2] refuses HTTP/1.1 on a connection that HTTP/1.0 was let in on', async () => {
      const first = post('1.0', `Connection: keep-alive\r\n${withToken}`);
      expect(await ask(`${first}${post('1.1', withToken)}`, 2)).toEqual(['200', '403']);
    });
  });

  it.each([
    ['a foreign Host', { host: 'evil.example:PORT' }],
    ['a Host that only begins like this machine', { host: 'localhost.evil.example:PORT' }],
    ['another port', { host: '127.0.0.1:1' }],
    ['a Host that only begins like that of a container', { host: 'host.docker.internal.evil.example:PORT' }],
    ['another name of that domain', { host: 'evil.docker.internal:PORT' }],
    ['a Host with two final dots', { host: 'localhost..:PORT' }],
    ['an empty Host', { host: '.:PORT' }],
    ['a page served under the name for containers', { origin: 'http://host.docker.internal:PORT' }],
    ['a foreign Origin', { origin: 'https://evil.example' }],
    ['an opaque Origin', { origin: 'null' }],
  ])('[PB-SAFE-2] refuses %s', async (_what, headers: Readonly<Record<string, string>>) => {
    const { base, endpoint } = await hub();
    const filled = Object.entries(headers).map(([name, value]) => [
      name,
      value.replace('PORT', `${endpoint.port}`),
    ]);
    const options = { method: 'POST', headers: { ...posting, ...Object.fromEntries(filled) } };
    expect((await raw(base, '/mcp', options, initialize)).status).toBe(403);
    expect((await raw(base, '/healthz', options)).status).toBe(403);
  });

  it('[PB-SAFE-2] [NFR-R3] says which Host it refused, and which to use instead', async () => {
    const { base, endpoint } = await hub();
    const headers = { ...posting, host: 'patchbay.example' };
    const { body } = await raw(base, '/mcp', { method: 'POST', headers }, initialize);
    expect(JSON.parse(body)).toMatchObject({
      error: {
        message: `The Host "patchbay.example" is not this machine; connect to 127.0.0.1:${endpoint.port}, or to host.docker.internal:${endpoint.port} from a container`,
      },
    });
  });

  it.each([
    'host.docker.internal',
    'gateway.docker.internal',
    'host.containers.internal',
    'host.orb.internal',
    'host.lima.internal',
    'host.rancher-desktop.internal',
    'host.minikube.internal',
    'host.docker.internal.',
    'localhost.',
    'Localhost',
  ])('[NFR-R3] lets in %s, with its port or without, but not without the token', async (name) => {
    const { base, endpoint } = await hub();
    for (const host of [name, `${name}:${endpoint.port}`]) {
      const headers = { ...posting, host };
      expect((await raw(base, '/mcp', { method: 'POST', headers }, initialize)).status).toBe(200);
      const stranger = { ...headers, authorization: 'Bearer wrong' };
      expect((await raw(base, '/mcp', { method: 'POST', headers: stranger }, initialize)).status).toBe(401);
    }
  });

  it('[PB-SAFE-2] lets in what names this machine, and listens on 127.0.0.1 only', async () => {
    const { base, endpoint } = await hub();
    for (const host of ['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST']) {
      const headers = { ...posting, host: `${host}:${endpoint.port}`, origin: 'http://localhost:3000' };
      expect((await raw(base, '/mcp', { method: 'POST', headers }, initialize)).status).toBe(200);
    }
    await expect(raw(`http://[::1]:${endpoint.port}`, '/healthz', {})).rejects.toThrow();
  });

  it('[PB-SAFE-2] [PB-ISO-1] checks each request on an admitted connection, whichever header differs', async () => {
    const { base } = await hub({ maxBodyBytes: 1_000 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    opened.push({ close: async () => agent.destroy() });
    const post = (headers: Readonly<Record<string, string>>, body: string, path = '/mcp') =>
      raw(base, path, { method: 'POST', agent, headers: { ...posting, ...headers } }, body);
    const session = String((await post({}, initialize)).headers['mcp-session-id']);
    const ping = (headers: Readonly<Record<string, string>> = {}, path = '/mcp', id = 2) =>
      post({ 'mcp-session-id': session, ...headers }, `{"jsonrpc":"2.0","id":${id},"method":"ping"}`, path);
    const statuses = async (...asked: (() => Promise<RawAnswer>)[]) => {
      const found: number[] = [];
      for (const ask of asked) found.push((await ask()).status, (await ping()).status);
      return found;
    };
    expect(
      await statuses(
        () => ping({}, '/mcp', 12_345),
        () => ping({ host: 'evil.example' }),
        () => ping({ origin: 'https://evil.example' }),
        () => ping({ authorization: 'Bearer wrong' }),
        () => ping({ 'mcp-session-id': 'another' }),
        () => ping({ 'mcp-protocol-version': '1999-01-01' }),
        () => ping({}, '/mcp/servers/files'),
        () => ping({ accept: 'text/html' }),
        () => post({ 'mcp-session-id': session }, 'x'.repeat(200)),
      ),
    ).toEqual([200, 403, 403, 401, 404, 400, 404, 406, 400].flatMap((status) => [status, 200]));
    expect((await post({ 'mcp-session-id': session }, 'x'.repeat(2_000))).status).toBe(413);
  });

  it('[FR-012] answers an unknown session with 404, and lets it initialize again', async () => {
    const { base, sessions } = await hub();
    const stale = { ...posting, 'mcp-session-id': 'long-gone' };
    const list = JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/list' });
    const lost = await raw(base, '/mcp', { method: 'POST', headers: stale }, list);
    expect(lost.status).toBe(404);
    expect(JSON.parse(lost.body)).toMatchObject({ id: 5, error: { message: 'Session not found' } });
    for (const method of ['GET', 'DELETE']) {
      expect((await raw(base, '/mcp', { method, headers: stale })).status).toBe(404);
      expect((await raw(base, '/mcp', { method, headers: posting })).status).toBe(400);
    }
    expect((await raw(base, '/mcp', { method: 'POST', headers: stale }, initialize)).status).toBe(200);
    expect(sessions.views()).toHaveLength(1);
  });

  it('[PB-PASS-1] serves one server under its own names, each session at its own address only', async () => {
    const { base } = await hub();
    const { client, transport } = await connect(base, '', '/servers/files');
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['read']);
    const other = { method: 'GET', headers: { ...posting, 'mcp-session-id': transport.sessionId } };
    for (const path of ['/mcp', '/mcp/servers/notes']) {
      expect((await raw(base, path, other)).status, path).toBe(404);
    }
  });

  it('[PB-PASS-1] answers for a server that does not exist with 404 and a JSON-RPC error', async () => {
    const { base } = await hub();
    for (const key of ['none', 'a%20b%2Fc', '%']) {
      const { status, body } = await raw(
        base,
        `/mcp/servers/${key}`,
        { method: 'POST', headers: posting },
        initialize,
      );
      expect([status, JSON.parse(body)], key).toMatchObject([
        404,
        { jsonrpc: '2.0', error: { code: -32600 } },
      ]);
    }
  });

  it('[PB-PASS-1] refuses a batch, except from a client of the one revision that has them', async () => {
    const { base } = await hub();
    const { transport } = await connect(base);
    const batch = JSON.stringify([1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' })));
    const send = (revision: string) => {
      const session = { 'mcp-session-id': transport.sessionId, 'mcp-protocol-version': revision };
      return raw(base, '/mcp', { method: 'POST', headers: { ...posting, ...session } }, batch);
    };
    const refused = await send('2025-11-25');
    expect([refused.status, JSON.parse(refused.body)]).toMatchObject([400, { error: { code: -32600 } }]);
    const taken = await send('2025-03-26');
    expect(taken.body.match(/"result":{}/g)).toHaveLength(2);
  });

  it('[PB-PASS-1] begins another session for a client that initializes again in its old one', async () => {
    const { base, sessions } = await hub();
    const post = (headers: object, body: string, path = '/mcp') =>
      raw(base, path, { method: 'POST', headers: { ...posting, ...headers } }, body);
    const first = await post({}, initialize);
    const second = await post({ 'mcp-session-id': first.headers['mcp-session-id'] }, initialize);
    expect([first.status, second.status, sessions.views().length]).toEqual([200, 200, 2]);
    for (const { headers } of [first, second]) {
      const session = { 'mcp-session-id': headers['mcp-session-id'] };
      const ping = '{"jsonrpc":"2.0","id":0.7312345,"method":"ping"}';
      for (const path of ['//mcp', '/mcp//'])
        expect((await post(session, ping, path)).body.trim()).toBe(
          '{"jsonrpc":"2.0","id":0.7312345,"result":{}}',
        );
    }
  });

  it('[FR-012] ends a session on DELETE', async () => {
    const { base, sessions } = await hub();
    const { client, transport } = await connect(base);
    const id = transport.sessionId;
    await transport.terminateSession();
    expect(sessions.views()).toEqual([]);
    await client.close();
    const headers = { ...posting, 'mcp-session-id': id };
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect((await raw(base, '/mcp', { method: 'POST', headers }, ping)).status).toBe(404);
  });

  it('[NFR-R4] answers a call in progress before its session ends on DELETE', async () => {
    const { router, calls } = createHeldRouter();
    const { base } = await hub({ router });
    const { transport } = await connect(base);
    const headers = { ...posting, 'mcp-session-id': transport.sessionId ?? '' };
    const message = { jsonrpc: '2.0', id: 'c', method: 'tools/call', params: { name: 'files__read' } };
    const call = raw(base, '/mcp', { method: 'POST', headers }, JSON.stringify(message));
    await until('the call', () => calls.length === 1);
    expect((await raw(base, '/mcp', { method: 'DELETE', headers })).status).toBe(200);
    const { status, body } = await call;
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ id: 'c', error: { data: { code: 'call.outcome_unknown' } } });
    expect(body).toContain('The client ended its session');
  });

  it('[FR-012] answers a probe of the stateless protocol and other requests without a session with an error', async () => {
    const { base, sessions } = await hub();
    const ask = async (body: string, headers: Record<string, string> = posting) => {
      const { status, body: text } = await raw(base, '/mcp', { method: 'POST', headers }, body);
      return { status, error: JSON.parse(text).error.code };
    };
    const probe = JSON.stringify({ jsonrpc: '2.0', id: 'p', method: 'server/discover', params: {} });
    expect(await ask(probe)).toEqual({ status: 400, error: -32601 });
    expect(await ask(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }))).toEqual({
      status: 400,
      error: -32600,
    });
    expect(await ask('{"broken"')).toEqual({ status: 400, error: -32700 });
    expect((await ask(initialize, { ...posting, accept: 'text/html' })).status).toBe(406);
    expect((await raw(base, '/mcp', { method: 'PUT', headers: posting })).status).toBe(405);
    expect((await raw(base, '/other', { headers: posting })).status).toBe(404);
    expect((await raw(base, '/mcp?names=raw', { method: 'POST', headers: posting }, initialize)).status).toBe(
      400,
    );
    expect(sessions.views()).toEqual([]);
  });

  it('[PB-HEAD-1] reports on /healthz that it is up, without a token', async () => {
    const { base } = await hub();
    const { status, body } = await raw(base, '/healthz', {});
    expect([status, JSON.parse(body)]).toEqual([200, { status: 'ok', version: '1.2.3' }]);
    for (const method of ['PUT', 'POST', 'DELETE'])
      expect((await raw(base, '/healthz', { method })).status).toBe(405);
    const root = await raw(base, '/', {});
    expect([root.status, root.body]).toEqual([404, expect.stringContaining('/docs')]);
  });

  it('[PB-SAFE-2] answers OPTIONS without a token, and lets no page from another origin read it', async () => {
    const { base } = await hub();
    for (const path of ['/mcp', '/mcp/', '/mcp/servers/files', '/healthz/']) {
      const { status, headers } = await raw(base, path, { method: 'OPTIONS' });
      expect([status, headers.allow]).toEqual([204, expect.stringMatching(/^GET, .*OPTIONS$/)]);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    const headers = { origin: 'https://example.com', 'access-control-request-method': 'POST' };
    expect((await raw(base, '/mcp', { method: 'OPTIONS', headers })).status).toBe(403);
    expect((await raw(base, '/other', { method: 'OPTIONS' })).status).toBe(404);
  });

  it('[PB-PASS-1] ignores a trailing slash', async () => {
    const { base } = await hub();
    for (const path of ['/mcp/', '/mcp/servers/files/', '/mcp/?names=dot']) {
      const { status } = await raw(base, path, { method: 'POST', headers: posting }, initialize);
      expect([path, status]).toEqual([path, 200]);
    }
    expect((await raw(base, '/healthz/', {})).status).toBe(200);
  });

  it('[PB-SAFE-2] refuses a body over the limit, with or without a declared length', async () => {
    const { base } = await hub({ maxBodyBytes: 1_000 });
    const body = Buffer.alloc(5_000, 'x');
    const told = await raw(
      base,
      '/mcp',
      { method: 'POST', headers: { ...posting, 'content-length': 5_000 } },
      body,
    );
    expect(told.status).toBe(413);
    const headers = { ...posting, 'transfer-encoding': 'chunked' };
    expect((await raw(base, '/mcp', { method: 'POST', headers }, body)).status).toBe(413);
  });

  it('[EDGE-1] refuses a request that comes from one of its own servers', async () => {
    const { base } = await hub();
    const headers = { ...posting, 'patchbay-ancestors': extendAncestors(undefined, 'hub test') };
    const { status, body } = await raw(base, '/mcp', { method: 'POST', headers }, initialize);
    expect(status).toBe(403);
    expect(JSON.parse(body)).toMatchObject({ id: 1, error: { data: { code: 'server.loop' } } });
  });

  it('[PB-ISO-1] sweeps idle sessions, keeps those with an open stream, and bounds their number', async () => {
    const clock = new FakeClock();
    const { base, sessions } = await hub({
      clock,
      limits: { maxSessions: 2, idleMs: 1_000, maxAgeMs: 60_000 },
    });
    const begin = () => raw(base, '/mcp', { method: 'POST', headers: posting }, initialize);
    const { client, stream } = await connect(base);
    await stream;
    await begin();
    expect(sessions.views()).toHaveLength(2);
    expect((await begin()).status).toBe(200);
    expect(sessions.views().map(({ name }) => name)).toEqual(['test', 'raw']);
    await clock.advance(2_500);
    await until('the sweep', () => sessions.views().length === 1);
    expect(await toolNames(client)).toHaveLength(2);
    await (await connect(base)).stream;
    const refused = await begin();
    expect(refused.status).toBe(503);
    const data = { code: 'call.queue_full', fix: expect.stringContaining('try again in a minute') };
    expect(JSON.parse(refused.body)).toMatchObject({ id: 1, error: { code: -32603, data } });
  });

  it('[PB-HEAD-1] names a taken port, and keeps serving the old one', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    opened.push({ close: () => new Promise((resolve) => other.close(resolve)) });
    const taken = (other.address() as AddressInfo).port;
    const { base, endpoint } = await hub();
    await expect(endpoint.listen(taken)).rejects.toMatchObject({ problem: { code: 'hub.port_in_use' } });
    expect((await raw(base, '/healthz', {})).status).toBe(200);
  });

  it('[PB-HEAD-1] moves to another port and takes its sessions along', async () => {
    const { base, endpoint, sessions } = await hub();
    const { transport } = await connect(base);
    await endpoint.listen(0);
    const moved = `http://127.0.0.1:${endpoint.port}`;
    const headers = {
      ...posting,
      'mcp-session-id': transport.sessionId,
      'mcp-protocol-version': '2025-11-25',
    };
    const list = JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/list' });
    const { status, body } = await raw(moved, '/mcp', { method: 'POST', headers }, list);
    expect([status, body]).toEqual([200, expect.stringContaining('files__read')]);
    expect(sessions.views()).toHaveLength(1);
  });
});
