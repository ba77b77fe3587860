import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ServerConfig } from '../../../../../../electron/engine/servers/server-config.ts';
import { ancestorsHeader, readAncestors } from '../../../../../../shared/model/server/loop.ts';
import { httpServer, readJson, sendJson } from '../../../../../helper/http-server.ts';
import { harness } from '../../harness.ts';

const token = 'secret-token-value';

/**
 * Minimal MCP server over Streamable HTTP that requires a token, and answers `headers` with the headers it
 * received.
 */
async function remoteServer(port = 0) {
  const server = createServer((request, response) => void answer(request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${address.port}/mcp`, port: address.port, close };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.headers.authorization !== `Bearer ${token}`) {
    response.writeHead(401).end();
    return;
  }
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'remote', version: '1' },
    },
    headers: request.headers,
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
}

function remoteOrder(url: string, authorization = `Bearer ${token}`): ServerConfig {
  const value = {
    kind: 'http',
    protocol: 'legacy',
    explicit: true,
    url,
    headers: { authorization },
  } as const;
  return {
    key: 'r',
    enabled: true,
    restart: 'always',
    target: { ok: true, value },
    fingerprint: JSON.stringify(value),
    display: url,
  };
}

describe('a remote server', () => {
  it('is connected with its headers, and with the hubs above it, since it runs on this machine', async () => {
    await using h = harness();
    const remote = await remoteServer();
    try {
      h.supervisor.apply([remoteOrder(remote.url)]);
      const { connection, pid } = await h.until('r', 'connected');
      expect(pid).toBeUndefined();
      expect(connection.handshake.serverInfo).toMatchObject({ name: 'remote' });
      const headers = (await connection.request('headers').result) as Record<string, string>;
      expect(headers['mcp-protocol-version']).toBe('2025-11-25');
      expect(readAncestors(headers[ancestorsHeader])).toEqual([h.instanceId]);
    } finally {
      await remote.close();
    }
  });

  it('needs another key when it refuses the one in its entry', async () => {
    await using h = harness();
    const remote = await remoteServer();
    try {
      h.supervisor.apply([remoteOrder(remote.url, 'Bearer wrong-token-value')]);
      const { problem } = await h.until('r', 'needs-auth');
      expect(problem.code).toBe('server.key_refused');
      expect(JSON.stringify(problem)).not.toContain('wrong-token-value');
      h.supervisor.apply([remoteOrder(remote.url)]);
      await h.until('r', 'connected');
    } finally {
      await remote.close();
    }
  });

  it('[NFR-SEC1] is signed in to with the login in its URL, which nothing shows', async () => {
    await using h = harness();
    const logins: (string | undefined)[] = [];
    await using remote = await httpServer((request, response) => {
      logins.push(request.headers.authorization);
      sendJson(response, 500, {});
    });
    const url = remote.url.replace('http://', 'http://ann:hush-one@');
    const value = { kind: 'http', protocol: 'legacy', explicit: true, url, headers: {} } as const;
    h.supervisor.apply([
      { key: 'r', enabled: true, restart: 'always', target: { ok: true, value }, fingerprint: 'a' },
    ]);
    const { problem } = await h.until('r', 'disconnected', (state) => state.problem !== undefined);
    expect(logins[0]).toBe(`Basic ${Buffer.from('ann:hush-one').toString('base64')}`);
    expect(JSON.stringify([problem, h.supervisor.servers.get('r')?.log.lines])).not.toContain('hush');
  });

  it('[NFR-SEC1] is in error with a header that cannot be sent, without its value', async () => {
    await using h = harness();
    h.supervisor.apply([remoteOrder('http://127.0.0.1:9/mcp', 'Bearer hush-one\nhush-two')]);
    const { problem } = await h.until('r', 'error');
    expect(problem.code).toBe('config.invalid_schema');
    expect(JSON.stringify([problem, h.supervisor.servers.get('r')?.log.lines])).not.toContain('hush');
  });

  it('[NFR-R2] is retried until it answers', async () => {
    await using h = harness();
    const { url, port, close } = await remoteServer();
    await close();
    h.supervisor.apply([remoteOrder(url)]);
    const { problem } = await h.until('r', 'disconnected', (state) => state.nextTryAt !== undefined);
    expect(problem?.code).toBe('server.unreachable');
    const remote = await remoteServer(port);
    try {
      await h.until('r', 'connected');
    } finally {
      await remote.close();
    }
  });

  it('[NFR-R2] [NFR-R4] begins a new session when the server has forgotten its own, unnoticed by calls', async () => {
    await using h = harness();
    await using remote = await forgetfulServer();
    h.supervisor.apply([remoteOrder(remote.url)]);
    const { connection } = await h.until('r', 'connected');
    expect(await Promise.all([connection.request('who').result])).toEqual([{ session: 'session 1' }]);
    remote.forget();
    const refused = await Promise.allSettled([
      connection.request('who').result,
      connection.request('who').result,
    ]);
    for (const outcome of refused) expect(outcome).toMatchObject({ reason: { sent: false } });
    // A retry asks for the connection immediately, and gets the next one.
    const next = await h.supervisor.servers.get('r')?.connection(5000);
    expect(next).not.toBe(connection);
    expect(await next?.request('who').result).toEqual({ session: 'session 2' });
    expect(remote.sessions()).toBe(2);
    expect(h.history).toEqual([
      'r connecting',
      'r connected',
      'r disconnected',
      'r connecting',
      'r connected',
    ]);
  });
});

/** Starts a server with sessions that it can forget, like a restarted one. */
async function forgetfulServer() {
  let count = 0;
  let current = '';
  const server = await httpServer(async (request, response) => {
    if (request.method !== 'POST') return sendJson(response, request.method === 'GET' ? 405 : 200);
    const body = (await readJson(request)) as { id?: number; method: string };
    const session = request.headers['mcp-session-id'];
    if (body.method === 'initialize') {
      count += 1;
      current = `session ${count}`;
    } else if (session !== current) return sendJson(response, 404);
    if (body.id === undefined) return sendJson(response, 202);
    const greeting = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      serverInfo: { name: 'forgetful', version: '1' },
    };
    const result = body.method === 'initialize' ? greeting : { session };
    sendJson(response, 200, { jsonrpc: '2.0', id: body.id, result }, { 'mcp-session-id': current });
  });
  return {
    url: server.url,
    sessions: () => count,
    forget: () => {
      current = '';
    },
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

describe('[NFR-R1] a remote server that supports older versions only', () => {
  const refusalData = { supported: ['2025-06-18', '2025-03-26'], requested: '2025-11-25' };
  const error = { code: -32602, message: 'Unsupported protocol version', data: refusalData };
  const sentence = 'Unsupported protocol version (supported versions: 2025-06-18, 2025-03-26)';

  it.each([
    ['an answer under its id', 200, (id: number) => JSON.stringify({ jsonrpc: '2.0', id, error })],
    [
      'HTTP 400 and an answer under its id',
      400,
      (id: number) => JSON.stringify({ jsonrpc: '2.0', id, error }),
    ],
    ['HTTP 400 and an answer without an id', 400, () => JSON.stringify({ jsonrpc: '2.0', id: null, error })],
    ['HTTP 400 and a sentence', 400, () => sentence],
    ['HTTP 400 and JSON of its own', 400, () => JSON.stringify({ error: sentence })],
    ['HTTP 422 and a sentence', 422, () => sentence],
    ['HTTP 500 and an answer', 500, () => JSON.stringify({ jsonrpc: '2.0', error })],
  ])('is asked for one after %s', async (_what, status, bodyFor) => {
    for (const explicit of [true, false]) {
      await using h = harness();
      const asked: unknown[] = [];
      await using remote = await httpServer(async (request, response) => {
        if (request.method !== 'POST') return sendJson(response, 405);
        const { id, method, params } = (await readJson(request)) as {
          id?: number;
          method: string;
          params?: { protocolVersion?: string };
        };
        const version = params?.protocolVersion;
        asked.push([method, version ?? request.headers['mcp-protocol-version']]);
        if (id === undefined) return sendJson(response, 202);
        if (method === 'initialize' && version !== '2025-06-18') {
          response.writeHead(status).end(bodyFor(id));
          return;
        }
        const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: {} };
        sendJson(response, 200, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': 's' });
      });
      const value = { kind: 'http', protocol: 'legacy', explicit, url: remote.url, headers: {} } as const;
      h.supervisor.apply([
        { key: 'r', enabled: true, restart: 'always', target: { ok: true, value }, fingerprint: 'a' },
      ]);
      const { connection } = await h.until('r', 'connected');
      expect(connection.handshake).toMatchObject({ protocolVersion: '2025-06-18' });
      await connection.request('ping').result;
      expect(asked).toEqual([
        ['initialize', '2025-11-25'],
        ['initialize', '2025-06-18'],
        ['notifications/initialized', '2025-06-18'],
        ['ping', '2025-06-18'],
      ]);
    }
  });

  it('may agree to any version and refuse the newest as a header, which is then left out', async () => {
    await using h = harness();
    const stated: unknown[] = [];
    await using remote = await httpServer(async (request, response) => {
      if (request.method !== 'POST') return sendJson(response, 405);
      const { id, method, params } = (await readJson(request)) as {
        id?: number;
        method: string;
        params?: { protocolVersion?: string };
      };
      const header = request.headers['mcp-protocol-version'];
      stated.push([method, header]);
      if (header === '2025-11-25') return sendJson(response, 400, { error: sentence });
      if (id === undefined) return sendJson(response, 202);
      const result = { protocolVersion: params?.protocolVersion, capabilities: {}, serverInfo: {} };
      sendJson(response, 200, { jsonrpc: '2.0', id, result });
    });
    h.supervisor.apply([remoteOrder(remote.url)]);
    const { connection } = await h.until('r', 'connected');
    await connection.request('ping').result;
    expect(connection.handshake.warnings).toBeUndefined();
    expect(stated).toEqual([
      ['initialize', undefined],
      ['notifications/initialized', '2025-11-25'],
      ['notifications/initialized', undefined],
      ['ping', undefined],
    ]);
  });

  /** Answers requests that state the version as `refuse` says; accepts all notifications. */
  async function headerServer(refuse: (method: string) => { status: number; body: object } | undefined) {
    const stated: [string, unknown][] = [];
    const server = await httpServer(async (request, response) => {
      if (request.method !== 'POST') return sendJson(response, 405);
      const { id, method, params } = (await readJson(request)) as {
        id?: number;
        method: string;
        params?: { protocolVersion?: string };
      };
      const header = request.headers['mcp-protocol-version'];
      stated.push([method, header]);
      if (id === undefined) return sendJson(response, 202);
      const refusal = header === undefined ? undefined : refuse(method);
      if (refusal !== undefined) return sendJson(response, refusal.status, refusal.body);
      const result = { protocolVersion: params?.protocolVersion, capabilities: {}, serverInfo: {} };
      sendJson(response, 200, { jsonrpc: '2.0', id, result });
    });
    return { url: server.url, stated, [Symbol.asyncDispose]: () => server.stop() };
  }

  it.each(['ping', 'tools/list', 'tools/call'])(
    'may accept notifications with the header and refuse requests because of it, the first being %s',
    async (first) => {
      await using h = harness();
      const body = { jsonrpc: '2.0', id: null, error: { code: -32000, message: `Bad Request: ${sentence}` } };
      await using remote = await headerServer(() => ({ status: 400, body }));
      h.supervisor.apply([remoteOrder(remote.url)]);
      const { connection } = await h.until('r', 'connected');
      await connection.request(first).result;
      await connection.request('tools/call').result;
      expect(remote.stated).toEqual([
        ['initialize', undefined],
        ['notifications/initialized', '2025-11-25'],
        [first, '2025-11-25'],
        [first, undefined],
        ['tools/call', undefined],
      ]);
    },
  );

  it.each([
    ['that are not about the version', 'tools/call', { error: 'No wind today' }, []],
    ['after it took one with the header', 'tools/call', { error: sentence }, ['tools/list']],
  ])('is not sent a call again after refusals %s', async (_what, method, body, before) => {
    await using h = harness();
    await using remote = await headerServer((asked) =>
      asked === method ? { status: 400, body } : undefined,
    );
    h.supervisor.apply([remoteOrder(remote.url)]);
    const { connection } = await h.until('r', 'connected');
    for (const earlier of before) await connection.request(earlier).result;
    await expect(connection.request(method).result).rejects.toThrow(body.error);
    expect(remote.stated.filter(([asked]) => asked === method)).toEqual([[method, '2025-11-25']]);
  });

  it.each([
    [400, 'Unsupported protocol version'],
    [406, 'MCP-Protocol-Version not acceptable'],
    [426, 'Unknown protocolVersion'],
    [500, 'unknown protocol version 2025-11-25'],
    [505, 'Bad protocol_version'],
  ])('is asked for older ones, refusing with HTTP %s and no list: %s', async (status, words) => {
    await using h = harness();
    await using remote = await httpServer(async (request, response) => {
      const body = (await readJson(request)) as
        | { id?: number; method: string; params: { protocolVersion: string } }
        | undefined;
      if (body?.id === undefined) return sendJson(response, request.method === 'GET' ? 405 : 202);
      const { protocolVersion } = body.params;
      if (protocolVersion > '2024-11-05') return sendJson(response, status, { message: words });
      const result = { protocolVersion, capabilities: {}, serverInfo: {} };
      sendJson(response, 200, { jsonrpc: '2.0', id: body.id, result });
    });
    h.supervisor.apply([remoteOrder(remote.url)]);
    const { connection } = await h.until('r', 'connected');
    expect(connection.handshake.protocolVersion).toBe('2024-11-05');
    expect(connection.handshake.warnings).toBeUndefined();
    expect(h.history).toEqual(['r connecting', 'r connected']);
  });

  it("[US1.6] shows the server's message if nothing helps", async () => {
    await using h = harness();
    await using remote = await httpServer((_request, response) => {
      response.writeHead(400, { 'content-type': 'text/plain' }).end('Only 2019-01-01 is spoken here');
    });
    h.supervisor.apply([remoteOrder(remote.url)]);
    const { problem } = await h.until('r', 'disconnected', (state) => state.problem !== undefined);
    expect(problem?.sentence).toBe('The server answered with HTTP 400: Only 2019-01-01 is spoken here');
  });
});

describe('[US1.6] a remote server that answers initialize with HTTP 200 and an error', () => {
  async function refusing(message: string) {
    let asked = 0;
    const server = await httpServer(async (request, response) => {
      if (request.method !== 'POST') return sendJson(response, 405);
      const { id } = (await readJson(request)) as { id?: number };
      asked += 1;
      sendJson(response, 200, { jsonrpc: '2.0', id, error: { code: -32001, message } });
    });
    return { url: server.url, asked: () => asked, [Symbol.asyncDispose]: () => server.stop() };
  }
  const anonymous = (url: string): ServerConfig => {
    const value = { kind: 'http', protocol: 'legacy', explicit: true, url, headers: {} } as const;
    return { key: 'r', enabled: true, restart: 'always', target: { ok: true, value }, fingerprint: 'a' };
  };

  it.each([
    ['Unauthorized: missing API key in X-Kite-Key', 'X-Kite-Key: …'],
    ['Authentication required', 'Authorization: Bearer …'],
    ['API key is required', 'Authorization: Bearer …'],
  ])('that says "%s" needs a key, and is not retried without one', async (message, header) => {
    await using h = harness();
    await using remote = await refusing(message);
    h.supervisor.apply([anonymous(remote.url)]);
    const { problem } = await h.until('r', 'needs-auth');
    expect(problem.code).toBe('server.key_needed');
    expect(problem.evidence).toContainEqual({ label: 'header', value: header });
    expect(remote.asked()).toBe(1);
  });

  it('needs another key if one was sent', async () => {
    await using h = harness();
    await using remote = await refusing('Unauthorized');
    h.supervisor.apply([remoteOrder(remote.url)]);
    expect((await h.until('r', 'needs-auth')).problem.code).toBe('server.key_refused');
  });

  it.each(['Unexpected token in JSON, must be an object', 'Kite needs wind'])(
    'that is not about access is in error: %s',
    async (message) => {
      await using h = harness();
      await using remote = await refusing(message);
      h.supervisor.apply([anonymous(remote.url)]);
      expect((await h.until('r', 'error')).problem.code).toBe('server.handshake_failed');
    },
  );
});

describe('[NFR-R1] a remote server that refuses capabilities it does not know', () => {
  async function strictServer(status: number, type: string, body: string) {
    const asked: unknown[] = [];
    const server = await httpServer(async (request, response) => {
      if (request.method !== 'POST') return sendJson(response, 405);
      const { id, method, params } = (await readJson(request)) as {
        id?: number;
        method: string;
        params?: { protocolVersion: string; capabilities: object };
      };
      if (id === undefined) return sendJson(response, 202);
      if (method === 'initialize')
        asked.push([params?.protocolVersion, Object.keys(params?.capabilities ?? {})]);
      if (Object.keys(params?.capabilities ?? {}).length > 0) {
        response.writeHead(status, { 'content-type': type }).end(body);
        return;
      }
      const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} };
      sendJson(response, 200, { jsonrpc: '2.0', id, result });
    });
    return { url: server.url, asked, [Symbol.asyncDispose]: () => server.stop() };
  }
  const all = ['sampling', 'elicitation', 'roots', 'extensions'];

  it.each([
    [422, 'text/plain', 'Failed to deserialize: params.capabilities: unknown field `elicitation`'],
    [400, 'application/json', '{"message":"Invalid message format"}'],
    [400, 'text/html', '<title>Bad Request</title>'],
    [500, 'text/plain', 'Unrecognized field "elicitation"'],
    [500, 'application/json', '{"error":"JSON could not be deserialized"}'],
    [500, 'application/json', '{"status":500,"error":"Internal Server Error","path":"/mcp"}', true],
    [500, 'text/html', '<title>500 Internal Server Error</title>', true],
    [500, 'text/plain', '', true],
  ])(
    'by HTTP %s and %s is asked without capabilities in the same attempt: %s',
    async (status, type, body, mayPass = false) => {
      for (const explicit of [true, false]) {
        await using h = harness();
        await using remote = await strictServer(status, type, body);
        const value = { kind: 'http', protocol: 'legacy', explicit, url: remote.url, headers: {} } as const;
        h.supervisor.apply([
          { key: 'r', enabled: true, restart: 'always', target: { ok: true, value }, fingerprint: 'a' },
        ]);
        const { connection } = await h.until('r', 'connected');
        expect(remote.asked).toEqual([
          ['2025-11-25', all],
          ...(mayPass ? [['2025-11-25', all]] : []),
          ['2025-11-25', []],
        ]);
        expect(h.history).toEqual(['r connecting', 'r connected']);
        const refused =
          'The server refused the client capabilities (sampling, elicitation, roots, extensions), and is used without them.';
        expect(connection.handshake.warnings).toMatchObject([
          {
            sentence: refused,
            evidence: [{ label: 'it refused with', value: expect.stringMatching(/HTTP \d+|web page/) }],
          },
        ]);
      }
    },
  );

  it.each([401, 403, 405, 429, 502, 503])('is not suspected behind HTTP %s', async (status) => {
    await using h = harness();
    await using remote = await strictServer(status, 'text/plain', 'not now');
    h.supervisor.apply([remoteOrder(remote.url)]);
    await expect.poll(() => h.history.length).toBeGreaterThan(1);
    expect(remote.asked[0]).toEqual(['2025-11-25', all]);
    expect(remote.asked).not.toContainEqual(['2025-11-25', []]);
  });

  it.each([
    ['a web page', 'text/html', '<title>Internal error</title>'],
    [
      'a JSON-RPC error',
      'application/json',
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"no wind"}}',
    ],
  ])('is not one that fails once with HTTP 500 and %s', async (_what, type, body) => {
    await using h = harness();
    const asked: unknown[] = [];
    await using remote = await httpServer(async (request, response) => {
      const message = (await readJson(request)) as
        | { id?: number; method: string; params: { protocolVersion: string; capabilities: object } }
        | undefined;
      if (message?.id === undefined) return sendJson(response, request.method === 'GET' ? 405 : 202);
      const { protocolVersion, capabilities } = message.params;
      asked.push([protocolVersion, Object.keys(capabilities)]);
      if (asked.length === 1) {
        response.writeHead(500, { 'content-type': type }).end(body);
        return;
      }
      const result = { protocolVersion, capabilities: {}, serverInfo: {} };
      sendJson(response, 200, { jsonrpc: '2.0', id: message.id, result });
    });
    h.supervisor.apply([remoteOrder(remote.url)]);
    const { connection } = await h.until('r', 'connected');
    expect(asked).toEqual([
      ['2025-11-25', all],
      ['2025-11-25', all],
    ]);
    expect(connection.handshake.warnings).toBeUndefined();
    expect(h.history).toEqual(['r connecting', 'r connected']);
  });

  it('is reported with the first refusal if that does not help', async () => {
    await using h = harness();
    let times = 0;
    await using remote = await httpServer((_request, response) => {
      times += 1;
      sendJson(response, 422, { detail: `no kite ${times}` });
    });
    h.supervisor.apply([remoteOrder(remote.url)]);
    const { problem } = await h.until('r', 'disconnected', (state) => state.problem !== undefined);
    expect(problem?.sentence).toBe('The server answered with HTTP 422: no kite 1');
  });
});

describe('[NFR-R1] a remote server that refuses a notification', () => {
  it('is connected, with a warning that names it', async () => {
    await using h = harness();
    await using remote = await httpServer(async (request, response) => {
      const body = (await readJson(request)) as { id?: number; method: string } | undefined;
      if (body?.id === undefined) return sendJson(response, 400, { message: 'Validation failed' });
      const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} };
      sendJson(response, 200, { jsonrpc: '2.0', id: body.id, result });
    });
    h.supervisor.apply([remoteOrder(remote.url)]);
    const { connection } = await h.until('r', 'connected');
    expect(connection.handshake.warnings).toMatchObject([
      {
        code: 'server.nonconforming',
        sentence:
          'The server refused notifications/initialized, but is used anyway. The server answered with HTTP 400: Validation failed',
      },
    ]);
  });
});

describe('[NFR-R2] one call that a server refuses as if it had lost the session', () => {
  it('costs one new session, not one for each call', async () => {
    await using h = harness();
    let sessions = 0;
    await using remote = await httpServer(async (request, response) => {
      const body = (await readJson(request)) as { id?: number; method: string } | undefined;
      if (body?.id === undefined) return sendJson(response, request.method === 'GET' ? 405 : 202);
      if (body.method === 'gone') return sendJson(response, 404, { error: 'No such thing' });
      if (body.method === 'initialize') sessions += 1;
      const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} };
      sendJson(response, 200, { jsonrpc: '2.0', id: body.id, result }, { 'mcp-session-id': `s${sessions}` });
    });
    h.supervisor.apply([remoteOrder(remote.url)]);
    const first = await h.until('r', 'connected');
    await expect(first.connection.request('gone').result).rejects.toMatchObject({ sent: false });
    const next = await h.supervisor.servers.get('r')?.connection(5000);
    await next?.request('tools/list').result;
    for (let call = 0; call < 3; call += 1) {
      await expect(next?.request('gone').result).rejects.toThrow(
        'The server answered with HTTP 404: No such thing',
      );
    }
    expect(sessions).toBe(2);
  });
});
