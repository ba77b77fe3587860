import { describe, expect, it } from 'vitest';
import { jsonReason, toFormSchema } from '../../../../renderer/feature/tester/form/drawable-schema.ts';

type Node = Readonly<Record<string, unknown>>;

function drawn(schema: unknown): Node {
  const result = toFormSchema(schema);
  if (result.kind === 'json') throw new Error(result.reason);
  return result.schema as Node;
}

const property = (schema: Node, name: string) => (schema.properties as Record<string, Node>)[name] ?? {};

describe('a schema translated for the form', () => {
  it('stays unchanged where the form supports it', () => {
    const schema = {
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'string', enum: ['x', 'y'] },
        b: { type: 'array', items: { type: 'integer' } },
      },
    };
    expect(drawn(schema)).toEqual(schema);
  });

  it('asks for a type where several are possible', () => {
    const schema = drawn({
      type: 'object',
      properties: { a: { type: ['string', 'null'], description: 'd' } },
    });
    expect(property(schema, 'a')).toEqual({
      description: 'd',
      anyOf: [
        { type: 'string', title: 'text' },
        { type: 'null', title: 'nothing (null)' },
      ],
    });
  });

  it('gives choices names', () => {
    const schema = drawn({
      type: 'object',
      properties: {
        a: {
          oneOf: [
            { const: 'created' },
            { $ref: '#/$defs/custom' },
            { type: 'object', properties: { kind: { const: 'circle' }, r: { type: 'number' } } },
            { title: 'Own', type: 'string' },
          ],
        },
      },
      $defs: { custom: { type: 'object', properties: {} } },
    });
    const options = property(schema, 'a').oneOf as readonly Node[];
    expect(options.map(({ title }) => title)).toEqual(['created', 'custom', 'circle', 'Own']);
  });

  it('shows the titles of values where `enumNames` has them', () => {
    const schema = drawn({
      type: 'object',
      properties: { a: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] } },
    });
    expect(property(schema, 'a')).toEqual({
      type: 'string',
      oneOf: [
        { const: 'r', title: 'Red' },
        { const: 'g', title: 'Green' },
      ],
    });
  });

  it('supports tuples of the newest draft', () => {
    const schema = drawn({
      type: 'object',
      properties: { a: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } } },
    });
    expect(property(schema, 'a')).toEqual({
      type: 'array',
      items: [{ type: 'string' }],
      additionalItems: { type: 'number' },
    });
  });

  it('leaves unsupported parts to JSON, with the reason', () => {
    const schema = drawn({
      type: 'object',
      properties: {
        any: true,
        empty: {},
        far: { $ref: 'https://example.com/schema.json', title: 'Far' },
        lost: { $ref: '#/$defs/missing' },
        named: { $dynamicRef: '#node' },
      },
    });
    expect(property(schema, 'any')).toEqual({ description: '' });
    expect(jsonReason(property(schema, 'empty'))).toBeUndefined();
    expect(jsonReason(property(schema, 'far'))).toContain('https://example.com/schema.json');
    expect(jsonReason(property(schema, 'lost'))).toContain('#/$defs/missing');
    expect(jsonReason(property(schema, 'named'))).toContain('#node');
  });

  it.each([
    [undefined, 'does not describe its arguments'],
    [{ $ref: '#/$defs/missing' }, 'refers to #/$defs/missing'],
    [{ type: 'string' }, 'list the arguments'],
    [
      { type: 'object', properties: Object.fromEntries([...Array(6000)].map((_, i) => [`p${i}`, {}])) },
      'too large',
    ],
  ])('is edited as JSON as a whole: %#', (schema, reason) => {
    expect(toFormSchema(schema)).toMatchObject({ kind: 'json', reason: expect.stringContaining(reason) });
  });
});
