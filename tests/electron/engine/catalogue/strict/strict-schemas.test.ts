import { ToolSchema } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, vi } from 'vitest';
import { chooseProfile } from '../../../../../electron/engine/catalogue/client-facts.ts';
import type { RawItem } from '../../../../../electron/engine/catalogue/contract.ts';
import { strictForm } from '../../../../../electron/engine/catalogue/strict/strict-items.ts';
import { createView } from '../../../../../electron/engine/catalogue/view/view.ts';
import { catalogueOf, serverOf } from '../../../../helper/catalogue.ts';

/** An object schema with one property, and more. */
const having = (p: unknown, more: object = {}) => ({ type: 'object', properties: { p }, ...more });

const odd: readonly (readonly [string, unknown])[] = [
  ...['int', 'any', 'String', 'date', '', 'string|null'].map(
    (type) => [`type ${type}`, having({ type })] as const,
  ),
  ['an unknown type among several', having({ type: ['string', 'any'] })],
  ['a type twice', having({ type: ['string', 'string'] })],
  [
    'limits that are flags, of draft 4',
    having({ minimum: 0, exclusiveMinimum: true, exclusiveMaximum: false }),
  ],
  ['limits that are text', having({ minimum: '0', maxLength: '9', multipleOf: '0.01', maxProperties: 'x' })],
  ['limits that no value has', having({ minLength: -1, minItems: 1.5, multipleOf: 0 })],
  ['flags that are text', having({ uniqueItems: 'true', readOnly: 'yes', deprecated: 'no', writeOnly: 1 })],
  ...['(', '(?P<a>x)', '(?i)a', '\\A[a-z]+\\Z', '^{a}$', '^a++$'].map(
    (pattern) =>
      [`the pattern ${pattern}`, having({ pattern, patternProperties: { [pattern]: {} } })] as const,
  ),
  ['no choice', having({ enum: [] })],
  ['nullable without a type', having({ nullable: true, enum: ['a'] })],
  ['nullable that is text', having({ type: 'string', nullable: 'true' })],
  ['the id of draft 4', having({ id: 'http://example.com/a' }, { id: 'urn:a' })],
  ['an $id that is no text', having({}, { $id: 5 })],
  ['an $id with a fragment', having({}, { $id: 'urn:a#b' })],
  ['one $id twice', having({ $id: 'a:b' }, { $id: 'a:b' })],
  ['one anchor twice', having({ $anchor: 'a' }, { $defs: { b: { $anchor: 'a' } } })],
  [
    'keywords of text that are none',
    having({ $anchor: 5, $comment: {}, contentMediaType: 5 }, { $schema: 7 }),
  ],
  ...['a', 'https://example.com/a.json', './a.json', '#a', '#/components/schemas/a', '#/$defs/b'].map(
    ($ref) => [`a reference to ${$ref}`, having({ $ref }, { $defs: { b: { $ref: '#/$defs/b' } } })] as const,
  ),
  ['items that are a list', having({ type: 'array', items: [{ type: 'string' }], additionalItems: false })],
  ['items that are an empty list', having({ type: 'array', items: [] })],
  ['required names twice', having({}, { required: ['p', 'p'] })],
  ['dependencies that are none', having({}, { dependencies: { p: 5 }, dependentRequired: { p: 'q' } })],
  [
    'subschemas that are none',
    having({ unevaluatedItems: 'x', contentSchema: 'x' }, { unevaluatedProperties: 5 }),
  ],
  ['a limit of a format that is no text', having({ type: 'string', format: 'date', formatMinimum: 5 })],
];

describe('schemas that a client or the API of its model refuses', () => {
  it.each(odd)('[NFR-R3] cost a strict client no other tool: %s', (_what, schema) => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const form = strictForm('tool', { name: 't', inputSchema: schema, outputSchema: schema });
    expect(ToolSchema.safeParse(form).success).toBe(true);
    expect(violations(form.inputSchema as RawItem)).toBe('');
    const { outputSchema } = form;
    if (outputSchema !== undefined) new AjvJsonSchemaValidator().getValidator(outputSchema as object);
    expect(strictForm('tool', form)).toBe(form);
  });

  it.each([
    ['int', { type: 'integer' }],
    ['STRING', { type: 'string' }],
    ['any', {}],
  ])('keep the type that is meant by %s', (type, expected) => {
    expect(inputForm(having({ type }))).toEqual(having(expected));
  });

  it('describe the items of every array', () => {
    const [a, b] = [{ type: 'string' }, { type: 'integer' }];
    const list = having({ type: 'array', items: [a, b], minItems: 2 });
    expect(inputForm(list)).toEqual(having({ type: 'array', prefixItems: [a, b], items: {}, minItems: 2 }));
    expect(inputForm(having({ type: 'array' }))).toEqual(having({ type: 'array', items: {} }));
  });

  it('list the properties of all alternatives at the root, and what each requires', () => {
    const [text, flag] = [{ type: 'string' }, { type: 'boolean' }];
    const schema = {
      oneOf: [
        { type: 'object', properties: { kind: { const: 'a' }, url: text }, required: ['kind', 'url'] },
        { $ref: '#/$defs/b' },
      ],
      allOf: [{ properties: { quiet: flag }, required: ['quiet'] }],
      not: { required: ['x'] },
      $defs: { b: { type: 'object', properties: { kind: { const: 'b' }, id: text }, required: ['kind'] } },
    };
    expect(inputForm(schema)).toEqual({
      type: 'object',
      properties: { quiet: flag, kind: { const: 'a' }, url: text, id: text },
      required: ['quiet', 'kind'],
      $defs: schema.$defs,
    });
  });

  it('[NFR-R3] lose properties whose names cost Claude all tools, and no other client any', () => {
    const properties = { 'page[size]': {}, $top: {}, ['x'.repeat(65)]: {}, 'a.b-c_1': {} };
    const inputSchema = { type: 'object', properties, required: ['$top', 'a.b-c_1'] };
    const catalogue = catalogueOf(serverOf('s', { tools: [{ name: 't', inputSchema }] }));
    const seenBy = (clientName: string) =>
      createView(catalogue, chooseProfile({ programDefault: 'safe', clientName })).tools[0]?.inputSchema;
    const plain = { type: 'object', properties: { 'a.b-c_1': {} }, required: ['a.b-c_1'] };
    expect([seenBy('claude-ai'), seenBy('claude-code')]).toEqual([plain, plain]);
    expect([seenBy('codex-mcp-client'), seenBy('unknown')]).toEqual([inputSchema, inputSchema]);
  });

  it('keep their alternatives below the root', () => {
    const tool = { name: 't', inputSchema: having({ anyOf: [{ type: 'string' }, { type: 'null' }] }) };
    expect(strictForm('tool', tool)).toBe(tool);
  });

  it('are read in one pass, however often alternatives refer to each other', () => {
    const size = 20_000;
    const $defs = Object.fromEntries(
      Array.from({ length: size }, (_, n) => [
        n,
        { anyOf: [{ $ref: `#/$defs/${n + 1}` }, { $ref: '#/$defs/0' }] },
      ]),
    );
    const anyOf = Object.keys($defs).map((n) => ({ $ref: `#/$defs/${n}` }));
    const required = Array.from({ length: size }, (_, n) => `p${n}`);
    expect(inputForm({ type: 'object', anyOf, $defs, required })).toMatchObject({ type: 'object' });
  });
});

function inputForm(inputSchema: unknown): unknown {
  return strictForm('tool', { name: 't', inputSchema }).inputSchema;
}

/** Checks a schema as the APIs of models do. */
function violations(schema: RawItem): string {
  const ajv = new Ajv2020({ strict: false });
  const isValid = ajv.validate('https://json-schema.org/draft/2020-12/schema', schema);
  return isValid ? '' : ajv.errorsText();
}
