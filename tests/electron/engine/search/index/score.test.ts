import { expect, it } from 'vitest';
import { scoreDocuments, type WeightedWord } from '../../../../../electron/engine/search/index/score.ts';

it('ranks a match of one part above partial matches of several', () => {
  const points = scoreDocuments(
    new Map([
      [
        'first',
        [
          { place: 0, weight: 2 },
          { place: 1, weight: 1 },
        ],
      ],
      ['second', [{ place: 1, weight: 1 }]],
    ]),
    2,
    [word('first', [0], 0), word('second', [1], 0)],
  );
  expect(points[0]).toBeGreaterThan(points[1] ?? 0);
});

it('counts a word for every part that contains it', () => {
  const points = scoreDocuments(
    new Map([
      ['both', [{ place: 0, weight: 1 }]],
      ['second', [{ place: 0, weight: 1 }]],
    ]),
    1,
    [word('both', [0, 1]), word('second', [1])],
  );
  expect(points).toEqual([2]);
});

it('changes nothing for a query with one part', () => {
  const points = scoreDocuments(new Map([['only', [{ place: 1, weight: 3 }]]]), 3, [word('only', [0])]);
  expect(points).toEqual([0, 3, 0]);
});

it('takes the best term of a word, and no document for a frequent word alone', () => {
  const postings = new Map([
    ['term', [{ place: 0, weight: 2 }]],
    ['synonym', [{ place: 0, weight: 1 }]],
    ['frequent', [{ place: 1, weight: 9 }]],
  ]);
  const variants = ['synonym', 'term'].map((term) => ({ term, points: 1 }));
  const points = scoreDocuments(postings, 2, [
    { ...word('term', [0]), variants },
    { ...word('frequent', [0], 0), isCommon: true },
  ]);
  expect(points).toEqual([2, 0]);
});

function word(term: string, parts: readonly number[], weight = 1): WeightedWord {
  return { parts, weight, isCommon: false, variants: [{ term, points: 1 }] };
}
