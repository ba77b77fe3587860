import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type MergedEdits,
  mergeEdits,
  type Resolution,
} from '../../../../../electron/engine/config/edit/merge-edits.ts';
import { parseText } from '../../../../../electron/engine/config/jsonc/parse.ts';
import { plainValue } from '../../../../../electron/engine/config/jsonc/tree.ts';

type Entry = Record<string, unknown>;

const text = (entry: unknown) => JSON.stringify(entry, undefined, 2);
const merge = (base: unknown, mine: unknown, theirs: unknown, resolution?: Resolution) =>
  mergeEdits({ base: text(base), mine: text(mine), theirs: text(theirs) }, resolution);
const value = (merged: MergedEdits): unknown => {
  if (merged.kind === 'conflict') return merged.fields;
  const { root } = parseText(merged.kind === 'text' ? merged.text : text(merged.entry));
  return root === undefined ? undefined : plainValue(root);
};

describe('two edits of one entry', () => {
  const base = { command: 'npx', args: ['-y'], env: { TOKEN: 'a', LEVEL: 'info' } };

  it('[PB-CFG-2] keeps both where they changed different fields, down to single variables', () => {
    const mine = { ...base, env: { TOKEN: 'b', LEVEL: 'info' } };
    const theirs = { ...base, disabled: true, args: ['-y', 'x'], env: { ...base.env, MORE: '1' } };
    expect(value(merge(base, mine, theirs))).toEqual({
      ...theirs,
      env: { TOKEN: 'b', LEVEL: 'info', MORE: '1' },
    });
  });

  it('[PB-CFG-2] names the fields that both changed, each as finely as it can be decided', () => {
    const mine = { ...base, args: ['-q'], env: { TOKEN: 'b', LEVEL: 'debug' } };
    const theirs = { ...base, args: ['-y', 'x'], env: { TOKEN: 'c', LEVEL: 'debug' } };
    expect(merge(base, mine, theirs)).toEqual({ kind: 'conflict', fields: [['args'], ['env', 'TOKEN']] });
    const { env: _, ...without } = base;
    expect(merge(base, without, { ...base, env: { ...base.env, TOKEN: 'c' } })).toMatchObject({
      fields: [['env', 'TOKEN']],
    });
  });

  it('[PB-CFG-2] decides a conflict as asked, but not one that nobody has seen', () => {
    const mine = { ...base, command: 'bunx', cwd: '/mine' };
    const seen = { ...base, command: 'uvx', timeout: 5 };
    const decide = (keep: 'mine' | 'theirs', theirs: unknown) =>
      merge(base, mine, theirs, { keep, seen: text(seen) });
    expect(value(decide('mine', seen))).toEqual({ ...seen, command: 'bunx', cwd: '/mine' });
    expect(value(decide('theirs', seen))).toEqual({ ...seen, cwd: '/mine' });
    expect(decide('mine', { ...seen, command: 'deno' })).toMatchObject({ fields: [['command']] });
  });

  it('[PB-CFG-1] keeps the comments of the side that changed them, and asks when both did', () => {
    const plain = '{\n  "command": "x" // one\n}';
    const noted = '{\n  "command": "x" // two\n}';
    const other = '{\n  "command": "y" // one\n}';
    const mine = mergeEdits({ base: plain, mine: noted, theirs: other });
    expect(mine).toEqual({ kind: 'text', text: '{\n  "command": "y" // two\n}' });
    expect(mergeEdits({ base: plain, mine: other, theirs: noted })).toEqual({
      kind: 'entry',
      entry: { command: 'y' },
    });
    const third = '{\n  "command": "x" // three\n}';
    expect(mergeEdits({ base: plain, mine: noted, theirs: third })).toMatchObject({
      fields: [['(comments)']],
    });
  });

  it('leaves no empty environment behind when one side took it out', () => {
    const { env: _, ...without } = base;
    expect(value(merge(base, without, { ...base, disabled: true }))).toEqual({ ...without, disabled: true });
  });
});

const word = fc.constantFrom('a', 'b', '__proto__', 'constructor', 'x.y');
const scalar = fc.oneof(word, fc.integer({ min: 0, max: 3 }), fc.boolean(), fc.constant(null));
const members = fc.dictionary(word, scalar, { maxKeys: 3, noNullPrototype: true });
const field = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), members);
const entry: fc.Arbitrary<Entry> = fc.dictionary(
  fc.constantFrom('command', 'args', 'env', 'headers', 'patchbay', '__proto__'),
  field,
  { noNullPrototype: true },
);

/** Returns one member of an entry, or of one of its groups; undefined if it does not exist. */
function at(from: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (node, step) =>
      typeof node === 'object' && node !== null && Object.hasOwn(node, step)
        ? (node as Entry)[step]
        : undefined,
    from,
  );
}

describe('any two edits of any entry', () => {
  it('[PB-CFG-2] loses nothing that only one side changed, and takes nothing from neither', () => {
    fc.assert(
      fc.property(entry, entry, entry, (base, mine, theirs) => {
        const merged = merge(base, mine, theirs);
        if (merged.kind === 'conflict') {
          for (const path of merged.fields.map((steps) => steps.map(String))) {
            expect(at(mine, ...path)).not.toEqual(at(base, ...path));
            expect(at(theirs, ...path)).not.toEqual(at(base, ...path));
            expect(at(mine, ...path)).not.toEqual(at(theirs, ...path));
          }
          return;
        }
        const result = value(merged);
        const leaves = [base, mine, theirs].flatMap((side) =>
          Object.entries(side).flatMap(([name, inner]) =>
            typeof inner === 'object' && inner !== null && !Array.isArray(inner)
              ? Object.keys(inner).map((member) => [name, member])
              : [[name]],
          ),
        );
        for (const path of leaves) {
          const [was, my, their] = [base, mine, theirs].map((side) => at(side, ...path));
          if (JSON.stringify(my) === JSON.stringify(was)) expect(at(result, ...path)).toEqual(their);
          if (JSON.stringify(their) === JSON.stringify(was)) expect(at(result, ...path)).toEqual(my);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('[PB-CFG-2] gives the other side where one changed nothing, and either where they agree', () => {
    fc.assert(
      fc.property(entry, entry, (base, next) => {
        expect(value(merge(base, base, next))).toEqual(next);
        expect(value(merge(base, next, base))).toEqual(next);
        expect(value(merge(base, next, next))).toEqual(next);
      }),
    );
  });

  it('[PB-CFG-2] is always decided once the file was seen, and differs from it in nothing but what is kept', () => {
    fc.assert(
      fc.property(entry, entry, entry, (base, mine, theirs) => {
        const seen = text(theirs);
        const conflict = merge(base, mine, theirs);
        const fields = conflict.kind === 'conflict' ? conflict.fields.map((path) => path.map(String)) : [];
        for (const [keep, side] of [
          ['mine', mine],
          ['theirs', theirs],
        ] as const) {
          const merged = merge(base, mine, theirs, { keep, seen });
          expect(merged.kind).not.toBe('conflict');
          for (const path of fields.filter((steps) => steps.length === 1))
            expect(at(value(merged), ...path)).toEqual(at(side, ...path));
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
