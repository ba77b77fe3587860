import { describe, expect, it } from 'vitest';
import { plainKey, toolPrefix } from '../../../../renderer/lib/entry/plain-key.ts';

describe('a plain key', () => {
  it.each([
    ['My Files', 'my-files'],
    ['github', 'github'],
    ['GitHub_2', 'GitHub_2'],
    ['Über: Notes!', 'uber-notes'],
    ['2 notes', 'notes'],
    [' a  b ', 'a-b'],
    ['ключ', ''],
    ['', ''],
  ])('of %s is %s', (key, plain) => {
    expect(plainKey(key)).toBe(plain);
  });

  it('is what clients see before two underscores', () => {
    expect([toolPrefix('my-files'), toolPrefix('My Files')]).toEqual(['my-files__', 'My_Files__']);
  });
});
