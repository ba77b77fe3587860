import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RawItem } from '../../../../../electron/engine/catalogue/contract.ts';
import { readItem } from '../../../../../electron/engine/catalogue/item-text.ts';
import { canonicalText } from '../../../../../electron/engine/pinning/definition/canonical-text.ts';

const canonical = (text: string) => canonicalText(readItem(text) as RawItem);

test('[PB-SAFE-1] white space, member order and the spelling of numbers do not matter', () => {
  const one = canonical('{"name":"t","inputSchema":{"minimum":100,"type":"object"}}');
  expect(canonical('{ "inputSchema": {"type" : "object", "minimum": 1.0e2}, "name": "\\u0074" }')).toBe(one);
});

test('[PB-SAFE-1] what a parser would drop matters: duplicate members, digits beyond a double', () => {
  expect(canonical('{"name":"t","description":"a","description":"b"}')).not.toBe(
    canonical('{"name":"t","description":"b"}'),
  );
  expect(canonical('{"name":"t","x":12345678901234567890}')).not.toBe(
    canonical('{"name":"t","x":12345678901234567891}'),
  );
});

test('[PB-SAFE-1] the order of elements matters', () => {
  expect(canonical('{"name":"t","enum":[1,2]}')).not.toBe(canonical('{"name":"t","enum":[2,1]}'));
});

test('[PB-SAFE-1] numbers and many members give the same text, whether read from text or not', () => {
  const numbers = [0, -0, 7, -250, 1000, 0.5, 1e21, 2 ** 53, -1.5e-7];
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`k${(index * 7) % 40}`, index]));
  const few = { b: 1, aa: 2, a: 3, '': 4, B: 5 };
  for (const value of [...numbers, many, few])
    expect(canonicalText({ value })).toBe(
      canonical(JSON.stringify({ value }, undefined, 1).replaceAll('\n', ' ')),
    );
  expect(canonicalText(few)).toBe('{"":4e0,"B":5e0,"a":3e0,"aa":2e0,"b":1e0}');
});

test('[PB-SAFE-1] any value equals itself read from its text, and differs from other values', () => {
  const value = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(value, (item) => {
      const spaced = readItem(JSON.stringify(item, undefined, 1).replaceAll('\n', ' ')) as RawItem;
      return canonicalText(spaced) === canonicalText(item);
    }),
  );
  fc.assert(
    fc.property(value, value, (one, other) => {
      const isSame = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
      return (canonicalText(one) === canonicalText(other)) === isSame;
    }),
  );
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => [key, sorted(member)]);
}
