import { describe, expect, it } from 'vitest';
import {
  isExact,
  pathKey,
  readFormText,
  writeFormText,
} from '../../../../renderer/feature/tester/form/form-text.ts';

/** Edits the text through the form. */
function edit(text: string, change: (value: Record<string, unknown>) => void): string {
  const read = readFormText(text);
  if (read.kind === 'broken') throw new Error(read.reason);
  const after = structuredClone(read.value) as Record<string, unknown>;
  change(after);
  return writeFormText(text, read.value, after);
}

describe('arguments as text and as a form', () => {
  it('[AG-US4-AC4] keep every number the form cannot represent, whatever else is edited', () => {
    const text = '{\n  "big": 12345678901234567890,\n  "name": "a",\n  "odd": 1.0\n}';
    const edited = edit(text, (value) => {
      value.name = 'b';
    });
    expect(edited).toBe(text.replace('"a"', '"b"'));
  });

  it('keep them in lists whose items are moved, added and removed', () => {
    const text = '{"ids": [12345678901234567890, 1, 2]}';
    const added = edit(text, (value) => void (value.ids as number[]).push(3));
    expect(added.replace(/\s+/g, '')).toBe('{"ids":[12345678901234567890,1,2,3]}');
    const removed = edit(text, (value) => void (value.ids as number[]).splice(1, 1));
    expect(removed.replace(/\s+/g, '')).toBe('{"ids":[12345678901234567890,2]}');
    const changed = edit(text, (value) => {
      value.ids = [...(value.ids as number[]).slice(0, 2), 5];
    });
    expect(changed.replace(/\s+/g, '')).toBe('{"ids":[12345678901234567890,1,5]}');
  });

  it('drop unset values, and write null for gaps in a list', () => {
    expect(edit('{"a":1,"b":2}', (value) => void Object.assign(value, { a: undefined }))).toBe('{"b":2}');
    const gap = edit('{"list":["x"]}', (value) => void (value.list as unknown[]).push(undefined));
    expect(JSON.parse(gap)).toEqual({ list: ['x', null] });
    const nested = edit('{}', (value) => {
      value.outer = { inner: [{ deep: true }] };
    });
    expect(JSON.parse(nested)).toEqual({ outer: { inner: [{ deep: true }] } });
  });

  it('start empty, and say why a text cannot be a form', () => {
    expect(edit('', (value) => void Object.assign(value, { a: 'x' }))).toContain('"a": "x"');
    expect(readFormText('[1]')).toMatchObject({
      kind: 'broken',
      reason: 'The arguments are not a JSON object.',
    });
    expect(readFormText('{"a":')).toMatchObject({ kind: 'broken' });
  });

  it('know which numbers the form would round', () => {
    const read = readFormText('{"a":[{"b":9007199254740993}],"c":1e400,"d":0.1,"e":1e2}');
    const exact = read.kind === 'object' ? [...read.exact] : [];
    expect(exact).toEqual([
      [pathKey(['a', 0, 'b']), '9007199254740993'],
      [pathKey(['c']), '1e400'],
    ]);
  });
});

it.each([
  ['0', true],
  ['-0.0', true],
  ['1.50', true],
  ['1e3', true],
  ['0.1', true],
  ['1E-7', true],
  ['9007199254740992', true],
  ['9007199254740993', false],
  ['0.1000000000000000055511151231257827', false],
  ['1e400', false],
  ['123456789012345678901234567890', false],
])('a double holds %s exactly: %s', (text, exact) => {
  expect(isExact(text)).toBe(exact);
});
