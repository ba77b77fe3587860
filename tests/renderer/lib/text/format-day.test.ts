import { expect, test } from 'vitest';
import { formatDay } from '../../../../renderer/lib/text/format-day.ts';

const now = new Date(2026, 2, 10, 6, 30).getTime();

test.each([
  [new Date(2026, 2, 10).getTime(), 'today'],
  [new Date(2026, 2, 9, 23, 59).getTime(), 'yesterday'],
  [new Date(2026, 2, 5).getTime(), '5 days ago'],
  [new Date(2026, 2, 11).getTime(), 'today'],
])('[PB-CLIENT-1] a moment is shown as a day: %d is %s', (at, text) => {
  expect(formatDay(at, now)).toBe(text);
});
