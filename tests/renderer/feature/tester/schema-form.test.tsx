import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { toFormSchema } from '../../../../renderer/feature/tester/form/drawable-schema.ts';
import { readFormText } from '../../../../renderer/feature/tester/form/form-text.ts';
import { initialText, SchemaForm } from '../../../../renderer/feature/tester/form/schema-form.tsx';

/** Renders the form of a schema with these arguments, or the initial ones. */
function form(schema: unknown, args?: unknown): string {
  const drawn = toFormSchema(schema);
  if (drawn.kind === 'json') throw new Error(drawn.reason);
  const text = args === undefined ? initialText(drawn.schema) : JSON.stringify(args);
  const read = readFormText(text);
  if (read.kind === 'broken') throw new Error(read.reason);
  return renderToStaticMarkup(
    <MantineProvider>
      <SchemaForm name="a" schema={drawn.schema} text={text} read={read} onText={() => {}} issues={[]} />
    </MantineProvider>,
  );
}

const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: 'object',
  properties,
  ...more,
});

describe('the form of a schema', () => {
  it('has a labelled control for every kind of field', () => {
    const html = form(
      object(
        {
          text: { type: 'string', description: 'Some text' },
          count: { type: 'integer' },
          flag: { type: 'boolean' },
          choice: { enum: ['a', 'b'] },
          list: { type: 'array', items: { type: 'string' } },
          several: { type: 'array', uniqueItems: true, items: { enum: ['x', 'y'] } },
          nested: object({ inner: { type: 'number' } }, { required: ['inner'] }),
        },
        { required: ['text'] },
      ),
      { list: ['one', 'two'] },
    );
    for (const id of ['a_text', 'a_count', 'a_flag', 'a_choice', 'a_list_1', 'a_several', 'a_nested_inner'])
      expect(html, id).toContain(`id="${id}"`);
    expect(html).toContain('Some text');
    expect(html).toContain('Add to list');
    expect(html).toContain('Remove item 2');
  });

  it('follows references, including recursive ones', () => {
    const tree = {
      $ref: '#/$defs/node',
      $defs: { node: object({ name: { type: 'string' }, child: { $ref: '#/$defs/node' } }) },
    };
    const html = form(tree, { name: 'top', child: { name: 'below' } });
    for (const part of ['>top<', '>below<', 'id="a_child_name"', 'Fill in child'])
      expect(html).toContain(part);
    expect(html).not.toContain('id="a_child_child_child"');
  });

  it('shows the matching choice, and none if nothing is chosen', () => {
    const shape = object({
      shape: {
        oneOf: [
          object({ kind: { const: 'circle' }, radius: { type: 'number' } }, { required: ['kind', 'radius'] }),
          object({ kind: { const: 'square' }, side: { type: 'number' } }, { required: ['kind', 'side'] }),
        ],
      },
      maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    });
    const html = form(shape, { shape: { kind: 'square', side: 2 } });
    expect(html).toContain('id="a_shape_side"');
    expect(html).not.toContain('id="a_shape_radius"');
    expect(html).toMatch(/id="a_maybe"[^>]*>\s*<option value="" selected="">not set/);
  });

  it('has fields that the schema describes only by pattern', () => {
    const html = form(
      { type: 'object', patternProperties: { '^x-': { type: 'number' } }, additionalProperties: false },
      { 'x-a': 5 },
    );
    expect(html).toContain('value="5"');
    expect(html).toContain('Remove x-a');
  });

  it('shows a number it cannot represent as written', () => {
    const drawn = toFormSchema(object({ id: { type: 'integer' } }));
    const text = '{"id": 12345678901234567890}';
    const read = readFormText(text);
    if (drawn.kind === 'json' || read.kind === 'broken') throw new Error('no form');
    const html = renderToStaticMarkup(
      <MantineProvider>
        <SchemaForm name="a" schema={drawn.schema} text={text} read={read} onText={() => {}} issues={[]} />
      </MantineProvider>,
    );
    expect(html).toContain('value="12345678901234567890"');
    expect(html).toContain('readOnly=""');
  });

  it('asks for JSON, with the reason, where it has no control', () => {
    const html = form(object({ any: {}, far: { $ref: 'https://example.com/x.json' } }));
    expect(html).toContain('aria-label="any as JSON"');
    expect(html).toContain('refers to https://example.com/x.json');
  });
});

describe('the initial arguments of a run', () => {
  const begin = (schema: unknown) => {
    const drawn = toFormSchema(schema);
    return drawn.kind === 'form' ? JSON.parse(initialText(drawn.schema)) : undefined;
  };

  it('are the defaults and nothing else', () => {
    const schema = object({
      a: { type: 'string', default: 'x' },
      b: { type: 'string' },
      c: object({ d: { type: 'integer', default: 3 }, e: { type: 'string' } }),
      f: object({ g: { type: 'string' } }),
      h: { anyOf: [{ const: 'p' }, { const: 'q' }] },
      n: { type: ['string', 'null'], default: null },
    });
    expect(begin(schema)).toEqual({ a: 'x', c: { d: 3 }, n: null });
  });

  it('omit an optional object that defaults fill only in part, and keep one that they complete', () => {
    const address = object(
      { street: { type: 'string' }, country: { type: 'string', default: 'CH' } },
      { required: ['street', 'country'] },
    );
    const page = object({ size: { type: 'integer', default: 30 } }, { required: ['size'] });
    const schema = object(
      { customer: object({ address: { $ref: '#/$defs/address' } }), page, home: address },
      { required: ['home'], $defs: { address } },
    );
    expect(begin(schema)).toEqual({ page: { size: 30 }, home: { country: 'CH' } });
  });

  it('are finite, whatever the schema refers to', () => {
    expect(begin({ $ref: '#/$defs/n', $defs: { n: object({ n: { $ref: '#/$defs/n' } }) } })).toEqual({});
  });
});
