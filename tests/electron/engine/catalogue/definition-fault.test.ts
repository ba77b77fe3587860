import { ToolSchema } from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseProfile } from '../../../../electron/engine/catalogue/client-table.ts';
import type { ClientProfile } from '../../../../electron/engine/catalogue/contract.ts';
import { definitionFault } from '../../../../electron/engine/catalogue/definition-fault.ts';
import { createView } from '../../../../electron/engine/catalogue/view.ts';
import { catalogueOf, serverOf } from '../../../helper/catalogue.ts';

const sound = { name: 't', inputSchema: { type: 'object' } };

describe('tools that break the protocol', () => {
  it.each([
    ['no inputSchema', { name: 't' }],
    ['inputSchema: null', { name: 't', inputSchema: null }],
    ['an inputSchema without type', { name: 't', inputSchema: {} }],
    ['an inputSchema of another type', { name: 't', inputSchema: { type: 'string' } }],
    ['properties that are a list', { name: 't', inputSchema: { type: 'object', properties: [] } }],
    ['a property that is no schema', { name: 't', inputSchema: { type: 'object', properties: { a: true } } }],
    ['required that is no list', { name: 't', inputSchema: { type: 'object', required: 'a' } }],
    ['description: null', { ...sound, description: null }],
    ['title: null', { ...sound, title: null }],
    ['annotations: null', { ...sound, annotations: null }],
    ['a hint that is text', { ...sound, annotations: { readOnlyHint: 'yes' } }],
    ['outputSchema: null', { ...sound, outputSchema: null }],
    ['icons that are text', { ...sound, icons: 'x' }],
    ['_meta that is a list', { ...sound, _meta: [] }],
  ])('[REQ-MCP-REG-002] are known: %s', (_what, tool) => {
    expect(definitionFault('tool', tool)).toMatch(/^its "/);
    expect(ToolSchema.safeParse(tool).success).toBe(false);
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
    expect(definitionFault('tool', tool)).toBeUndefined();
    expect(ToolSchema.safeParse(tool).success).toBe(true);
  });

  it('[REQ-MCP-REG-002] are exactly those that the official SDK refuses', () => {
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
        expect(definitionFault('tool', candidate) === undefined).toBe(
          ToolSchema.safeParse(candidate).success,
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('are also those whose outputSchema points nowhere, which no SDK client can compile', () => {
    const pointing = (reference: string) => ({
      ...sound,
      outputSchema: { type: 'object', $defs: { 'a/b': {} }, properties: { p: { $ref: reference } } },
    });
    expect(definitionFault('tool', pointing('#/$defs/none'))).toContain('#/$defs/none');
    expect(definitionFault('tool', pointing('#/$defs/a~1b'))).toBeUndefined();
    expect(definitionFault('tool', pointing('#'))).toBeUndefined();
  });

  it('[NFR-R3] cost nobody else a tool: no client that refuses a list for them is told of them', () => {
    const catalogue = catalogueOf(
      serverOf('bad', { tools: [{ name: 'broken' }, 'fine'] }),
      serverOf('good', { tools: ['x'] }),
    );
    const claude = chooseProfile({ programDefault: 'safe', clientName: 'claude-ai' });
    const seen = createView(catalogue, claude);
    expect(seen.tools.map(({ name }) => name)).toEqual(['bad__fine', 'good__x']);
    expect(seen.findTool('bad__broken').kind).toBe('found');
    const names = (profile: ClientProfile) => createView(catalogue, profile).tools.map(({ name }) => name);
    expect(names({ ...claude, style: 'raw' })).toEqual(['broken', 'fine', 'x']);
    expect(names(chooseProfile({ programDefault: 'safe' }))).toEqual(['bad__broken', 'bad__fine', 'good__x']);
  });
});
