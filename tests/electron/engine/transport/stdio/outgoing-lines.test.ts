import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createOutgoingLines } from '../../../../../electron/engine/transport/stdio/outgoing-lines.ts';

const message = { jsonrpc: '2.0', method: 'm' } as const;
const turnOver = () => new Promise((resolve) => setImmediate(resolve));

/** Records the writes, and whether the turn of the event loop that queued them was over by then. */
function writing(isBusy: () => boolean) {
  const written: string[] = [];
  const writable = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      done();
    },
  });
  const lines = createOutgoingLines({ writable, isBusy });
  return { written, say: (text: string) => lines.add(message, Buffer.from(text), false) };
}

describe('lines on their way out', () => {
  it('[PB-PASS-1] [NFR-P1] leave in the turn in which they came, those that came together in one write', async () => {
    const { written, say } = writing(() => false);
    say('a');
    await Promise.resolve();
    say('b');
    await new Promise<void>((resolve) => process.nextTick(resolve));
    expect(written).toEqual(['ab']);
  });

  it('[NFR-P1] wait for what else comes in this turn while several answers are waited for', async () => {
    const { written, say } = writing(() => true);
    say('a');
    await new Promise<void>((resolve) => process.nextTick(resolve));
    expect(written).toEqual([]);
    say('b');
    await turnOver();
    expect(written).toEqual(['ab']);
  });

  it('[NFR-R3] share one listener while fifty writers wait, and one wait', async () => {
    let isRead = () => {};
    const writable = new Writable({
      highWaterMark: 1,
      write(_chunk, _encoding, done) {
        isRead = done;
      },
    });
    const lines = createOutgoingLines({ writable, limit: 10, isBusy: () => false });
    const waits = new Set<Promise<void> | undefined>();
    for (let writer = 0; writer < 50; writer += 1) {
      lines.add(message, Buffer.from('twelve bytes'), false);
      await turnOver();
      waits.add(lines.congestion);
    }
    expect(waits.size).toBe(1);
    expect(['drain', 'close', 'error'].map((event) => writable.listenerCount(event))).toEqual([1, 0, 0]);
    for (let round = 0; round < 2; round += 1) {
      isRead();
      await turnOver();
    }
    await [...waits][0];
    expect(writable.listenerCount('drain')).toBe(1);
  });
});
