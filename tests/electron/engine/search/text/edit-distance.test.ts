import { expect, it } from 'vitest';
import { editDistance } from '../../../../../electron/engine/search/text/edit-distance.ts';

it.each([
  ['issue', 'issue', 0],
  ['isuse', 'issue', 1],
  ['issu', 'issue', 1],
  ['tissue', 'issue', 1],
  ['asset', 'issue', 3],
  ['', 'ab', 2],
])('between %j and %j are %i mistakes', (one, other, distance) => {
  expect(editDistance(one, other, 2)).toBe(distance);
});
