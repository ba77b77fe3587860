import {
  PromptSchema,
  ResourceSchema,
  ResourceTemplateSchema,
  ToolSchema,
} from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseProfile } from '../../../../../electron/engine/catalogue/client-facts.ts';
import type { RawItem } from '../../../../../electron/engine/catalogue/contract.ts';
import { readItem, serializeItems } from '../../../../../electron/engine/catalogue/item-text.ts';
import { strictForm } from '../../../../../electron/engine/catalogue/strict/strict-items.ts';
import { createView } from '../../../../../electron/engine/catalogue/view/view.ts';
import { catalogueOf, serverOf } from '../../../../helper/catalogue.ts';

const sound = { name: 't', inputSchema: { type: 'object' } };

const object = { type: 'object' };

describe('tools that break the protocol', () => {
  it.each([
    ['no inputSchema', { name: 't' }, { name: 't', inputSchema: object }],
    ['inputSchema: null', { name: 't', inputSchema: null }, sound],
    ['an inputSchema as JSON text', { name: 't', inputSchema: '{"type":"object"}' }, sound],
    [
      "a schema under the name of a model's API",
      { name: 't', input_schema: { type: 'object', required: ['a'] } },
      {
        name: 't',
        input_schema: { type: 'object', required: ['a'] },
        inputSchema: { type: 'object', required: ['a'] },
      },
    ],
    [
      "a schema under the name of another model's API",
      { name: 't', inputSchema: null, parameters: { type: 'object', required: ['a'] } },
      {
        name: 't',
        inputSchema: { type: 'object', required: ['a'] },
        parameters: { type: 'object', required: ['a'] },
      },
    ],
    ["PHP's inputSchema", { name: 't', inputSchema: [] }, sound],
    ['an inputSchema without type', { name: 't', inputSchema: {} }, sound],
    ['an inputSchema of no type', { name: 't', inputSchema: { type: null } }, sound],
    ['an inputSchema of two types', { name: 't', inputSchema: { type: ['object', 'null'] } }, sound],
    ['an inputSchema of another type', { name: 't', inputSchema: { type: 'string' } }, sound],
    [
      'properties that are a list',
      { name: 't', inputSchema: { type: 'object', properties: [] } },
      { name: 't', inputSchema: { type: 'object', properties: {} } },
    ],
    [
      'properties that are no schemas',
      { name: 't', inputSchema: { type: 'object', properties: { a: true, b: null, c: [] } } },
      { name: 't', inputSchema: { type: 'object', properties: { a: {}, b: {}, c: {} } } },
    ],
    ['required: null', { name: 't', inputSchema: { type: 'object', required: null } }, sound],
    ['required: {}', { name: 't', inputSchema: { type: 'object', required: {} } }, sound],
    [
      'null deep in an inputSchema',
      {
        name: 't',
        inputSchema: {
          type: 'object',
          properties: {
            list: { type: 'array', description: null, items: { type: ['string', null], enum: null } },
            none: { type: 'object', properties: [], default: null, const: null },
          },
          anyOf: null,
        },
      },
      {
        name: 't',
        inputSchema: {
          type: 'object',
          properties: {
            list: { type: 'array', items: { type: ['string'] } },
            none: { type: 'object', properties: {}, default: null, const: null },
          },
        },
      },
    ],
    ['description: null', { ...sound, description: null }, sound],
    ['title: null', { ...sound, title: null }, sound],
    ['annotations: null', { ...sound, annotations: null }, sound],
    ["PHP's annotations", { ...sound, annotations: [] }, { ...sound, annotations: {} }],
    [
      'hints that are null or text',
      {
        ...sound,
        annotations: { title: null, readOnlyHint: 'true', idempotentHint: 'False', openWorldHint: 'x' },
      },
      { ...sound, annotations: { readOnlyHint: true, idempotentHint: false } },
    ],
    ['outputSchema: null', { ...sound, outputSchema: null }, sound],
    ['an outputSchema without type', { ...sound, outputSchema: { properties: {} } }, sound],
    ['icons that are text', { ...sound, icons: 'x' }, sound],
    [
      'icons of which one is none',
      { ...sound, icons: [null, { src: 'a' }] },
      { ...sound, icons: [{ src: 'a' }] },
    ],
    ['_meta that is a list', { ...sound, _meta: [] }, { ...sound, _meta: {} }],
    ['_meta and execution that are null', { ...sound, _meta: null, execution: null }, sound],
  ])('[REQ-MCP-REG-002] are listed for strict clients in a form they accept: %s', (_what, tool, expected) => {
    expect(ToolSchema.safeParse(tool).success && !JSON.stringify(tool).includes('null')).toBe(false);
    const form = strictForm('tool', tool);
    expect(form).toEqual(expected);
    expect(ToolSchema.safeParse(form).success).toBe(true);
    expect(strictForm('tool', form)).toBe(form);
  });

  it.each([
    ['nothing special', sound],
    ['unknown fields everywhere', { ...sound, 'x-a': 1, annotations: { custom: 1 }, _meta: { 'a/b': [] } }],
    [
      'a schema of every keyword',
      {
        name: 't',
        inputSchema: {
          type: 'object',
          $defs: { a: {} },
          properties: { a: { $ref: '#/$defs/a' }, b: { not: {} } },
          additionalProperties: false,
          required: ['a'],
        },
      },
    ],
  ])('are not seen where there are none: %s', (_what, tool) => {
    expect(strictForm('tool', tool)).toBe(tool);
    expect(ToolSchema.safeParse(tool).success).toBe(true);
  });

  it('[REQ-MCP-REG-002] never cost a strict client its list, whatever they contain', () => {
    const value = fc.oneof(
      fc.constantFrom(null, undefined, true, 'text', 'object', 1),
      fc.array(fc.string(), { maxLength: 2 }),
      fc.dictionary(
        fc.constantFrom('type', 'properties', 'required', 'title', 'readOnlyHint', 'src', 'a'),
        fc.constantFrom('object', 'x', true, null, ['a'], {}, { a: {} }, { a: 1 }),
      ),
    );
    const fields = [
      'title',
      'description',
      'inputSchema',
      'outputSchema',
      'annotations',
      'icons',
      '_meta',
      'execution',
    ] as const;
    const tool = fc.record(Object.fromEntries(fields.map((field) => [field, value])), { requiredKeys: [] });
    fc.assert(
      fc.property(tool, fc.boolean(), (parts, valid) => {
        const candidate = { ...parts, ...(valid ? sound : { name: 't' }) };
        const form = strictForm('tool', candidate);
        expect(ToolSchema.safeParse(form).success).toBe(true);
        if (form === candidate) expect(ToolSchema.safeParse(candidate).success).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('include those whose outputSchema has a dangling reference, which no SDK client can compile', () => {
    const pointing = (reference: string) => ({
      ...sound,
      outputSchema: { type: 'object', $defs: { 'a/b': {} }, properties: { p: { $ref: reference } } },
    });
    expect(strictForm('tool', pointing('#/$defs/none'))).toEqual(sound);
    for (const reference of ['#/$defs/a~1b', '#']) {
      const tool = pointing(reference);
      expect(strictForm('tool', tool)).toBe(tool);
    }
  });

  it('keep the text of all that is not changed', () => {
    const line = '{"name":"t","title":null,"inputSchema":{"type":"object","maximum":12345678901234567890}}';
    const item = readItem(line) as RawItem;
    const text = '[{"name":"t","inputSchema":{"type":"object","maximum":12345678901234567890}}]';
    expect(serializeItems([strictForm('tool', item)])).toBe(text);
  });

  it('[NFR-R3] cost nobody else a tool: clients that would refuse the list never get them', () => {
    const catalogue = catalogueOf(
      serverOf('bad', { tools: [{ name: 'broken' }, 'fine'] }),
      serverOf('good', { tools: ['x'] }),
    );
    const claude = chooseProfile({ programDefault: 'safe', clientName: 'claude-ai' });
    const seen = createView(catalogue, claude);
    expect(seen.tools).toMatchObject([
      { name: 'bad__broken', inputSchema: object },
      { name: 'bad__fine' },
      { name: 'good__x' },
    ]);
    expect(seen.findTool('bad__broken')).toMatchObject({ target: { item: { name: 'broken' } } });
    const others = createView(catalogue, chooseProfile({ programDefault: 'safe' })).tools;
    expect(others[0]).toEqual({ name: 'bad__broken' });
  });
});

describe('prompts and resources that break the protocol', () => {
  const note = { uri: 'note://1', name: 'note' };

  it.each([
    [
      'prompt',
      PromptSchema,
      { name: 'p', title: null, description: null, arguments: null, _meta: null },
      { name: 'p' },
    ],
    ['prompt', PromptSchema, { name: 'p', arguments: {} }, { name: 'p' }],
    [
      'prompt',
      PromptSchema,
      {
        name: 'p',
        arguments: [null, { name: 'a', required: 'true', description: null }, { description: 'x' }],
      },
      { name: 'p', arguments: [{ name: 'a', required: true }] },
    ],
    [
      'resource',
      ResourceSchema,
      { ...note, title: null, description: null, mimeType: null, size: null, annotations: null },
      note,
    ],
    [
      'resource',
      ResourceSchema,
      { ...note, size: '12', annotations: [] },
      { ...note, size: 12, annotations: {} },
    ],
    [
      'resource',
      ResourceSchema,
      { ...note, annotations: { audience: null, priority: 7, lastModified: 'yesterday' } },
      { ...note, annotations: {} },
    ],
    [
      'resource',
      ResourceSchema,
      { uri: 'note://1', name: null, title: 'Note' },
      { ...note, name: 'Note', title: 'Note' },
    ],
    ['resource', ResourceSchema, { uri: 'note://1' }, { uri: 'note://1', name: 'note://1' }],
    [
      'resource template',
      ResourceTemplateSchema,
      { uriTemplate: 'note://{id}', mimeType: null, annotations: null },
      { uriTemplate: 'note://{id}', name: 'note://{id}' },
    ],
  ] as const)(
    '[NFR-R3] are listed for strict clients in a form they accept: a %s',
    (kind, schema, item, expected) => {
      expect(schema.safeParse(item).success).toBe(false);
      const form = strictForm(kind, item);
      expect(form).toEqual(expected);
      expect(schema.safeParse(form).success).toBe(true);
    },
  );
});
