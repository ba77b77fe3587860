import { expect, it } from 'vitest';
import { formatBytes, formatCount, formatPercent } from '../../../../renderer/lib/text/format-amount.ts';

it.each([
  [0, '0 B'],
  [812, '812 B'],
  [1_536, '1.5 KB'],
  [88_080_384, '84 MB'],
  [1_288_490_189, '1.2 GB'],
])('shows %i bytes with few digits', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

it.each([
  [0, '0.0%'],
  [9.94, '9.9%'],
  [9.96, '10%'],
  [140.2, '140%'],
])('shows %d per cent', (percent, text) => {
  expect(formatPercent(percent)).toBe(text);
});

it('counts in words', () => {
  expect(formatCount(1, 'tool')).toBe('1 tool');
  expect(formatCount(10_000, 'tool')).toBe('10,000 tools');
  expect(formatCount(2, 'match', 'matches')).toBe('2 matches');
});
