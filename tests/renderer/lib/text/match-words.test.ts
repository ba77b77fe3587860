import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markWords, matchesWords, queryWords } from '../../../../renderer/lib/text/match-words.ts';

describe('searching', () => {
  it('finds texts that hold every word, in any order and case', () => {
    expect(matchesWords('merge a pull request', queryWords('  PULL merge '))).toBe(true);
    expect(matchesWords('merge a pull request', queryWords('pull issue'))).toBe(false);
    expect(matchesWords('anything', queryWords(' '))).toBe(true);
  });

  it('marks the words where they stand and takes them literally', () => {
    expect(markWords('get_file (a+b)', ['(a+b)', 'file'])).toEqual([
      { text: 'get_', hit: false },
      { text: 'file', hit: true },
      { text: ' ', hit: false },
      { text: '(a+b)', hit: true },
    ]);
  });

  it('never changes the text it marks', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string({ minLength: 1 }), { maxLength: 3 }), (text, words) => {
        const parts = markWords(text, words);
        expect(parts.map((part) => part.text).join('')).toBe(text);
      }),
    );
  });
});
