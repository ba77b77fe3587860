import { describe, expect, it } from 'vitest';
import { isRecord, parseJson, scalarText } from '../../shared/json.ts';

describe('JSON of unknown origin', () => {
  it('is a record if it is an object with members', () => {
    expect([{}, { a: 1 }].map(isRecord)).toEqual([true, true]);
    expect([null, [], 'a', 1, undefined].map(isRecord)).toEqual([false, false, false, false, false]);
  });

  it('is undefined if it cannot be parsed', () => {
    expect(parseJson('{"a":[1]}')).toEqual({ a: [1] });
    expect(parseJson('{"a":')).toBeUndefined();
  });

  it('has a text if it is a plain value, and none if its members could break a conversion', () => {
    expect(['a', 1, true, 2n].map(scalarText)).toEqual(['a', '1', 'true', '2']);
    const odd = { toString: 0, valueOf: 0 };
    expect([odd, [odd], null, undefined, Object.create(null)].map(scalarText)).toEqual(['', '', '', '', '']);
  });
});
