import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { schemaRows } from '../../../../renderer/lib/tool/schema-rows.ts';

describe('a schema as rows', () => {
  it('lists parameters with type, requirement, description and limits', () => {
    const rows = schemaRows({
      type: 'object',
      required: ['path'],
      properties: {
        path: { type: 'string', description: 'Where.' },
        mode: { enum: ['r', 'w'], default: 'r' },
        lines: { type: 'array', items: { type: 'integer' }, maxItems: 3 },
        since: { type: ['string', 'null'], format: 'date' },
      },
    });
    expect(rows).toEqual([
      {
        path: 'path',
        name: 'path',
        depth: 0,
        type: 'string',
        required: true,
        description: 'Where.',
        notes: [],
      },
      { path: 'mode', name: 'mode', depth: 0, type: '"r" | "w"', required: false, notes: ['default "r"'] },
      { path: 'lines', name: 'lines', depth: 0, type: 'integer[]', required: false, notes: ['max items 3'] },
      {
        path: 'since',
        name: 'since',
        depth: 0,
        type: 'string | null',
        required: false,
        notes: ['format date'],
      },
    ]);
  });

  it('goes into objects, arrays of objects, choices and references', () => {
    const rows = schemaRows({
      properties: {
        filter: { $ref: '#/$defs/filter' },
        steps: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
        target: { anyOf: [{ type: 'string' }, { type: 'object', properties: { id: { type: 'number' } } }] },
      },
      $defs: { filter: { type: 'object', properties: { open: { type: 'boolean' } } } },
    });
    expect(rows.map((row) => `${row.path}: ${row.type}`)).toEqual([
      'filter: object',
      'filter.open: boolean',
      'steps: object[]',
      'steps.name: string',
      'target: string | object',
      'target.id: number',
    ]);
  });

  it('separates the alternatives of a value, so that not all of them look required', () => {
    const option = (title: string, name: string) => ({
      title,
      type: 'object',
      properties: { [name]: { type: 'string' } },
      required: [name],
    });
    const rows = schemaRows({
      properties: { pay: { oneOf: [option('Card', 'card'), option('Invoice', 'vat')] } },
    });
    expect(rows.map(({ name, depth, type, required }) => [name, depth, type, required])).toEqual([
      ['pay', 0, 'object', false],
      ['Card', 1, 'option 1 of 2', false],
      ['card', 2, 'string', true],
      ['Invoice', 1, 'option 2 of 2', false],
      ['vat', 2, 'string', true],
    ]);
  });

  it('ends where a schema refers to itself', () => {
    const rows = schemaRows({
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, value: {} } } },
      properties: { root: { $ref: '#/$defs/node' } },
    });
    expect(rows.map((row) => row.path)).toEqual(['root', 'root.next', 'root.value']);
  });

  it('never throws, whatever a server sends as a schema', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void schemaRows(value)));
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (inner, items) => {
        schemaRows({
          properties: { a: inner, b: { items, anyOf: inner, $ref: '#/properties/b' } },
          allOf: items,
        });
      }),
    );
  });
});
