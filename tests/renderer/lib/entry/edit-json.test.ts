import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { setJson } from '../../../../renderer/lib/entry/edit-json.ts';

describe('editing JSON in place', () => {
  it.each([
    ['a', '{\n  // first\n  "b": 2, // two\n  "c": 3\n}'],
    ['b', '{\n  // first\n  "a": 1,\n  // two\n  "c": 3\n}'],
    ['c', '{\n  // first\n  "a": 1,\n  "b": 2 // two\n}'],
  ])('[PB-CFG-1] removes %s and keeps the comments of the others', (key, expected) => {
    const text =
      key === 'b'
        ? '{\n  // first\n  "a": 1,\n  "b": 2,\n  // two\n  "c": 3\n}'
        : '{\n  // first\n  "a": 1,\n  "b": 2, // two\n  "c": 3\n}';
    expect(setJson(text, [key], undefined)).toBe(expected);
  });

  it('copes with one line, a trailing comma, and a property that is not there', () => {
    expect(parse(setJson('{ "a": 1, "b": 2 }', ['b'], undefined))).toEqual({ a: 1 });
    expect(setJson('{\n  "a": 1,\n}', ['a'], undefined)).toBe('{\n}');
    expect(setJson('{ "a": 1 }', ['x'], undefined)).toBe('{ "a": 1 }');
  });

  it('removes exactly what was asked, whatever the object holds', () => {
    const object = fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.jsonValue(), {
      minKeys: 1,
      maxKeys: 6,
    });
    fc.assert(
      fc.property(object, fc.nat(), fc.constantFrom(0, 2), (value, pick, indent) => {
        const keys = Object.keys(value);
        const key = keys[pick % keys.length] ?? '';
        const { [key]: _gone, ...rest } = value;
        const text = JSON.stringify(value, undefined, indent);
        expect(JSON.parse(setJson(text, [key], undefined))).toEqual(JSON.parse(JSON.stringify(rest)));
      }),
    );
  });
});
