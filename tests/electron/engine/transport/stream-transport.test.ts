import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { JsonRpcMessage } from '../../../../electron/engine/rpc/message.ts';
import { toValue } from '../../../../electron/engine/rpc/read-message.ts';
import { createStreamTransport } from '../../../../electron/engine/transport/stream-transport.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

async function open(options: { writable?: Writable; maxLineBytes?: number; maxWaitingBytes?: number } = {}) {
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

describe('stream transport', () => {
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
    expect(noise.slice(0, 7)).toEqual([
      'Server ready!',
      '{',
      '  "pretty": true',
      '}',
      '[1,2]',
      '42',
      '{"level":"info","id":4}',
    ]);
    expect(noise[7]?.length).toBeLessThan(4200);
    expect(messages).toEqual([
      { jsonrpc: '2.0', method: 'n' },
      { id: 1, method: 'versionless' },
    ]);
  });

  it('[EDGE-2] gives a request its outcome when the answer is over the limit, and lives on', async () => {
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

  it('[NFR-R4] still delivers what was said last when writing breaks, then closes once', async () => {
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

  it('says closed once, whoever closes and however often', async () => {
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
