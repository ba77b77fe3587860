import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wordsOf } from '../../../../../electron/engine/search/text/words.ts';

const said = (text: string) => wordsOf(text).map((word) => word.text);

it.each([
  ['create_issue', ['create', 'issue']],
  ['createIssue', ['create', 'issue']],
  ['HTTPServerURL', ['http', 'server', 'url']],
  ['browser-click', ['browser', 'click']],
  ['s3_put_object', ['s3', 'put', 'object']],
  ['listEC2Instances', ['list', 'ec2', 'instances']],
  ['issue2', ['issue', '2']],
  ['café Überweisung', ['cafe', 'uberweisung']],
  ['поиск файлов', ['поиск', 'файлов']],
  ['天気予報', ['天気', '気予', '予報']],
  ["Bob's files, they're here", ['bob', 'files', 'they', 'here']],
  ['Zoë’s café', ['zoe', 'cafe']],
  ["'id' or 'it'", ['id', 'or', 'it']],
  ["rock'n'roll d'or", ['rock', 'n', 'roll', 'd', 'or']],
  ['turn on 💡', ['turn', 'on', '💡']],
  ['.*+?^{}()|[]\\', []],
  ['', []],
])('splits %j into words', (text, words) => {
  expect(said(text)).toEqual(words);
});

it('returns the position of each word in UTF-16 units', () => {
  const text = '💡 turnOn écran';
  expect(wordsOf(text).map(({ start, end }) => text.slice(start, end))).toEqual([
    '💡',
    'turn',
    'On',
    'écran',
  ]);
});

it('has every letter and digit of an ASCII text in one word, in order', () => {
  const characters = fc.constantFrom(...'abzABZ019 _-.');
  fc.assert(
    fc.property(fc.string({ unit: characters, maxLength: 30 }), (text) => {
      const words = wordsOf(text);
      for (const word of words) expect(text.slice(word.start, word.end).toLowerCase()).toBe(word.text);
      expect(words.map((word) => word.text).join('')).toBe(text.toLowerCase().replace(/[ _.-]/g, ''));
    }),
  );
});
