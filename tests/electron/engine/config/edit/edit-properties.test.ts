import fc from 'fast-check';
import { visit } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import {
  addServer,
  duplicateServer,
  removeServer,
  renameServer,
  restoreServer,
  serverText,
  setServerEnabled,
  setServerText,
  setServerToolsEnabled,
  updateServer,
} from '../../../../../electron/engine/config/edit/edit.ts';
import { parseText } from '../../../../../electron/engine/config/jsonc/parse.ts';
import { plainValue } from '../../../../../electron/engine/config/jsonc/tree.ts';

type Servers = Record<string, Record<string, unknown>>;

const word = fc.constantFrom(
  'a',
  'b',
  'x y',
  'ключ',
  '"q"',
  '__proto__',
  'constructor',
  '//',
  '{',
  'é\u2028',
);
const scalar = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null));
const field: fc.Arbitrary<unknown> = fc.oneof(
  { maxDepth: 3 },
  scalar,
  fc.array(scalar, { maxLength: 4 }),
  fc.dictionary(word, scalar, { maxKeys: 3 }),
);
const options = fc.record(
  { disabledTools: fc.uniqueArray(word, { maxLength: 3 }), other: scalar },
  { requiredKeys: [] },
);
const entry = fc
  .tuple(fc.dictionary(fc.constantFrom('args', 'env', 'custom', 'timeout'), field), fc.option(options))
  .map(
    ([fields, patchbay]): Record<string, unknown> => ({
      command: 'run',
      ...fields,
      ...(patchbay === null ? {} : { patchbay }),
    }),
  );
const servers = fc.dictionary(word, entry, { minKeys: 1, maxKeys: 4, noNullPrototype: true });

const gap = fc.constantFrom(
  '',
  '',
  ' ',
  '\n  ',
  '\n\t\t',
  '\n\n',
  ' /* # */ ',
  ' // #\n',
  '\n // # " {\n',
  '\r\n',
);

/** A config text with random whitespace and comments; every comment has its own number. */
const written = fc
  .tuple(servers, fc.array(gap, { minLength: 400, maxLength: 400 }), fc.boolean())
  .map(([value, gaps, trailing]) => {
    let used = 0;
    const trivia = () => {
      used += 1;
      return (gaps[used % gaps.length] ?? '').replace('#', `c${used}`);
    };
    const write = (node: unknown): string => {
      if (Array.isArray(node)) return `[${list(node.map(write))}${trivia()}]`;
      if (typeof node !== 'object' || node === null) return JSON.stringify(node);
      const members = Object.entries(node).map(
        ([key, member]) => `${JSON.stringify(key)}${trivia()}:${trivia()}${write(member)}`,
      );
      return `{${list(members)}${trivia()}}`;
    };
    const list = (parts: string[]) =>
      parts
        .map(
          (part, index) => `${trivia()}${part}${trivia()}${index < parts.length - 1 || trailing ? ',' : ''}`,
        )
        .join('');
    return {
      servers: value,
      text: `${trivia()}${write({ before: 1, mcpServers: value, after: {} })}${trivia()}`,
    };
  });

function serversIn(text: string): Servers {
  const { root, faults } = parseText(text);
  expect(faults).toEqual([]);
  // Every comparison that follows checks it.
  return root === undefined ? {} : (plainValue(root) as { mcpServers: Servers }).mcpServers;
}

function commentsIn(text: string): string[] {
  const comments: string[] = [];
  visit(text, { onComment: (offset, length) => void comments.push(text.slice(offset, offset + length)) });
  return comments;
}

const firstKey = (value: Servers) => Object.keys(value)[0] ?? '';

describe('edits of any text', () => {
  it('[PB-CFG-1] switching off and on changes the value meant, keeps every comment, and comes back to the byte', () => {
    fc.assert(
      fc.property(written, fc.nat(3), ({ servers: value, text }, index) => {
        const key = Object.keys(value)[index % Object.keys(value).length] ?? '';
        const off = setServerEnabled(text, key, false);
        expect(serversIn(off)).toEqual({ ...value, [key]: { ...value[key], disabled: true } });
        expect(commentsIn(off)).toEqual(commentsIn(text));
        expect(setServerEnabled(off, key, true)).toBe(text);
      }),
      { numRuns: 400 },
    );
  });

  it('[PB-CFG-1] an update gives exactly the value asked for and leaves the other entries to the byte', () => {
    fc.assert(
      fc.property(written, entry, fc.nat(3), ({ servers: value, text }, next, index) => {
        const key = Object.keys(value)[index % Object.keys(value).length] ?? '';
        const after = updateServer(text, key, next);
        expect(serversIn(after)).toEqual({ ...value, [key]: next });
        for (const other of Object.keys(value).filter((name) => name !== key)) {
          expect(serverText(after, other)).toBe(serverText(text, other));
        }
        expect(updateServer(after, key, next)).toBe(after);
      }),
      { numRuns: 400 },
    );
  });

  it('[PB-CFG-1] a changed scalar changes nothing but its own characters', () => {
    fc.assert(
      fc.property(written, ({ servers: value, text }) => {
        const key = firstKey(value);
        const after = updateServer(text, key, { ...value[key], command: 'CHANGED' });
        const at = after.indexOf('"CHANGED"');
        expect(`${after.slice(0, at)}"run"${after.slice(at + '"CHANGED"'.length)}`).toBe(text);
      }),
    );
  });

  it('[PB-CFG-1] a removed server is undone to the byte, also after another edit elsewhere', () => {
    fc.assert(
      fc.property(written, fc.nat(3), ({ servers: value, text }, index) => {
        const key = Object.keys(value)[index % Object.keys(value).length] ?? '';
        const removed = removeServer(text, key);
        if (removed === undefined) throw new Error('nothing removed');
        const { [key]: gone, ...others } = value;
        expect(serversIn(removed.after)).toEqual(others);
        expect(restoreServer(removed.after, removed)).toBe(text);
        const restored = restoreServer(addServer(removed.after, 'new', { command: 'n' }), removed);
        expect(serversIn(restored)).toEqual({ ...value, new: { command: 'n' } });
        expect(restored).toContain(removed.source);
      }),
      { numRuns: 400 },
    );
  });

  it('[PB-CFG-1] adding, duplicating and renaming keep all comments and all other values', () => {
    fc.assert(
      fc.property(written, entry, ({ servers: value, text }, added) => {
        const key = firstKey(value);
        const more = addServer(text, 'new', added);
        expect(serversIn(more)).toEqual({ ...value, new: added });
        expect(commentsIn(more)).toEqual(commentsIn(text));
        const twice = duplicateServer(text, key, 'copy');
        expect(serversIn(twice)).toEqual({ ...value, copy: value[key] });
        expect(Object.keys(serversIn(twice))[1]).toBe('copy');
        const renamed = renameServer(text, key, 'other');
        expect(renameServer(renamed, 'other', key)).toBe(text);
      }),
    );
  });

  it('[PB-CFG-1] turned-off tools are in the list once, and turning all on leaves none', () => {
    fc.assert(
      fc.property(written, fc.uniqueArray(word, { minLength: 1 }), ({ servers: value, text }, names) => {
        const key = firstKey(value);
        const off = setServerToolsEnabled(text, key, names, false);
        const patchbay = serversIn(off)[key]?.patchbay as { disabledTools: string[] };
        expect(new Set(patchbay.disabledTools)).toEqual(
          new Set([...((value[key]?.patchbay as typeof patchbay)?.disabledTools ?? []), ...names]),
        );
        const on = setServerToolsEnabled(off, key, patchbay.disabledTools, true);
        expect(serversIn(on)[key]?.patchbay).not.toEqual({});
        expect(serversIn(on)[key]?.patchbay ?? {}).not.toHaveProperty('disabledTools');
      }),
    );
  });

  it('[PB-CFG-1] an entry shown and saved unchanged changes no byte', () => {
    fc.assert(
      fc.property(written, ({ servers: value, text }) => {
        for (const key of Object.keys(value)) {
          const shown = serverText(text, key);
          expect(setServerText(text, key, shown)).toBe(text);
          const changed = setServerText(text, key, shown.replace('"run"', '"ran"'));
          expect(serversIn(changed)[key]).toEqual({ ...value[key], command: 'ran' });
        }
      }),
    );
  });
});
