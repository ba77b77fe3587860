import { describe, expect, it } from 'vitest';
import {
  formatAgo,
  formatClock,
  formatDuration,
  formatMilliseconds,
  formatSince,
  formatStamp,
  formatUntil,
} from '../../../../renderer/lib/text/format-time.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe('times', () => {
  it.each([
    [-5, '0 s'],
    [8_900, '8 s'],
    [4 * minute, '4 min'],
    [4 * minute + 12_000, '4 min 12 s'],
    [3 * hour + 5 * minute, '3 h 5 min'],
    [2 * day + 4 * hour, '2 d 4 h'],
  ])('shows a length of %i ms in two units at most', (length, text) => {
    expect(formatDuration(length)).toBe(text);
  });

  it.each([
    [4_000, 'just now'],
    [12_000, '12 s ago'],
    [59 * minute, '59 min ago'],
    [23 * hour, '23 h ago'],
    [9 * day, '9 d ago'],
  ])('shows that %i ms have passed', (passed, text) => {
    expect(formatAgo(1_000_000, 1_000_000 + passed)).toBe(text);
  });

  it('counts down to a moment and then says now', () => {
    expect(formatUntil(10_000, 6_000)).toBe('in 4 s');
    expect(formatUntil(10_000, 9_500)).toBe('now');
    expect(formatUntil(10_000, 20_000)).toBe('now');
  });

  it.each([
    [0.4, '0 ms'],
    [999, '999 ms'],
    [999.8, '1.0 s'],
    [12_400, '12 s'],
  ])('shows %d ms as they are measured', (length, text) => {
    expect(formatMilliseconds(length)).toBe(text);
  });

  it('shows the day of a moment before today', () => {
    const at = new Date(2026, 10, 27, 16, 6, 9).getTime();
    expect([formatStamp(at, at + hour), formatSince(at, at + hour)]).toEqual(['16:06:09', '16:06']);
    expect([formatStamp(at, at + day), formatSince(at, at + day)]).toEqual(['27 Nov 16:06', '27 Nov 16:06']);
  });

  it('shows the time of day in a fixed width', () => {
    expect(formatClock(new Date(2026, 0, 1, 4, 3, 9).getTime())).toBe('04:03:09');
  });
});
