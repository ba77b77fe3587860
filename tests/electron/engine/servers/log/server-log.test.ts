import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createServerLog } from '../../../../../electron/engine/servers/log/server-log.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';

describe('the log of a server', () => {
  it('keeps the newest lines within its bounds, numbered without a gap', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 30 })), (texts) => {
        const log = createServerLog({ clock: new FakeClock(), limits: { lines: 10, size: 100 } });
        for (const text of texts) log.append('stderr', text);
        const all = texts.flatMap((text) => text.split('\n'));
        const { lines } = log;
        expect(lines.length).toBeLessThanOrEqual(10);
        expect(lines.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(100);
        expect(lines.map(({ text }) => text)).toEqual(lines.length === 0 ? [] : all.slice(-lines.length));
        expect(lines.map(({ seq }) => seq)).toEqual(
          lines.map((_, index) => all.length - lines.length + index + 1),
        );
      }),
    );
  });

  it('reports lines in batches, each line once, only the newest of a flood', async () => {
    const clock = new FakeClock();
    const log = createServerLog({ clock, limits: { batch: 3 } });
    const heard: string[][] = [];
    log.append('hub', 'before');
    const subscription = log.onLines((lines) => heard.push(lines.map(({ text }) => text)));
    log.append('stderr', 'a');
    log.append('stdout', 'b\nc');
    await clock.advance(1000);
    for (const text of ['1', '2', '3', '4']) log.append('stderr', text);
    await clock.advance(1000);
    subscription.dispose();
    log.append('stderr', 'unheard');
    await clock.advance(1000);
    expect(heard).toEqual([
      ['a', 'b', 'c'],
      ['2', '3', '4'],
    ]);
  });

  it('gives the last stderr lines as evidence, without blanks and other streams', () => {
    const log = createServerLog({ clock: new FakeClock() });
    log.append('stderr', 'one\n\ntwo');
    log.append('hub', 'Connected');
    log.append('stderr', 'three');
    expect(log.tail(2)).toEqual(['two', 'three']);
    log.clear();
    expect(log.tail(2)).toEqual([]);
    expect(log.lines).toEqual([]);
  });
});
