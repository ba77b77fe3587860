import { describe, expect, it } from 'vitest';
import { createPacedLines } from '../../../../../electron/engine/servers/process/paced-lines.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';

function paced() {
  const clock = new FakeClock();
  const lines: string[] = [];
  return { clock, lines, log: createPacedLines((text) => lines.push(text), clock) };
}

/** Numbered lines of 64 bytes, 1024 to a portion. */
const numbered = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => `${String(from + at).padStart(63, '0')}\n`).join('');
const numberOf = (line: string | undefined) => Number(line);

describe('the lines of a log that are passed on in portions', () => {
  it('come at once while there are few, and none waits', async () => {
    const { lines, log, clock } = paced();
    log.push(Buffer.from('one\ntw'));
    log.push(Buffer.from('o\n'));
    expect(lines).toEqual(['one', 'two']);
    await clock.advance(1000);
    expect(clock.pending).toBe(0);
  });

  it('are all there after a burst that a log can hold', async () => {
    const { lines, log, clock } = paced();
    for (let at = 0; at < 8192; at += 512) log.push(Buffer.from(numbered(at, 512)));
    expect(lines).toHaveLength(1024);
    await clock.advance(100);
    expect(lines).toHaveLength(2048);
    await clock.advance(600);
    expect(lines.map(numberOf)).toEqual(Array.from({ length: 8192 }, (_, at) => at));
  });

  it('[FR-009] are whole lines, the newest of a flood, with a line that says how much is missing', async () => {
    const { lines, log, clock } = paced();
    const flood = Buffer.from(numbered(0, 50_000));
    for (let at = 0; at < flood.length; at += 65_000) log.push(flood.subarray(at, at + 65_000));
    expect(lines.length).toBeLessThan(2100);
    await clock.advance(2000);
    const gap = lines.findIndex((line) => line.startsWith('('));
    expect(lines[gap]).toMatch(/^\(2\.\d MB left out: /);
    for (const part of [lines.slice(0, gap), lines.slice(gap + 1)])
      expect(part.map(numberOf)).toEqual(part.map((_, at) => numberOf(part[0]) + at));
    expect(numberOf(lines.at(-1))).toBe(49_999);
    log.push(Buffer.from('later\n'));
    expect(lines.at(-1)).toBe('later');
  });

  it('[FR-009] come before the end of the stream is over', () => {
    const { lines, log } = paced();
    log.push(Buffer.from(numbered(0, 4096)));
    log.push(Buffer.from(numbered(4096, 2048)));
    log.push(Buffer.from('the reason'));
    log.end();
    expect(lines).toHaveLength(6145);
    expect(lines.at(-1)).toBe('the reason');
  });

  it('[NFR-SEC1] hold nothing of a line that was cut', async () => {
    const { lines, log, clock } = paced();
    log.push(Buffer.from('x'.repeat(65_536)));
    for (let at = 0; at < 9; at++) log.push(Buffer.from('s'.repeat(65_536)));
    log.push(Buffer.from('ecret\nfine\nsec'));
    for (let at = 0; at < 9; at++) log.push(Buffer.from('r'.repeat(65_536)));
    await clock.advance(2000);
    log.end();
    expect(lines.filter((line) => !line.startsWith('('))).toEqual([]);
    expect(lines.at(-1)).toMatch(/ MB left out: /);
  });
});
