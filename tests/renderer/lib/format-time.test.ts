import { describe, expect, it } from 'vitest';
import {
  formatAgo,
  formatClock,
  formatDuration,
  formatMilliseconds,
  formatUntil,
} from '../../../renderer/lib/format-time.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe('times', () => {
  it.each([
    [-5, '0s'],
    [8_900, '8s'],
    [4 * minute, '4m'],
    [4 * minute + 12_000, '4m 12s'],
    [3 * hour + 5 * minute, '3h 5m'],
    [2 * day + 4 * hour, '2d 4h'],
  ])('shows a length of %i ms in two units at most', (length, text) => {
    expect(formatDuration(length)).toBe(text);
  });

  it.each([
    [4_000, 'just now'],
    [12_000, '12s ago'],
    [59 * minute, '59m ago'],
    [23 * hour, '23h ago'],
    [9 * day, '9d ago'],
  ])('shows that %i ms have passed', (passed, text) => {
    expect(formatAgo(1_000_000, 1_000_000 + passed)).toBe(text);
  });

  it('counts down to a moment and then says now', () => {
    expect(formatUntil(10_000, 6_000)).toBe('in 4s');
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

  it('shows the time of day in a fixed width', () => {
    expect(formatClock(new Date(2026, 0, 1, 4, 3, 9).getTime())).toBe('04:03:09');
  });
});
