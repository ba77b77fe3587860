import { expect, it } from 'vitest';
import { partEnds } from '../../../../../electron/engine/search/text/parts.ts';

/** Returns the parts themselves, which are easier to read than their ends. */
function partsIn(query: string): readonly string[] {
  const ends = partEnds(query);
  return ends.map((end, index) => query.slice(ends[index - 1] ?? 0, end));
}

it.each([
  ['create an issue', ['create an issue']],
  [
    'Find the open invoices. Then send a reminder to each customer.',
    ['Find the open invoices', '. Then send a reminder to each customer.'],
  ],
  ['read the config and delete the old file', ['read the config', ' and delete the old file']],
  ['list all users, then export them', ['list all users', ', then export them']],
  // Neither part means enough on its own.
  ['Hi! Show my inbox please', ['Hi! Show my inbox please']],
  ['search and replace', ['search and replace']],
  ['Show me my whole inbox. Thanks!', ['Show me my whole inbox. Thanks!']],
])('knows the parts of %j', (query, parts) => {
  expect(partsIn(query)).toEqual(parts);
});

it('ends at the end of the query, however many parts there are', () => {
  const query = 'do the next thing. '.repeat(50);
  expect(partEnds(query).length).toBeLessThanOrEqual(6);
  expect(partEnds(query).at(-1)).toBe(query.length);
});
