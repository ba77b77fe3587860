import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  elementSpans,
  memberSpans,
  type Span,
} from '../../../../../electron/engine/jsonrpc/json/json-spans.ts';

function cut(text: string, find: (bytes: Buffer) => readonly Span[]): readonly string[] {
  const bytes = Buffer.from(text);
  return find(bytes).map(({ start, end }) => bytes.toString('utf8', start, end));
}

const members = (text: string, name: string) => cut(text, (bytes) => memberSpans(bytes, name));
const elements = (text: string) => cut(text, (bytes) => elementSpans(bytes, 0));

describe('spans of JSON', () => {
  it('cover every member with the name, however it is escaped, and no other', () => {
    const text = String.raw`{ "b":{"a":0}, "a" : 1.0 ,"\u0061":[ 2 ],"aa":3,"":"\"a\":4","a":-0}`;
    expect(members(text, 'a')).toEqual(['1.0', '[ 2 ]', '-0']);
    expect(members(text, '')).toEqual([String.raw`"\"a\":4"`]);
    expect(members('{}', 'a')).toEqual([]);
  });

  it('cover each element without the white space around it', () => {
    const space = fc.constantFrom('', ' ', '\n\t');
    const element = fc.tuple(space, fc.json(), space);
    fc.assert(
      fc.property(fc.array(element), (parts) => {
        const texts = parts.map(([, text]) => text);
        expect(elements(`[${parts.map((part) => part.join('')).join(',')}]`)).toEqual(texts);
      }),
    );
  });

  it.each(['', '7', '"[1]"', '{"a"', '{"a":', '{"a":tru}', '[', '[1', '[1,', '[tru]', '[1 2]', '{a:1}'])(
    'end where %j does',
    (text) => {
      expect(members(text, 'a')).toEqual([]);
      expect(elements(text).length).toBeLessThan(2);
    },
  );
});
