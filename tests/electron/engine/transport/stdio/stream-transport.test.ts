import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { JsonRpcMessage } from '../../../../../electron/engine/jsonrpc/message.ts';
import { createPeer } from '../../../../../electron/engine/jsonrpc/peer.ts';
import type { PeerHandlers } from '../../../../../electron/engine/jsonrpc/peer-contract.ts';
import type { MessageSource } from '../../../../../electron/engine/jsonrpc/raw-message.ts';
import { toValue } from '../../../../../electron/engine/jsonrpc/read-message.ts';
import { createStreamTransport } from '../../../../../electron/engine/transport/stdio/stream-transport.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

async function open(options: Partial<Parameters<typeof createStreamTransport>[0]> = {}) {
  const readable = new PassThrough();
  const written = new PassThrough();
  const writable = options.writable ?? written;
  const clock = new FakeClock();
  const transport = createStreamTransport({ ...options, readable, writable, clock });
  const messages: JsonRpcMessage[] = [];
  const noise: string[] = [];
  const closed: (Error | undefined)[] = [];
  await transport.start({
    message: (message) => messages.push(toValue(message)),
    noise: (text) => noise.push(text),
    closed: (reason) => closed.push(reason),
  });
  return { readable, writable, written, clock, transport, messages, noise, closed };
}

const message = (id: number, text = ''): JsonRpcMessage => ({
  jsonrpc: '2.0',
  id,
  method: 'm',
  params: { text },
});

const quiet: PeerHandlers = { request: async () => ({}), notification: () => {}, closed: () => {} };

/** Accepts one write and then none until `go`. */
function slowWritable() {
  let isGoing = false;
  let waiting: (() => void) | undefined;
  let text = '';
  const writable = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      if (isGoing) setImmediate(done);
      else waiting = done;
    },
  });
  return {
    writable,
    written: () =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { readonly id?: number; readonly method?: string }),
    go() {
      isGoing = true;
      waiting?.();
    },
  };
}

it('reads the output of a program that ended before anything could be sent to it', async () => {
  const [readable, writable] = [new PassThrough(), new PassThrough()];
  writable.destroy();
  readable.end('Usage: acme-server FOLDER\n');
  const noise: string[] = [];
  const transport = createStreamTransport({ readable, writable, clock: new FakeClock() });
  await new Promise<void>((closed) => {
    void transport.start({
      message: () => {},
      noise: (text) => noise.push(text),
      closed: () => closed(),
    });
  });
  expect(noise).toEqual(['Usage: acme-server FOLDER']);
  await expect(transport.send(message(1))).rejects.toMatchObject({ sent: false });
});

describe('stream transport', () => {
  it('[NFR-R2] does not take the echo of a terminal for messages of the server', async () => {
    const { readable, messages } = await open({ speaker: 'server' });
    const answer = { jsonrpc: '2.0', id: 1, result: {} };
    const lines = [
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      answer,
    ];
    for (const line of lines) readable.write(`${JSON.stringify(line)}\r\n`);
    await tick();
    expect(messages).toEqual([answer]);
  });

  it('[FR-008] carries messages unchanged, one line each', async () => {
    const { readable, written, transport, messages } = await open();
    await transport.send(message(1, 'a\u2028b\nc'));
    await tick();
    const line = String(written.read());
    expect(line).toBe('{"jsonrpc":"2.0","id":1,"method":"m","params":{"text":"a\\u2028b\\nc"}}\n');
    readable.write(line);
    await tick();
    expect(messages).toEqual([message(1, 'a\u2028b\nc')]);
  });

  it('[FR-009] keeps banners, pretty JSON and log lines as noise, bounded, and passes on what follows', async () => {
    const { readable, messages, noise } = await open();
    readable.write('Server ready!\n\n   \n{\n  "pretty": true\n}\n[1,2]\n42\n{"level":"info","id":4}\n');
    readable.write(`${'y'.repeat(5000)}\n{"jsonrpc":"2.0","method":"n"}\n{"id":1,"method":"versionless"}\n`);
    await tick();
    expect(noise.slice(0, 5)).toEqual([
      'Server ready!',
      '{\n  "pretty": true\n}',
      '[1,2]',
      '42',
      '{"level":"info","id":4}',
    ]);
    expect(noise[5]?.length).toBeLessThan(4200);
    expect(messages).toEqual([
      { jsonrpc: '2.0', method: 'n' },
      { jsonrpc: '2.0', id: 1, method: 'versionless' },
    ]);
  });

  it('[NFR-R4] fails a request whose answer breaks off in the middle of its lines', async () => {
    const { readable, messages, noise, clock } = await open({ speaker: 'server' });
    readable.write('{"jsonrpc":"2.0","id":3,"result":{\n  "content": [\n');
    await tick();
    expect(messages).toEqual([]);
    await clock.advance(3000);
    expect(messages).toMatchObject([{ id: 3, error: { code: -32700 } }]);
    expect(noise).toEqual(['{"jsonrpc":"2.0","id":3,"result":{\n  "content": [']);
    readable.write('{\n"jsonrpc": "2.0", "id": 4,\n"result": {"a": NaN}\n}\n');
    await tick();
    expect(messages[1]).toMatchObject({
      id: 4,
      error: { message: expect.stringContaining('NaN is not a JSON value') },
    });
    readable.write('{\n  "open": [\n{"jsonrpc":"2.0","id":5,"result":{}}\n');
    await tick();
    expect(messages[2]).toEqual({ jsonrpc: '2.0', id: 5, result: {} });
  });

  it('[EDGE-2] takes a long answer without an end once nothing follows it', async () => {
    const { readable, messages, clock } = await open({ speaker: 'server' });
    const text = JSON.stringify({ jsonrpc: '2.0', id: 3, result: { text: 'x'.repeat(200_000), a: {} } });
    for (let at = 0; at < text.length; at += 50_000) readable.write(text.slice(at, at + 50_000));
    await tick();
    expect(messages).toEqual([]);
    await clock.advance(20);
    expect(messages).toEqual([JSON.parse(text)]);
  });

  it('[EDGE-2] answers a request with an error when its answer exceeds the limit, and stays open', async () => {
    const { readable, messages, noise } = await open({ maxLineBytes: 1000 });
    const answer = JSON.stringify({ result: { text: 'x'.repeat(2000) }, jsonrpc: '2.0', id: 3 });
    readable.write(`${answer}\n{"jsonrpc":"2.0","id":4,"result":{}}\n`);
    await tick();
    const data = { size: answer.length, limit: 1000 };
    expect(messages).toMatchObject([
      { id: 3, error: { code: -32603, data } },
      { id: 4, result: {} },
    ]);
    expect(noise.length).toBe(1);
  });

  it('[EDGE-2] refuses a request over the limit by its id', async () => {
    const { readable, written, messages } = await open({ maxLineBytes: 1000 });
    readable.write(`${JSON.stringify(message(5, 'x'.repeat(2000)))}\n`);
    await tick();
    expect(messages).toEqual([]);
    expect(JSON.parse(String(written.read()))).toMatchObject({
      id: 5,
      error: { code: -32600, data: { limit: 1000 } },
    });
  });

  it('[PB-PASS-1] passes on what is long, but nothing that is broken', async () => {
    const { readable, messages } = await open();
    const request = message(1, 'x'.repeat(100_000));
    const broken = `{"jsonrpc":"2.0","id":2,"method":"m","params":{"text":"${'x'.repeat(100_000)}}`;
    const result = { jsonrpc: '2.0', id: 3, result: { text: 'x'.repeat(100_000) } } as const;
    const lines = [JSON.stringify(request), broken, JSON.stringify(result), JSON.stringify(message(4))];
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    for (let at = 0; at < bytes.length; at += 30_000) readable.write(bytes.subarray(at, at + 30_000));
    await tick();
    expect(messages).toEqual([request, result, message(4)]);
  });

  it.each([
    ['in the middle of a text', -10],
    ['right before the brace that closes it', -1],
    ['behind a brace', -2],
  ])('[PB-PASS-1] passes on no long answer that was cut off %s', async (_where, end) => {
    const { readable, messages } = await open();
    const text = `{"jsonrpc":"2.0","id":3,"result":{"a":${JSON.stringify(['x'.repeat(200_000), {}])}}}`;
    readable.write(Buffer.from(text).subarray(0, end));
    readable.end();
    await tick();
    expect(messages).toEqual([]);
  });

  it('[PB-PASS-1] carries every kind of message of a program that has read them before', async () => {
    const { readable, messages } = await open({ isReadBefore: true });
    const sent = [
      { jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(200_000) } },
      { id: 2, jsonrpc: '2.0', result: {} },
      { jsonrpc: '2.0', id: 3, error: { code: -32000, message: 'no' } },
      message(4),
    ] as const;
    for (const each of sent) readable.write(`${JSON.stringify(each)}\n`);
    await tick();
    expect(messages).toEqual(sent);
  });

  it('[NFR-R4] makes senders wait while the stream is full', async () => {
    const writable = new PassThrough({ highWaterMark: 64 });
    const { transport } = await open({ writable, maxWaitingBytes: 64 });
    let sent = 0;
    const sends = [1, 2, 3].map(async (id) => {
      await transport.send(message(id, 'x'.repeat(100)));
      sent += 1;
    });
    await tick();
    expect(sent).toBe(0);
    writable.resume();
    await Promise.all(sends);
    expect(sent).toBe(3);
  });

  it('[NFR-R4] writes what is sent in one turn at once', async () => {
    const writes: string[] = [];
    const writable = new Writable({
      write(chunk, _encoding, done) {
        writes.push(String(chunk));
        done();
      },
    });
    const { transport } = await open({ writable });
    for (const id of [1, 2, 3]) void transport.send(message(id));
    await tick();
    expect(writes.map((text) => text.split('\n').length - 1)).toEqual([3]);
  });

  it('[PB-PASS-1] sends urgent messages first, and withdraws messages that were not sent', async () => {
    const { writable, written, go } = slowWritable();
    const { transport } = await open({ writable });
    const [big, next, cancelled] = [message(1, 'x'.repeat(100_000)), message(2), message(3)];
    for (const each of [big, next, cancelled]) void transport.send(each);
    await tick();
    expect(transport.withdraw?.(big)).toBe(false);
    expect(transport.withdraw?.(cancelled)).toBe(true);
    void transport.send({ jsonrpc: '2.0', method: 'urgent' }, undefined, true);
    go();
    await tick();
    expect(written().map(({ id, method }) => id ?? method)).toEqual([1, 'urgent', 2]);
  });

  it('[NFR-R4] stops reading while it is held, but for two seconds at most, and only once for a hanging reader', async () => {
    const { readable, clock, transport, messages } = await open();
    const source = transport as unknown as MessageSource;
    let resume = (): void => {};
    const first = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const hung = new Promise<void>(() => {});
    source.pauseUntil(first);
    source.pauseUntil(first);
    source.pauseUntil(hung);
    readable.write('{"jsonrpc":"2.0","method":"a"}\n');
    await tick();
    resume();
    await clock.advance(1_999);
    await tick();
    expect(messages).toEqual([]);
    await clock.advance(1);
    await tick();
    expect(messages).toHaveLength(1);
    source.pauseUntil(hung);
    readable.write('{"jsonrpc":"2.0","method":"b"}\n');
    await tick();
    expect(messages).toHaveLength(2);
    expect(clock.pending).toBe(0);
  });

  it('[NFR-R4] ends a connection whose other side reads nothing of a quarter of a gigabyte', async () => {
    const { writable } = slowWritable();
    const transport = createStreamTransport({ readable: new PassThrough(), writable });
    const reasons: unknown[] = [];
    await transport.start({ message: () => {}, closed: (reason) => reasons.push(reason) });
    const large = message(1, 'x'.repeat(50 * 1024 * 1024));
    for (let sent = 0; sent < 5; sent += 1) void transport.send(large).catch(() => undefined);
    expect(reasons).toEqual([]);
    void transport.send(large).catch(() => undefined);
    expect(reasons).toHaveLength(1);
  });

  it('[NFR-R4] makes one connection wait for the other where messages pile up between them', async () => {
    const { writable, go } = slowWritable();
    const there = createStreamTransport({ readable: new PassThrough(), writable, maxWaitingBytes: 100_000 });
    const here = new PassThrough();
    const peers = { forwarded: 0 };
    const out = createPeer(there, quiet);
    const server = createStreamTransport({ readable: here, writable: new PassThrough() });
    const incoming = createPeer(server, {
      ...quiet,
      request: (request) => {
        peers.forwarded += 1;
        return out.forward(request).result;
      },
    });
    await Promise.all([out.start(), incoming.start()]);
    for (let id = 1; id <= 100; id += 1) here.write(`${JSON.stringify(message(id, 'x'.repeat(10_000)))}\n`);
    await tick();
    await tick();
    expect(peers.forwarded).toBeLessThan(30);
    go();
    for (let turn = 0; turn < 200 && peers.forwarded < 100; turn += 1) await tick();
    expect(peers.forwarded).toBe(100);
    await incoming.close();
  });

  it('[NFR-R4] still delivers the last messages when writing fails, then closes once', async () => {
    const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    const writable = new Writable({ write: (_chunk, _encoding, done) => done(broken) });
    const { readable, transport, messages, closed } = await open({ writable, maxWaitingBytes: 1 });
    await expect(transport.send(message(1))).rejects.toMatchObject({ sent: true });
    expect(closed).toEqual([]);
    await expect(transport.send(message(2))).rejects.toMatchObject({
      name: 'ConnectionClosedError',
      sent: false,
    });
    readable.end('{"jsonrpc":"2.0","id":9,"result":{}}');
    await tick();
    expect(messages).toMatchObject([{ id: 9 }]);
    expect(closed).toEqual([broken]);
  });

  it('[FR-009] closes a second after writing broke if the other side keeps silent', async () => {
    const { written, clock, closed } = await open();
    written.destroy();
    await tick();
    await clock.advance(999);
    expect(closed).toEqual([]);
    await clock.advance(1);
    expect(closed).toEqual([undefined]);
    expect(clock.pending).toBe(0);
  });

  it('rejects waiting senders when the connection closes', async () => {
    const writable = new PassThrough({ highWaterMark: 1 });
    const { readable, transport, closed } = await open({ writable, maxWaitingBytes: 1 });
    const waiting = transport.send(message(1));
    readable.end();
    readable.resume();
    await expect(waiting).rejects.toMatchObject({ sent: true });
    expect(closed).toEqual([undefined]);
  });

  it('reports closed once, whichever side closes and however often', async () => {
    const { readable, transport, closed, written } = await open();
    written.resume();
    await Promise.all([transport.close(), transport.close()]);
    readable.end();
    readable.destroy(new Error('late'));
    await tick();
    expect(closed).toEqual([undefined]);
    await expect(transport.send(message(1))).rejects.toMatchObject({ sent: false });
  });

  it('writes out what was sent before it closes', async () => {
    const { transport, written } = await open();
    void transport.send(message(1));
    const closing = transport.close();
    expect(JSON.parse(String(written.read()))).toMatchObject({ id: 1 });
    await closing;
    expect(written.writableFinished).toBe(true);
  });

  it('rejects a message that cannot be written as JSON, and stays open', async () => {
    const { transport } = await open();
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    await expect(transport.send({ jsonrpc: '2.0', id: 1, result: cyclic })).rejects.toMatchObject({
      sent: false,
    });
    await transport.send(message(2));
  });

  it('rejects the start on streams that have ended', async () => {
    const readable = new PassThrough();
    readable.destroy(new Error('spawn failed'));
    const transport = createStreamTransport({ readable, writable: new PassThrough() });
    await expect(transport.start({ message: () => {}, closed: () => {} })).rejects.toMatchObject({
      sent: false,
    });
  });
});
