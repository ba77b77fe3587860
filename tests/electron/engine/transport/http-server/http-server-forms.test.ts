import { describe, expect, it } from 'vitest';
import type { RawMessage } from '../../../../../electron/engine/jsonrpc/raw-message.ts';
import { readMessage, toRaw } from '../../../../../electron/engine/jsonrpc/read-message.ts';
import { toResponse } from '../../../../../electron/engine/jsonrpc/response.ts';
import { refuse } from '../../../../../electron/engine/transport/http-server/http-refusal.ts';
import { readHttpBody } from '../../../../../electron/engine/transport/http-server/http-server-body.ts';
import { createHttpServerTransport } from '../../../../../electron/engine/transport/http-server/http-server-transport.ts';
import { maxInBatch } from '../../../../../electron/engine/transport/stdio/batches.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { until } from '../../../../helper/gateway.ts';
import { httpServer } from '../../../../helper/http-server.ts';

const both = 'application/json, text/event-stream';
const initialize = '{"jsonrpc":"2.0","id":"init","method":"initialize","params":{}}';
const ping = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;

/** Opens an initialized session; the test sends its own messages. */
async function session() {
  const clock = new FakeClock();
  const transport = createHttpServerTransport(clock);
  const received: RawMessage[] = [];
  await transport.start({ message: (message) => void received.push(toRaw(message)), closed: () => {} });
  const server = await httpServer((request, response) => {
    if (request.method !== 'POST') transport.handle(request, response);
    else
      readHttpBody(request, 64 * 1024 * 1024, {
        onBody: (body) =>
          body.ok
            ? transport.handle(request, response, body.posted)
            : refuse(response, body.refusal, body.idText),
        onError: () => response.destroy(),
      });
  });
  const send = (body: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}) =>
    fetch(server.url, {
      method: 'POST',
      headers: { accept: both, 'content-type': 'application/json', ...headers },
      body,
    });
  const post = (body: string | Uint8Array<ArrayBuffer>, more: Readonly<Record<string, string>> = {}) =>
    send(body, { 'mcp-session-id': transport.sessionId, 'mcp-protocol-version': '2025-11-25', ...more });
  const answer = (text: string) => transport.send(readMessage(Buffer.from(text)) ?? toRaw(JSON.parse('{}')));
  const heard = (count: number) => until('the messages', () => received.length === count);
  const first = send(initialize);
  await heard(1);
  await answer('{"jsonrpc":"2.0","id":"init","result":{}}');
  const introduced = await first;
  await introduced.text();
  return {
    clock,
    transport,
    received,
    post,
    answer,
    heard,
    introduced,
    url: server.url,
    async [Symbol.asyncDispose]() {
      await transport.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe('the answer to a POST', () => {
  it('[PB-PASS-1] is plain JSON, byte for byte, if nothing else is sent first', async () => {
    await using it = await session();
    expect(it.introduced.headers.get('mcp-session-id')).toBe(it.transport.sessionId);
    const asked = it.post(ping(1));
    await it.heard(2);
    const line = '{"jsonrpc":"2.0","id":1,"result":{"a":-0, "b":1e400,"c":9007199254740993,"c":"\u00fc"}}\n';
    await it.answer(line);
    const response = await asked;
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.text()).toBe(line);
  });

  it('[EDGE-2] counts as delivered only when the client has read it, if it is long', async () => {
    await using it = await session();
    const asked = it.post(ping(1));
    await it.heard(2);
    const line = `{"jsonrpc":"2.0","id":1,"result":"${'\u00fc'.repeat(3_000_000)}"}\n`;
    const answered = it.answer(line);
    expect(it.transport.congestion).toBeDefined();
    expect((await (await asked).text()) === line).toBe(true);
    await answered;
    await until('the end of the congestion', () => it.transport.congestion === undefined);
  });

  it('[PB-PASS-1] ends a stream if another message was sent first', async () => {
    await using it = await session();
    const asked = it.post(ping(1));
    await it.heard(2);
    await it.transport.send({ jsonrpc: '2.0', method: 'notifications/progress' }, 1);
    await it.answer('{"jsonrpc":"2.0","id":1,\r"result":{}}\r\n');
    const response = await asked;
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await response.text()).toMatch(
      /^id: \w+-\d+\nretry: \d+\ndata: \n\nevent: message\nid: \w+-\d+\ndata: \{.*progress"\}\n\nevent: message\nid: \w+-\d+\ndata: \{"jsonrpc":"2.0","id":1, "result":\{\}\} \n\n$/,
    );
  });

  it('[PB-PASS-1] is a stream when it takes its time, which is kept alive', async () => {
    await using it = await session();
    const asked = it.post(ping(1), { 'mcp-protocol-version': '2025-06-18' });
    await it.heard(2);
    await it.clock.advance(300);
    const response = await asked;
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    await it.clock.advance(15_000);
    await it.answer('{"jsonrpc":"2.0","id":1,"result":{}}\n');
    // An older client would fail on an event without a message.
    expect(await response.text()).toMatch(/^: keepalive\n\nevent: message\nid: \w+-\d+\ndata: .*\n\n$/);
  });

  it.each([
    ['text/event-stream', 'text/event-stream'],
    ['application/json', 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/*;q=0.9', 'application/json'],
    ['text/*', 'text/event-stream'],
    ['TEXT/Event-Stream', 'text/event-stream'],
    ['application/json;q=0, */*', 'text/event-stream'],
    ['application/json;q=0.5,text/event-stream;q=0', 'application/json'],
    ['application/json text/html', 'application/json'],
    ['text/html, application/xhtml+xml, */*;q=0.8', 'application/json'],
  ])('[PB-PASS-1] comes in the form that the client accepts, %s', async (accept, type) => {
    await using it = await session();
    const asked = it.post(ping(1), { accept });
    await it.heard(2);
    if (type === 'application/json') {
      await it.transport.send({ jsonrpc: '2.0', method: 'notifications/progress' }, 1);
      await it.clock.advance(300);
    }
    await it.answer('{"jsonrpc":"2.0","id":1,"result":{}}\n');
    const response = await asked;
    expect(response.headers.get('content-type')).toBe(type);
    expect(await response.text()).toContain('"id":1,"result":{}');
  });

  it('[PB-PASS-1] to a batch has all answers, and accepts other messages without one', async () => {
    await using it = await session();
    const asked = it.post(`[${ping(1)},{"jsonrpc":"2.0","method":"notifications/initialized"},${ping(2)}]`);
    await it.heard(4);
    await it.answer('{"jsonrpc":"2.0","id":2,"result":{}}\n');
    await it.answer('{"jsonrpc":"2.0","id":1,"result":{}}\n');
    expect(await (await asked).json()).toMatchObject([{ id: 2 }, { id: 1 }]);
    expect((await it.post(`[${ping(3)},${ping(3)}]`)).status).toBe(400);
    const taken = await it.post('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    expect([taken.status, await taken.text()]).toEqual([202, '']);
  });

  it('[PB-PASS-1] does not come once it was cancelled, and its id is free again', async () => {
    await using it = await session();
    const asked = it.post(ping(1));
    await it.heard(2);
    await it.post('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}');
    expect(await (await asked).text()).toBe('');
    await expect(it.answer('{"jsonrpc":"2.0","id":1,"result":{}}\n')).rejects.toMatchObject({ sent: false });
    const again = it.post(ping(1));
    await it.heard(4);
    await it.answer('{"jsonrpc":"2.0","id":1,"result":{}}\n');
    expect((await again).status).toBe(200);
  });

  it('[PB-PASS-1] [PB-PROC-1] ends its stream too when it is cancelled after that has begun', async () => {
    await using it = await session();
    const asked = it.post(ping(1));
    await it.heard(2);
    await it.clock.advance(300);
    const response = await asked;
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    await it.post('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}');
    expect(await response.text()).not.toContain('event: message');
  });

  it('[PB-PASS-1] to a batch comes without what was cancelled', async () => {
    await using it = await session();
    const asked = it.post(`[${ping(1)},${ping(2)}]`);
    await it.heard(3);
    await it.answer('{"jsonrpc":"2.0","id":1,"result":{}}\n');
    await it.post('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}');
    expect(await (await asked).json()).toMatchObject([{ id: 1 }]);
  });

  it('[NFR-R4] says that the session has ended when it ends before', async () => {
    await using it = await session();
    const asked = it.post(ping(7));
    await it.heard(2);
    await it.transport.close();
    const response = await asked;
    expect([response.status, await response.json()]).toMatchObject([404, { id: 7, error: { code: -32001 } }]);
    expect(it.clock.pending).toBe(0);
  });
});

describe('a request over HTTP', () => {
  it('[PB-PASS-1] may be written on many lines, and travels on as one', async () => {
    await using it = await session();
    const asked = it.post('{\r\n "jsonrpc": "2.0",\n\t"id": -5,\n "method": "ping"\r\n}\n');
    await it.heard(2);
    expect(it.received[1]?.line().toString()).toMatch(/^[^\r\n]*\n$/);
    await it.answer('{"jsonrpc":"2.0","id":-5,"result":{}}\n');
    expect(await (await asked).json()).toMatchObject({ id: -5 });
  });

  it.each([
    ['that accepts neither form', { accept: 'text/html' }, 406],
    ['that refuses both', { accept: 'application/json;q=0, text/event-stream;q=0.0, */*' }, 406],
    ['that refuses all', { accept: '*/*;q=0' }, 406],
    ['of a revision there is not', { 'mcp-protocol-version': '1999-01-01' }, 400],
    ['of another session', { 'mcp-session-id': 'other' }, 404],
  ])('[PB-PASS-1] %s is refused', async (_what, headers: Readonly<Record<string, string>>, status) => {
    await using it = await session();
    const response = await it.post(ping(1), headers);
    expect([response.status, await response.json()]).toMatchObject([status, { id: 1, error: {} }]);
    expect(it.received).toHaveLength(1);
  });

  it.each([
    'Application/JSON; charset=UTF8',
    'application/vnd.example+json',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    '',
  ])('[PB-PASS-1] of the content type "%s" is what its body says', async (type) => {
    await using it = await session();
    const taken = await it.post('{"jsonrpc":"2.0","method":"a"}', { 'content-type': type });
    expect(taken.status).toBe(202);
    const refused = await it.post('a=b', { 'content-type': type });
    expect(refused.status).toBe(/json/i.test(type) ? 400 : 415);
    expect(await refused.json()).toMatchObject({ id: null, error: { code: -32700 } });
  });

  it('[NFR-R3] that is compressed is refused with the reason; one that only says so is read', async () => {
    await using it = await session();
    const refused = await it.post('\u001f\u008b\b packed', { 'content-encoding': 'gzip' });
    expect([refused.status, refused.headers.get('accept-encoding')]).toEqual([415, 'identity']);
    expect(await refused.json()).toMatchObject({
      error: { message: 'The body is compressed (gzip); send it uncompressed' },
    });
    const taken = await it.post('{"jsonrpc":"2.0","method":"a"}', { 'content-encoding': 'gzip' });
    expect(taken.status).toBe(202);
  });

  it.each([
    ['mcp-protocol-version', ''],
    ['mcp-protocol-version', ' 2025-06-18 '],
    ['mcp-protocol-version', '2024-10-07'],
    ['mcp-protocol-version', '2025-06-18, 2025-06-18'],
  ])('[PB-PASS-1] with the header %s: "%s" is accepted', async (name, value) => {
    await using it = await session();
    expect((await it.post('{"jsonrpc":"2.0","method":"a"}', { [name]: value })).status).toBe(202);
  });

  it('[PB-PASS-1] may send its session id with spaces around it, or twice', async () => {
    await using it = await session();
    const { sessionId } = it.transport;
    for (const value of [` ${sessionId} `, `${sessionId}, ${sessionId}`])
      expect((await it.post('{"jsonrpc":"2.0","method":"a"}', { 'mcp-session-id': value })).status).toBe(202);
    expect((await it.post(ping(1), { 'mcp-session-id': '' })).status).toBe(400);
  });

  it('[PB-PASS-1] may leave out what it does not need, or write null for it', async () => {
    await using it = await session();
    const notices = [
      '{"jsonrpc":"2.0","method":"notifications/initialized","params":null}',
      '{"jsonrpc":"2.0","method":"notifications/initialized","id":null}',
      '{"method":"notifications/initialized"}',
      '\uFEFF{"jsonrpc":2.0,"method":"notifications/initialized"}',
    ];
    for (const notice of notices) expect((await it.post(notice)).status).toBe(202);
    for (const absent of ['undefined', 'null'])
      expect((await it.post(notices[0] ?? '', { 'mcp-protocol-version': absent })).status).toBe(202);
    const asked = it.post('{"jsonrpc":"2.0","id":9007199254740993,"method":"ping","params":null}');
    await it.heard(8);
    expect(it.received[7]?.params).toBeUndefined();
    await it.transport.send(toResponse(it.received[7] ?? toRaw(JSON.parse('{}')), {}));
    expect(await (await asked).text()).toBe('{"jsonrpc":"2.0","id":9007199254740993,"result":{}}\n');
    for (const params of ['[]', '[1]', '"x"', '7']) {
      const refused = await it.post(`{"jsonrpc":"2.0","id":3,"method":"ping","params":${params}}`);
      expect([refused.status, await refused.json()]).toMatchObject([400, { id: 3, error: { code: -32600 } }]);
    }
    expect((await it.post('{"jsonrpc":"2.0","id":null,"method":"tools/list"}')).status).toBe(400);
    const stranger = await it.post('{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', {
      'mcp-session-id': 'other',
    });
    expect(await stranger.text()).toContain('"id":9007199254740993,');
  });

  it.each([
    ['application/json; charset=utf-16le', 'utf16le'],
    ['application/json', 'utf16le'],
    ['application/json; charset=iso-8859-1', 'latin1'],
  ] as const)('[PB-PASS-1] may be in another charset: %s as %s', async (type, encoding) => {
    await using it = await session();
    const body = Buffer.from('{"jsonrpc":"2.0","method":"a","params":{"text":"é"}}', encoding);
    expect((await it.post(new Uint8Array(body), { 'content-type': type })).status).toBe(202);
    expect(it.received.at(-1)?.params).toEqual({ text: 'é' });
  });

  it('[NFR-R3] takes a batch of up to a thousand messages, and refuses a longer one at once', async () => {
    await using it = await session();
    const batch = (count: number) => `[${Array.from({ length: count }, (_, id) => ping(id)).join(',')}]`;
    const asked = it.post(batch(maxInBatch));
    await it.heard(1 + maxInBatch);
    for (let id = 0; id < maxInBatch; id += 1) await it.answer(`{"jsonrpc":"2.0","id":${id},"result":{}}\n`);
    expect(await (await asked).json()).toHaveLength(maxInBatch);
    for (const count of [maxInBatch + 1, 200_000]) {
      const refused = await it.post(batch(count));
      expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: -32600 } }]);
    }
    expect((await it.post('[]')).status).toBe(400);
    expect((await it.post(`[${ping(1)},`)).status).toBe(400);
    expect(it.received).toHaveLength(1 + maxInBatch);
  });

  it('[PB-PASS-1] is not a second initialize, nor from a client that accepts no answer', async () => {
    await using it = await session();
    expect((await it.post(initialize)).status).toBe(400);
    const listening = (headers: Readonly<Record<string, string>>) =>
      fetch(it.url, { headers: { 'mcp-session-id': it.transport.sessionId, ...headers } });
    expect((await listening({ accept: 'application/json' })).status).toBe(406);
    expect((await listening({ accept: 'text/event-stream;q=0, */*' })).status).toBe(406);
    for (const accept of ['', '*/*', 'text/*', 'Text/Event-Stream']) {
      const own = await listening({ accept });
      expect(own.headers.get('content-type')).toBe('text/event-stream');
      await own.body?.cancel();
    }
    expect((await listening({ accept: both, 'last-event-id': 'none' })).status).toBe(400);
  });
});
