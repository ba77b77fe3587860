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
});
