import { describe, expect, it } from 'vitest';
import { isRecord, parseJson } from '../../shared/json.ts';

describe('JSON of unknown origin', () => {
  it('is a record where it is an object with members', () => {
    expect([{}, { a: 1 }].map(isRecord)).toEqual([true, true]);
    expect([null, [], 'a', 1, undefined].map(isRecord)).toEqual([false, false, false, false, false]);
  });

  it('is nothing where it cannot be read', () => {
    expect(parseJson('{"a":[1]}')).toEqual({ a: [1] });
    expect(parseJson('{"a":')).toBeUndefined();
  });
});
