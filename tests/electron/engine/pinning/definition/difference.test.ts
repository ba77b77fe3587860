import { expect, test } from 'vitest';
import { definitionDifference } from '../../../../../electron/engine/pinning/definition/difference.ts';

const before = {
  name: 'send',
  description: 'Sends mail.\nTo one person.',
  inputSchema: { type: 'object', properties: { to: { type: 'string' } } },
};

test('[PB-SAFE-1] a change is shown line by line, with the words that make it marked', () => {
  const parts = definitionDifference(before, { ...before, description: 'Sends mail.\nTo one evil person.' });
  expect(parts.map(({ part, isChanged }) => [part, isChanged])).toEqual([
    ['name', false],
    ['description', true],
    ['inputSchema', false],
  ]);
  const lines = parts[1]?.lines ?? [];
  expect(lines.map((line) => line.kind)).toEqual(['same', 'removed', 'added']);
  const added = lines[2];
  const marked = added?.kind === 'added' ? added.pieces.filter((piece) => piece.marked) : [];
  expect(marked.map(({ text }) => text.trim())).toEqual(['evil']);
});

test('[PB-SAFE-1] the member order of a schema is no change', () => {
  const reordered = { ...before, inputSchema: { properties: { to: { type: 'string' } }, type: 'object' } };
  expect(definitionDifference(before, reordered).some(({ isChanged }) => isChanged)).toBe(false);
});

test('[PB-SAFE-1] hidden characters are visible in a difference', () => {
  const parts = definitionDifference(before, { ...before, description: `${before.description}\u200b` });
  expect(JSON.stringify(parts)).toContain('⟨U+200B⟩');
});

test('[PB-SAFE-1] added and removed members are shown', () => {
  const { inputSchema: _gone, ...rest } = before;
  const parts = definitionDifference(before, { ...rest, annotations: { readOnlyHint: true } });
  const of = (part: string) => parts.find((one) => one.part === part)?.lines.map(({ kind }) => kind);
  expect(new Set(of('annotations'))).toEqual(new Set(['added']));
  expect(new Set(of('inputSchema'))).toEqual(new Set(['removed']));
});

test('[PB-SAFE-1] a new tool is shown whole, what people know it by first', () => {
  const parts = definitionDifference(undefined, { _meta: { x: 1 }, ...before });
  expect(parts.map(({ part }) => part)).toEqual(['name', 'description', 'inputSchema', '_meta']);
  expect(parts.flatMap(({ lines }) => lines).every(({ kind }) => kind === 'same')).toBe(true);
});

test('[PB-SAFE-1] unchanged lines far from a change are only counted; a huge text stays within limits', () => {
  const long = Array.from({ length: 5_000 }, (_, index) => `line ${index}`);
  const parts = definitionDifference(
    { name: 't', description: long.join('\n') },
    { name: 't', description: long.with(2_500, 'other').join('\n') },
  );
  const lines = parts.find(({ part }) => part === 'description')?.lines ?? [];
  expect(lines.length).toBeLessThan(20);
  expect(lines.filter(({ kind }) => kind === 'gap')).toHaveLength(2);
  const all = definitionDifference(
    { name: 't', description: long.join('\n') },
    { name: 't', description: long.map((line) => `${line}!`).join('\n') },
  );
  expect(all.flatMap((part) => part.lines).length).toBeLessThanOrEqual(2_010);
});
