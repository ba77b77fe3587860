import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { describe, expect, it } from 'vitest';
import type { JsonRpcRequest } from '../../../../../electron/engine/jsonrpc/message.ts';
import { createPeer } from '../../../../../electron/engine/jsonrpc/peer.ts';
import type { Peer } from '../../../../../electron/engine/jsonrpc/peer-contract.ts';
import {
  createHttpClientTransport,
  type HttpClientTransport,
  type HttpClientTransportOptions,
} from '../../../../../electron/engine/transport/http-client/http-client-transport.ts';
import { createHttpServerTransport } from '../../../../../electron/engine/transport/http-server/http-server-transport.ts';
import { ProblemError } from '../../../../../shared/error/problem.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { beginEvents, httpServer, readJson, readPosted, sendJson } from '../../../../helper/http-server.ts';
import { oddServer } from '../../../../helper/remote-peer.ts';

const secret = 'Bearer very-secret-token';
const initializeParams = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'patchbay', version: '1' },
};

interface Connected extends AsyncDisposable {
  readonly peer: Peer;
  readonly transport: HttpClientTransport;
  readonly events: unknown[];
}

async function connect(url: string, options: Partial<HttpClientTransportOptions> = {}): Promise<Connected> {
  const transport = createHttpClientTransport({
    url,
    headers: { authorization: secret },
    kind: 'http',
    isExplicit: false,
    ...options,
  });
  const events: unknown[] = [];
  const peer = createPeer(transport, {
    request: async ({ method }) => ({ answeredByClient: method }),
    notification: ({ method }) => events.push(method),
    closed: (reason) => events.push(reason),
  });
  await peer.start();
  return { peer, transport, events, [Symbol.asyncDispose]: () => peer.close() };
}

async function initialize({ peer, transport }: Connected): Promise<unknown> {
  const result = await peer.request('initialize', initializeParams).result;
  transport.setProtocolVersion('2025-06-18');
  await peer.notify('notifications/initialized');
  return result;
}

/**
 * Starts a hand-written server that answers every request with its method, so that a test can make it
 * misbehave.
 */
/** Starts the stream of a `long` call and ends it at once, so that it must be resumed. */
function beginsLong({ method }: JsonRpcRequest, response: ServerResponse): boolean {
  if (method !== 'long') return false;
  beginEvents(response);
  response.end('id: e1\nretry: 10\ndata: \n\n');
  return true;
}

/** Resumes it with the answer. */
function resumeLong(response: ServerResponse): void {
  beginEvents(response);
  response.end(event({ jsonrpc: '2.0', id: 2, result: { resumed: true } }, 'e2'));
}

function plainServer(
  misbehave: (body: JsonRpcRequest, request: IncomingMessage, response: ServerResponse) => boolean,
) {
  const seen: {
    method: string | undefined;
    body: JsonRpcRequest | undefined;
    headers: IncomingMessage['headers'];
  }[] = [];
  const listener: RequestListener = async (request, response) => {
    const body = (await readJson(request)) as JsonRpcRequest | undefined;
    seen.push({ method: request.method, body, headers: request.headers });
    if (misbehave(body ?? { jsonrpc: '2.0', id: '', method: request.method ?? '' }, request, response))
      return;
    if (request.method === 'DELETE') return sendJson(response, 200);
    if (request.method !== 'POST' || body === undefined) return sendJson(response, 405);
    if (body.id === undefined) return sendJson(response, 202);
    const answer = { jsonrpc: '2.0', id: body.id, result: { method: body.method, unknown: [1] } };
    sendJson(response, 200, answer, { 'mcp-session-id': 's1' });
  };
  return { seen, listener };
}

const event = (message: unknown, id?: string) =>
  `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`;

const until = async (condition: () => boolean) => {
  const end = Date.now() + 60_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error('The awaited condition did not come');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

describe('remote server over Streamable HTTP', () => {
  it('[AG-US1-AC3] [PB-PASS-1] speaks to a session of our own server, both ways', async () => {
    const transport = createHttpServerTransport();
    const far: Peer = createPeer(transport, {
      request: async ({ id, method }) =>
        method === 'ask' ? { said: await far.request('roots/list', {}, id).result } : { method },
      notification: () => {},
      closed: () => {},
    });
    await far.start();
    await using server = await httpServer(async (request, response) =>
      transport.handle(request, response, await readPosted(request)),
    );
    await using near = await connect(server.url);
    expect(await initialize(near)).toEqual({ method: 'initialize' });
    expect(await near.peer.request('ask').result).toEqual({ said: { answeredByClient: 'roots/list' } });
    await far.notify('notifications/tools/list_changed');
    await until(() => near.events.length > 0);
    expect(near.events).toEqual(['notifications/tools/list_changed']);
  });

  it('[AG-US1-AC3] sends headers, session id and protocol revision, and ends the session', async () => {
    const { seen, listener } = plainServer(() => false);
    await using server = await httpServer(listener);
    const near = await connect(server.url);
    await initialize(near);
    expect(await near.peer.request('x').result).toEqual({ method: 'x', unknown: [1] });
    await near.peer.close();
    const last = seen.filter(({ body }) => body?.method === 'x')[0];
    expect(last?.headers).toMatchObject({
      authorization: secret,
      'mcp-session-id': 's1',
      'mcp-protocol-version': '2025-06-18',
    });
    expect(seen[0]?.headers['mcp-protocol-version']).toBeUndefined();
    expect(seen.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'mcp-session-id': 's1' } });
    expect(near.events).toEqual([undefined]);
  });

  for (const status of [401, 403]) {
    it(`[AG-US1-AC3] [NFR-SEC1] ends as unauthorized on ${status}, without a secret in what it says`, async () => {
      await using server = await httpServer((_request, response) => sendJson(response, status));
      await using near = await connect(`${server.url}/averyveryverylongpathsecret?key=hidden`);
      const failure = await near.peer
        .request('initialize', initializeParams)
        .result.catch((error: unknown) => error);
      expect(failure).toMatchObject({ sent: false, cause: { problem: { code: 'server.key_refused' } } });
      await until(() => near.events.length > 0);
      const [reason] = near.events as ProblemError[];
      expect(reason).toBeInstanceOf(ProblemError);
      expect(reason?.problem.evidence).toEqual([
        { label: 'url', value: `${server.url}/…?…` },
        { label: 'status', value: String(status) },
        { label: 'header', value: 'authorization: Bearer …' },
      ]);
    });
  }

  it('[AG-US1-AC3] ends as unauthorized also where the refusal is written as an answer', async () => {
    const { listener } = plainServer((body, _request, response) => {
      if (body.method !== 'later') return false;
      sendJson(response, 401, { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Unauthorized' } });
      return true;
    });
    await using server = await httpServer(listener);
    await using near = await connect(server.url, { isExplicit: true });
    await initialize(near);
    const refused = near.peer.request('later').result;
    await expect(refused).rejects.toMatchObject({
      sent: false,
      cause: { problem: { code: 'server.key_refused' } },
    });
    await until(() => near.events.length > 0);
    expect(near.events).toMatchObject([{ problem: { code: 'server.key_refused' } }]);
  });

  it('[NFR-R2] ends as unreachable where nobody listens, and says that nothing was sent', async () => {
    const server = await httpServer(() => {});
    await server.stop();
    await using near = await connect(server.url);
    const failure = await near.peer
      .request('initialize', initializeParams)
      .result.catch((error: unknown) => error);
    expect(failure).toMatchObject({ sent: false, cause: { problem: { code: 'server.unreachable' } } });
    await until(() => near.events.length > 0);
    expect(near.events).toMatchObject([
      { problem: { evidence: [{ value: server.url }, { label: 'error', value: 'ECONNREFUSED' }] } },
    ]);
  });

  it('[REQ-MCP-CALL-002] knows when a server that is busy wants to be asked again, and whether it took the request', async () => {
    const inOneMinute = () => new Date(Date.now() + 60_000).toUTCString();
    const busy: Readonly<Record<string, readonly [number, string]>> = {
      limited: [429, '7'],
      overloaded: [503, inOneMinute()],
      unclear: [503, 'soon'],
    };
    const { listener } = plainServer((body, _request, response) => {
      const [status, retryAfterMs] = busy[String(body.method)] ?? [];
      if (status === undefined) return false;
      sendJson(response, status, {}, { 'retry-after': String(retryAfterMs) });
      return true;
    });
    await using server = await httpServer(listener);
    await using near = await connect(server.url);
    await initialize(near);
    const failure = (method: string) => near.peer.request(method).result.catch((error: unknown) => error);
    expect(await failure('limited')).toMatchObject({ sent: false, retryAfterMs: 7000 });
    const overloaded = (await failure('overloaded')) as { readonly retryAfterMs: number };
    expect(overloaded).toMatchObject({ sent: true });
    expect(overloaded.retryAfterMs).toBeGreaterThan(40_000);
    expect(await failure('unclear')).toMatchObject({ sent: true, retryAfterMs: undefined });
    expect(await near.peer.request('fine').result).toMatchObject({ method: 'fine' });
  });

  it('[US3.2] takes an HTTP error with a JSON-RPC error in it for an answer, and any other for one lost message', async () => {
    const { listener } = plainServer((body, _request, response) => {
      const error = { code: -32602, message: 'bad', data: { field: 'x' } };
      if (body.method === 'refused') sendJson(response, 400, { jsonrpc: '2.0', id: null, error });
      else if (body.method === 'broken') sendJson(response, 500, { oops: true });
      else return false;
      return true;
    });
    await using server = await httpServer(listener);
    await using near = await connect(server.url);
    await initialize(near);
    const refused = near.peer.request('refused').result;
    await expect(refused).rejects.toMatchObject({ name: 'RpcError', code: -32602, data: { field: 'x' } });
    await expect(near.peer.request('broken').result).rejects.toMatchObject({ sent: true });
    expect(await near.peer.request('fine').result).toMatchObject({ method: 'fine' });
    expect(near.events).toEqual([]);
  });

  it('[NFR-R2] ends when the server has forgotten the session', async () => {
    const { listener } = plainServer((body, _request, response) => {
      if (body.method !== 'later') return false;
      sendJson(response, 404, {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32001, message: 'Session not found' },
      });
      return true;
    });
    await using server = await httpServer(listener);
    await using near = await connect(server.url);
    await initialize(near);
    await expect(near.peer.request('later').result).rejects.toMatchObject({ sent: false });
    await until(() => near.events.length > 0);
    expect(near.events).toMatchObject([{ problem: { code: 'server.unreachable' } }]);
  });

  it('[NFR-R2] ends as well when the server says 400 for that, to a ping too', async () => {
    let knows = true;
    const { seen, listener } = plainServer((body, _request, response) => {
      if (knows && body.method !== 'refused') return false;
      const error = { code: -32000, message: 'Bad Request: No valid session ID provided' };
      sendJson(response, 400, { jsonrpc: '2.0', id: null, error });
      return true;
    });
    await using server = await httpServer(listener);
    await using near = await connect(server.url);
    await initialize(near);
    await expect(near.peer.request('refused').result).rejects.toMatchObject({ code: -32000 });
    expect(near.events).toEqual([]);
    knows = false;
    const [one, other] = [near.peer.request('one').result, near.peer.request('other').result];
    await expect(one).rejects.toMatchObject({ name: 'ConnectionClosedError', sent: false });
    await expect(other).rejects.toMatchObject({ name: 'ConnectionClosedError', sent: false });
    await until(() => near.events.length > 0);
    expect(near.events).toMatchObject([{ problem: { code: 'server.unreachable' } }]);
    expect(seen.filter(({ body }) => body?.method === 'ping')).toHaveLength(2);
  });

  it('[NFR-R2] learns from its own stream that the server has forgotten the session', async () => {
    let opened = 0;
    const { listener } = plainServer((body, request, response) => {
      if (request.method === 'GET' && opened++ === 0) {
        beginEvents(response);
        response.end('retry: 1\n\n');
        return true;
      }
      if (opened === 0 || (request.method !== 'GET' && body.method !== 'ping')) return false;
      sendJson(response, 400, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'no session' } });
      return true;
    });
    await using server = await httpServer(listener);
    await using near = await connect(server.url);
    await initialize(near);
    await until(() => near.events.length > 0);
    expect(near.events).toMatchObject([{ problem: { code: 'server.unreachable' } }]);
  });

  for (const [when, status] of [
    ['is busy', 503],
    ['does not know where it ended', 400],
  ] as const) {
    it(`[NFR-R2] asks again for its own stream where the server ${when}`, async () => {
      const asked: (string | string[] | undefined)[] = [];
      const { listener } = plainServer((_body, request, response) => {
        if (request.method !== 'GET') return false;
        asked.push(request.headers['last-event-id']);
        if (asked.length === 2) {
          sendJson(response, status, { error: 'not now' }, { 'retry-after': '0' });
          return true;
        }
        beginEvents(response);
        const notice = event({ jsonrpc: '2.0', method: `notifications/${asked.length}` }, `e${asked.length}`);
        if (asked.length === 1) response.end(`retry: 1\n${notice}`);
        else response.write(notice);
        return true;
      });
      await using server = await httpServer(listener);
      const clock = new FakeClock();
      await using near = await connect(server.url, { clock });
      await initialize(near);
      for (let known = 1; known < 3; known += 1) {
        await until(() => asked.length === known && clock.pending > 0);
        await clock.advance(10_000);
      }
      await until(() => near.events.length === 2);
      expect(near.events).toEqual(['notifications/1', 'notifications/3']);
      expect(asked).toEqual([undefined, 'e1', status === 400 ? undefined : 'e1']);
      const closing = near.peer.close();
      await clock.advance(2000);
      await closing;
    });
  }

  it('[NFR-R4] resumes the stream of a request at a server that is briefly busy', async () => {
    let tries = 0;
    const { listener } = plainServer((body, request, response) => {
      if (request.headers['last-event-id'] === 'e1') {
        tries += 1;
        if (tries === 1) sendJson(response, 502);
        else resumeLong(response);
        return true;
      }
      return beginsLong(body, response);
    });
    await using server = await httpServer(listener);
    await using near = await connect(server.url);
    await initialize(near);
    expect(await near.peer.request('long').result).toEqual({ resumed: true });
  });

  it('[NFR-R4] gives a request its outcome when its stream ends without an answer', async () => {
    const { listener } = plainServer((body, _request, response) => {
      if (body.method !== 'cut') return false;
      beginEvents(response);
      response.end(event({ jsonrpc: '2.0', method: 'notifications/progress' }));
      return true;
    });
    await using server = await httpServer(listener);
    await using near = await connect(server.url);
    await initialize(near);
    await expect(near.peer.request('cut').result).rejects.toMatchObject({
      name: 'ConnectionClosedError',
      sent: true,
    });
    expect(near.events).toEqual(['notifications/progress']);
    expect(await near.peer.request('fine').result).toMatchObject({ method: 'fine' });
  });

  it('[NFR-R4] takes up a stream again where the server allows it', async () => {
    const { listener } = plainServer((body, request, response) => {
      if (request.method === 'GET' && request.headers['last-event-id'] === 'e1') {
        resumeLong(response);
        return true;
      }
      return beginsLong(body, response);
    });
    await using server = await httpServer(listener);
    await using near = await connect(server.url);
    await initialize(near);
    expect(await near.peer.request('long').result).toEqual({ resumed: true });
  });

  it('[NFR-R4] abandons a stream that the server does not resume', async () => {
    const { listener } = plainServer((body, _request, response) => {
      return beginsLong(body, response);
    });
    await using server = await httpServer(listener);
    await using near = await connect(server.url);
    await initialize(near);
    await expect(near.peer.request('long').result).rejects.toMatchObject({ sent: true });
  });

  it('[PB-PASS-1] lets go of the stream of a cancelled request', async () => {
    const closed: string[] = [];
    const { seen, listener } = plainServer((body, _request, response) => {
      if (body.method !== 'endless') return false;
      beginEvents(response);
      response.once('close', () => closed.push(body.method));
      return true;
    });
    await using server = await httpServer(listener);
    await using near = await connect(server.url);
    await initialize(near);
    const endless = near.peer.request('endless');
    await until(() => seen.some(({ body }) => body?.method === 'endless'));
    await near.peer.notify('notifications/cancelled', { requestId: endless.id });
    endless.abandon(new Error('cancelled'));
    await until(() => closed.length > 0);
  });

  it('[NFR-R2] waits longer each time for a stream that the server keeps ending, and then for minutes', async () => {
    let opened = 0;
    const { listener } = plainServer((_body, request, response) => {
      if (request.method !== 'GET') return false;
      opened += 1;
      beginEvents(response);
      response.end('retry: 1\n\n');
      return true;
    });
    await using server = await httpServer(listener);
    const clock = new FakeClock();
    await using near = await connect(server.url, { clock });
    await initialize(near);
    await until(() => opened === 1);
    for (let expected = 2; expected <= 8; expected += 1) {
      // A shorter timer of an earlier answer may still be running; only this wait is longer.
      await until(() => clock.pending > 0);
      await clock.advance(500);
      await until(() => clock.pending > 0);
      await clock.advance(100_000);
      await until(() => opened === expected);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    // The wait for a later try.
    expect([opened, clock.pending]).toEqual([8, 1]);
    expect(near.events).toEqual([]);
    const closing = near.peer.close();
    await clock.advance(2000);
    await closing;
  });

  it('[NFR-R4] can be closed while requests are under way', async () => {
    const { seen, listener } = plainServer((body) => body.method === 'hang' || body.method === 'DELETE');
    await using server = await httpServer(listener);
    const near = await connect(server.url);
    await initialize(near);
    const hanging = near.peer.request('hang').result.catch((error: unknown) => error);
    await until(() => seen.some(({ body }) => body?.method === 'hang'));
    await near.peer.close();
    expect(await hanging).toMatchObject({ sent: true });
    expect(near.events).toEqual([undefined]);
  });

  it('refuses an address that is no URL', async () => {
    const transport = createHttpClientTransport({
      url: 'nowhere',
      headers: {},
      kind: 'http',
      isExplicit: true,
    });
    await expect(transport.start({ message: () => {}, closed: () => {} })).rejects.toMatchObject({
      problem: { code: 'server.unreachable' },
    });
  });
});

/** Starts an SSE server from the SDK's own transport, which refuses POSTs to its first address. */
function sseServer(refusal: number, refusalBody?: unknown) {
  const sessions = new Map<string, SSEServerTransport>();
  const streams: ServerResponse[] = [];
  const received: string[] = [];
  const listener: RequestListener = async (request, response) => {
    const id = new URL(request.url ?? '', 'http://x').searchParams.get('sessionId');
    if (request.method === 'POST' && id === null) return sendJson(response, refusal, refusalBody);
    if (request.method === 'POST') return sessions.get(id ?? '')?.handlePostMessage(request, response);
    const transport = new SSEServerTransport('/messages', response);
    streams.push(response);
    sessions.set(transport.sessionId, transport);
    transport.onmessage = (message) => {
      if ('method' in message) received.push(message.method);
      if (!('method' in message && 'id' in message) || message.method === 'hang') return;
      void transport.send({
        jsonrpc: '2.0',
        id: message.id,
        result: { method: message.method, over: 'sse' },
      });
    };
    await transport.start();
  };
  return { listener, streams, received };
}

describe('remote server over SSE', () => {
  for (const status of [400, 404, 405]) {
    it(`[AG-US1-AC3] is found behind an assumed http when the first message is refused with ${status}`, async () => {
      await using server = await httpServer(sseServer(status).listener);
      await using near = await connect(server.url);
      const [first, second] = await Promise.all([initialize(near), near.peer.request('early').result]);
      expect([first, second]).toEqual([
        { method: 'initialize', over: 'sse' },
        { method: 'early', over: 'sse' },
      ]);
    });
  }

  it.each([400, 404, 405])(
    '[NFR-R1] is found behind a stated http that is refused with %s',
    async (status) => {
      const { listener, streams, received } = sseServer(status);
      await using server = await httpServer(listener);
      await using near = await connect(server.url, { isExplicit: true });
      expect(await initialize(near)).toMatchObject({ over: 'sse' });
      expect(near.transport.detectedType).toBe('sse');
      expect(await near.peer.request('tools/call', {}).result).toMatchObject({ over: 'sse' });
      expect([streams.length, received.filter((method) => method === 'tools/call').length]).toEqual([1, 1]);
    },
  );

  it('[NFR-R4] is not tried for a call that is refused', async () => {
    const { listener, streams } = sseServer(404);
    await using server = await httpServer(listener);
    await using near = await connect(server.url, { isExplicit: true });
    await expect(near.peer.request('tools/call', {}).result).rejects.toBeInstanceOf(Error);
    expect(streams).toEqual([]);
  });

  it.each([400, 404, 405])(
    '[NFR-R1] gives way to the newer transport where the stated one is refused with %s',
    async (status) => {
      await using server = await oddServer((_body, response, { verb }) => {
        if (verb === 'GET') sendJson(response, status);
        return verb === 'GET';
      });
      await using near = await connect(server.url, { kind: 'sse', isExplicit: true });
      expect(await initialize(near)).toEqual({ did: 'initialize' });
      expect(near.transport.detectedType).toBe('http');
      expect(await near.peer.request('tools/call', {}).result).toEqual({ did: 'tools/call' });
      expect(server.said().filter((method) => method === 'tools/call')).toHaveLength(1);
    },
  );

  it('[US1.6] reports that the server speaks neither transport, if its transport was stated', async () => {
    await using server = await httpServer((request, response) =>
      sendJson(response, request.method === 'GET' ? 405 : 404),
    );
    await using near = await connect(server.url, { kind: 'sse', isExplicit: true });
    await expect(near.peer.request('initialize', initializeParams).result).rejects.toMatchObject({
      sent: false,
      cause: { problem: { sentence: expect.stringContaining('neither Streamable HTTP nor SSE') } },
    });
    await until(() => near.events.length > 0);
  });

  it('[AG-US1-AC3] is used at once if configured; the connection ends with its stream', async () => {
    const { listener, streams, received } = sseServer(404);
    await using server = await httpServer(listener);
    await using near = await connect(server.url, { kind: 'sse' });
    expect(await initialize(near)).toMatchObject({ over: 'sse' });
    const hanging = near.peer.request('hang').result.catch((error: unknown) => error);
    await until(() => received.includes('hang'));
    streams[0]?.end();
    expect(await hanging).toMatchObject({ sent: true, cause: { problem: { code: 'server.unreachable' } } });
    expect(streams.length).toBe(1);
  });

  it('[US1.6] says what both addresses answered when neither transport is there', async () => {
    await using server = await httpServer((request, response) =>
      sendJson(response, request.method === 'GET' ? 418 : 404),
    );
    await using near = await connect(server.url);
    const failure = await near.peer
      .request('initialize', initializeParams)
      .result.catch((error: unknown) => error);
    expect(failure).toMatchObject({
      sent: false,
      cause: {
        problem: { code: 'server.unreachable', evidence: [{ value: server.url }, { value: '404' }, {}] },
      },
    });
    await until(() => near.events.length > 0);
  });

  it('[US3.2] hands on the refusal of a server that does speak the newer transport', async () => {
    const error = { code: -32600, message: 'unsupported revision' };
    await using server = await httpServer((request, response) =>
      request.method === 'POST'
        ? sendJson(response, 400, { jsonrpc: '2.0', id: null, error })
        : sendJson(response, 405),
    );
    await using near = await connect(server.url);
    const refused = near.peer.request('initialize', initializeParams).result;
    await expect(refused).rejects.toMatchObject({ name: 'RpcError', code: -32600 });
  });

  it('[AG-US1-AC3] rejects the start as unauthorized, and as unreachable', async () => {
    await using server = await httpServer((_request, response) => sendJson(response, 401));
    await expect(connect(server.url, { kind: 'sse' })).rejects.toMatchObject({
      problem: { code: 'server.key_refused' },
    });
    await server.stop();
    await expect(connect(server.url, { kind: 'sse' })).rejects.toMatchObject({
      problem: { code: 'server.unreachable' },
    });
  });

  it('[NFR-R4] can be closed while it waits for the server to speak', async () => {
    let streams = 0;
    await using server = await httpServer((_request, response) => {
      streams += 1;
      beginEvents(response);
    });
    const transport = createHttpClientTransport({
      url: server.url,
      headers: {},
      kind: 'sse',
      isExplicit: true,
    });
    const starting = transport
      .start({ message: () => {}, closed: () => {} })
      .catch((error: unknown) => error);
    await until(() => streams === 1);
    await transport.close();
    expect(await starting).toMatchObject({ name: 'ConnectionClosedError' });
  });
});
