import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalId, safePattern, wireName } from '../../../../electron/engine/catalogue/wire-name.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 90 }),
  fc.string({ unit: fc.constantFrom('a', 'b', '_', '-', '1', ':', '.'), maxLength: 8 }),
  fc.string({ unit: fc.constantFrom('a', '_', '0', 'v'), minLength: 8, maxLength: 60 }),
);
/** Keys contain no `:`, because the config refuses it. */
const anyKey = anyText.map((text) => text.replaceAll(':', ';'));
const anyBudget = fc.integer({ min: 16, max: 64 });

describe('wireName', () => {
  it.each([
    ['colon', 'my-server_v2', 'read_file', 'my-server_v2:read_file'],
    ['colon', 'Ünï cödé 🚀', 'a.b/c', 'Ünï cödé 🚀:a.b/c'],
    ['dot', 'files', 'read_file', 'files.read_file'],
    ['raw', 'files', 'read_file', 'read_file'],
    ['safe', 'files', 'read_file', 'files__read_file'],
    ['safe', 'my-server_v2', 'readFile', 'my-server_v2__readFile'],
    ['safe', 'a', '_b', 'a___b'],
  ] as const)(
    '[FR-004, US2.3] calls in style %s the tool of %j named %j %j',
    (style, key, tool, expected) => {
      expect(wireName(style, 64, key, tool)).toBe(expected);
    },
  );

  it.each([
    ['files', 'list.items', /^files__list_items_[0-9][0-9a-v]{7}$/],
    ['my server', 'get user', /^my_server__get_user_[0-9][0-9a-v]{7}$/],
    ['café', 'öffnen', /^cafe__offnen_[0-9][0-9a-v]{7}$/],
    ['1password', 'read', /^password__read_[0-9][0-9a-v]{7}$/],
    ['__hidden', 'x', /^hidden__x_[0-9][0-9a-v]{7}$/],
    ['日本語', '🚀', /^server__tool_[0-9][0-9a-v]{7}$/],
    ['', '', /^server__tool_[0-9][0-9a-v]{7}$/],
    ['a_', 'b', /^a__b_[0-9][0-9a-v]{7}$/],
    ['a__b', 'c', /^a__b__c_[0-9][0-9a-v]{7}$/],
    ['s', 'x'.repeat(90), /^s__x{52}_[0-9][0-9a-v]{7}$/],
    ['k'.repeat(90), 'read', /^k{49}__read_[0-9][0-9a-v]{7}$/],
    ['k'.repeat(90), 't'.repeat(90), /^k{17}__t{36}_[0-9][0-9a-v]{7}$/],
  ])('[PB-NAMES-1] shortens or cleans %j, %j into a readable name with a digest', (key, tool, expected) => {
    expect(wireName('safe', 64, key, tool)).toMatch(expected);
  });

  it('[PB-NAMES-1] keeps to the budget of the client and to the safe pattern, whatever the input', () => {
    fc.assert(
      fc.property(anyBudget, anyKey, anyText, (budget, key, tool) => {
        const name = wireName('safe', budget, key, tool);
        expect(name).toMatch(safePattern);
        expect(name.length).toBeLessThanOrEqual(budget);
      }),
      { numRuns: 2000 },
    );
  });

  it('[PB-NAMES-1] gives two tools two names, underscores at the joint included', () => {
    fc.assert(
      fc.property(anyBudget, anyKey, anyText, anyKey, anyText, (budget, key1, tool1, key2, tool2) => {
        fc.pre(canonicalId(key1, tool1) !== canonicalId(key2, tool2));
        expect(wireName('safe', budget, key1, tool1)).not.toBe(wireName('safe', budget, key2, tool2));
      }),
      { numRuns: 5000 },
    );
  });

  it('[PB-NAMES-1] splits text of underscores between key and tool in every way without a clash', () => {
    const text = 'a_b__c___d';
    const pairs = [...text]
      .slice(1)
      .map((_char, index) => [text.slice(0, index + 1), text.slice(index + 1)] as const);
    const joints = pairs.flatMap(([key, tool]) => [
      [key, tool],
      [`${key}_`, tool],
      [key, `_${tool}`],
      [`${key}_`, `_${tool}`],
    ]);
    const names = new Map(
      joints.map(([key = '', tool = '']) => [`${key}:${tool}`, wireName('safe', 64, key, tool)]),
    );
    expect(new Set(names.values()).size).toBe(names.size);
  });

  it('[PB-NAMES-1] lets no tool take the name that another one got with its digest', () => {
    fc.assert(
      fc.property(anyKey, anyText, (key, tool) => {
        const taken = wireName('safe', 64, key, tool);
        const at = taken.indexOf('__');
        const [thief, loot] = [taken.slice(0, at), taken.slice(at + 2)];
        fc.pre(canonicalId(thief, loot) !== canonicalId(key, tool));
        expect(wireName('safe', 64, thief, loot)).not.toBe(taken);
      }),
    );
  });

  it('[PB-NAMES-1] stays what it was in earlier versions, since approvals in clients are kept by name', () => {
    expect(wireName('safe', 64, 'files', 'list.items')).toMatchInlineSnapshot(`"files__list_items_89r0bcl4"`);
    expect(wireName('safe', 46, 'github', 'a'.repeat(60))).toMatchInlineSnapshot(
      `"github__aaaaaaaaaaaaaaaaaaaaaaaaaaaaa_96llickh"`,
    );
  });

  it('tells halves of a broken surrogate pair apart', () => {
    expect(wireName('safe', 64, 's', '\ud800')).not.toBe(wireName('safe', 64, 's', '\ud801'));
  });
});
