import { expect, it } from 'vitest';
import { PartScores } from '../../../../../electron/engine/search/index/part-points.ts';

const words = [{ parts: 0b01 }, { parts: 0b10 }];

it('ranks a match of one part above partial matches of several', () => {
  const points = new PartScores();
  points.begin(words, 2);
  points.add(0, 0b01, 2);
  points.add(1, 0b01, 1);
  points.add(1, 0b10, 1);
  expect(points.mixed(0, 2)).toBeGreaterThan(points.mixed(1, 2));
});

it('counts a word for every part that contains it', () => {
  const points = new PartScores();
  points.begin(words, 1);
  points.add(0, 0b11, 1);
  points.add(0, 0b10, 1);
  expect(points.mixed(0, 2)).toBe(2);
});

it('resets after reading, and changes nothing for a query with one part', () => {
  const points = new PartScores();
  points.begin(words, 1);
  points.add(0, 0b10, 4);
  expect([points.mixed(0, 4), points.mixed(0, 4)]).toEqual([4, 2]);
  points.begin([{ parts: 1 }], 1);
  points.add(0, 1, 4);
  expect(points.mixed(0, 3)).toBe(3);
});
