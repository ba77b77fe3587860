import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseText, positionAt } from '../../../../../electron/engine/config/jsonc/parse.ts';
import { plainValue } from '../../../../../electron/engine/config/jsonc/tree.ts';

const valueIn = (text: string) => {
  const { root } = parseText(text);
  return root === undefined ? undefined : plainValue(root);
};

describe('parseText', () => {
  it.each([
    ['comments', '{ // one\n "a": 1 /* two */ }', { a: 1 }],
    ['a trailing comma', '{"a": [1, 2,],}', { a: [1, 2] }],
    ['a byte order mark', '\uFEFF{"a": 1}', { a: 1 }],
    ['Windows line ends', '{\r\n"a": 1\r\n}\r\n', { a: 1 }],
  ])('[FR-001] accepts %s', (_, text, value) => {
    expect(valueIn(text)).toEqual(value);
  });

  it.each([
    ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['a missing brace', '{\n  "a": 1\n', 3, 1],
    ['single quotes', "{\n  'a': 1\n}", 2, 3],
    ['an open text', '{\n  "a": "x\n}', 2, 8],
    ['a second document', '{}\n{}', 2, 1],
    ['a bad escape', '{"a": "C:\\Users"}', 1, 7],
    ['an empty file', '', 1, 1],
    ['a file of blanks', ' \n\n', 1, 1],
    ['nonsense after a byte order mark', '\uFEFF{"a": nope}', 1, 7],
    ['Windows line ends', '{\r\n  "a": 1\r\n  "b": 2\r\n}', 3, 3],
  ])('[US1.4] names line and column for %s', (_, text, line, column) => {
    const { faults, root } = parseText(text);
    expect(root).toBeUndefined();
    expect(faults[0]).toMatchObject({ line, column });
  });

  it('[FR-010] reports all faults of a text, in order', () => {
    const { faults } = parseText('{\n  "a": nope,\n  "b": 1\n  "c": what\n}');
    expect(faults.map(({ line }) => line)).toEqual([2, 4, 4]);
  });

  it('refuses a text made to overflow the stack as a fault', () => {
    expect(parseText('['.repeat(200_000)).faults).toHaveLength(1);
  });

  it('keeps a key named __proto__ an ordinary key', () => {
    expect(Object.keys(valueIn('{"__proto__": {"x": 1}}') as object)).toEqual(['__proto__']);
  });

  it('is total and agrees with JSON.parse on every JSON text', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseText(text)));
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(valueIn(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe('positionAt', () => {
  it('counts every kind of line end once', () => {
    expect(positionAt('a\nb\r\nc\rd', 7)).toEqual({ line: 4, column: 1 });
  });
});
