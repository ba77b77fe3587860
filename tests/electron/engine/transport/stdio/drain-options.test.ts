import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { toValue, type WireMessage } from '../../../../../electron/engine/jsonrpc/read-message.ts';
import { createStreamTransport } from '../../../../../electron/engine/transport/stdio/stream-transport.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Creates a transport whose other side has sent requests with the ids 1 and "b" and ended its input. */
async function asked(options: { writable?: Writable; more?: string; isGone?: () => boolean } = {}) {
  const readable = new PassThrough();
  const written = new PassThrough();
  const writable = options.writable ?? written;
  const clock = new FakeClock();
  const { isGone = () => false } = options;
  const lastAnswers = { timeoutMs: 30_000, isPeerGone: isGone };
  const transport = createStreamTransport({ readable, writable, clock, drain: lastAnswers });
  const heard: WireMessage[] = [];
  const closed: (Error | undefined)[] = [];
  await transport.start({
    message: (message) => heard.push(toValue(message)),
    closed: (reason) => closed.push(reason),
  });
  readable.write('{"jsonrpc":"2.0","id":1,"method":"a"}\n{"jsonrpc":"2.0","id":"b","method":"b"}\n');
  readable.end(options.more);
  await tick();
  await tick();
  expect(heard.length).toBeGreaterThanOrEqual(2);
  const lines = () => String(written.read() ?? '').split('\n');
  const answer = (id: number | string) => transport.send({ jsonrpc: '2.0', id, result: {} });
  return { transport, clock, closed, lines, answer };
}

describe('the last answers', () => {
  it('[PB-BRIDGE-1] leave before the end', async () => {
    const { answer, lines, closed } = await asked();
    await answer('b');
    await tick();
    expect(closed).toEqual([]);
    await answer(1);
    await tick();
    expect(lines().filter((line) => line.includes('"result"'))).toHaveLength(2);
    expect(closed).toEqual([undefined]);
  });

  it('[PB-BRIDGE-1] are not awaited if a request was cancelled', async () => {
    const more =
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"b"}}\n{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n';
    const { closed } = await asked({ more });
    await tick();
    expect(closed).toEqual([undefined]);
  });

  it('[PB-BRIDGE-1] are refusals once patience is over', async () => {
    const { clock, answer, lines, closed } = await asked();
    await answer(1);
    await clock.advance(30_000);
    await tick();
    expect(lines().find((line) => line.includes('"id":"b"'))).toContain('No answer came within 30 s');
    expect(closed).toEqual([undefined]);
  });

  it('[PB-BRIDGE-1] are for nobody where the other side does not read any more', async () => {
    const writable = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
    const { answer, closed } = await asked({ writable });
    await answer('b');
    await tick();
    await tick();
    expect(closed).toHaveLength(1);
  });

  it('[PB-BRIDGE-1] are for nobody where the other side is seen to be gone', async () => {
    let isGone = false;
    const { clock, closed } = await asked({ isGone: () => isGone });
    await clock.advance(1_000);
    expect(closed).toEqual([]);
    isGone = true;
    await clock.advance(250);
    expect(closed).toHaveLength(1);
  });
});
