import { expect, it } from 'vitest';
import { buildPhrases, phrasesIn } from '../../../../../electron/engine/search/text/phrases.ts';
import { Stems } from '../../../../../electron/engine/search/text/terms.ts';
import { wordsOf } from '../../../../../electron/engine/search/text/words.ts';
import { serverOf } from '../../../../helper/catalogue.ts';
import { find, indexOf } from '../../../../helper/search.ts';

const stems = new Stems();
const phrases = buildPhrases(stems);

it.each([
  ['throw away the draft', ['throw']],
  ['he threw the whole draft away', ['threw']],
  ['throw it over there and then go far away', []],
  ['how many pages are there', ['how']],
  ['show many pages', []],
  ['away', []],
])('finds the phrases of %j', (text, words) => {
  const found = phrasesIn(wordsOf(text), stems, phrases);
  expect([...new Set(found.map(({ word }) => word.text))]).toEqual(words);
});

it('searches for what a phrase means', () => {
  const mail = serverOf('mail', {
    tools: ['delete_draft', 'send_draft', 'take_snapshot', 'read_draft'].map((name) => ({ name })),
  });
  expect(find(indexOf([mail]), 'throw the draft away')[0]).toBe('mail:delete_draft');
});
