import { describe, expect, it } from 'vitest';
import { checkValue, PartChecker } from '../../../../renderer/feature/tester/form/schema-checker.ts';

const messages = (schema: unknown, value: unknown) => {
  const verdict = checkValue(schema, value);
  if (verdict.kind === 'unusable') return verdict.reason;
  return verdict.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

describe('a value is checked against its schema', () => {
  it('and each error is reported at its place, in a sentence', () => {
    const schema = {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { type: 'integer', minimum: 3 }, list: { type: 'array', items: { type: 'string' } } },
      additionalProperties: false,
    };
    expect(messages(schema, { a: 1, list: ['x', 2], extra: true })).toEqual([
      'b: Required',
      'a: 1 is less than 3.',
      'list.1: Expected string, not number.',
      'extra: No such field',
    ]);
    expect(messages(schema, { a: 3, b: 1 })).toEqual(['b: No such field']);
  });

  it('using the draft it names, or the newest one', () => {
    const tuple = { prefixItems: [{ type: 'string' }], items: false };
    expect(messages(tuple, ['a', 'b'])).not.toEqual([]);
    const old = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      items: [{ type: 'string' }],
      additionalItems: false,
    };
    expect(messages(old, ['a'])).toEqual([]);
    expect(messages(old, ['a', 'b'])).not.toEqual([]);
    const exclusive = {
      $schema: 'http://json-schema.org/draft-04/schema#',
      minimum: 1,
      exclusiveMinimum: true,
    };
    expect(messages(exclusive, 1)).not.toEqual([]);
  });

  it('with references, unions, patterns and recursion', () => {
    const tree = {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          properties: { children: { type: 'array', items: { $ref: '#/$defs/node' } } },
          patternProperties: { '^x-': { type: 'number' } },
        },
      },
    };
    expect(messages(tree, { children: [{ children: [] }], 'x-a': 1 })).toEqual([]);
    expect(messages(tree, { children: [{ children: 5 }], 'x-a': 'no' })).toEqual([
      'children.0.children: Expected array, not number.',
      'x-a: Expected number, not string.',
    ]);
    const union = { oneOf: [{ const: 1 }, { const: 2 }] };
    expect(messages(union, 2)).toEqual([]);
    expect(messages(union, 3)).toContain(': Matches none of the choices.');
  });

  it('and an invalid schema is reported, never thrown', () => {
    expect(checkValue({ $ref: '#/nowhere' }, {})).toMatchObject({ kind: 'unusable' });
    expect(checkValue({ properties: { a: { pattern: '(' } } }, { a: 'x' })).toMatchObject({
      kind: 'unusable',
    });
  });

  it('leaves the schema as it was', () => {
    const schema = Object.freeze({
      type: 'object',
      properties: Object.freeze({ a: Object.freeze({ type: 'string' }) }),
    });
    expect(messages(schema, { a: 1 })).toHaveLength(1);
    expect(new PartChecker().isValid(schema.properties.a, 'x', schema)).toBe(true);
  });
});

describe('parts of a schema', () => {
  it('are checked with the definitions of the whole schema', () => {
    const root = { $defs: { port: { type: 'integer' } }, type: 'object' };
    const checker = new PartChecker();
    expect(checker.isValid({ $ref: '#/$defs/port' }, 5, root)).toBe(true);
    expect(checker.isValid({ $ref: '#/$defs/port' }, 'x', root)).toBe(false);
    expect(checker.isValid({ anyOf: [{ $ref: '#/$defs/port' }, { type: 'null' }] }, null, root)).toBe(true);
    expect(checker.isValid({ $ref: '#/$defs/other' }, 5, root)).toBe(false);
  });
});
