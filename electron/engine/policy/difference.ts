import { diffArrays, diffWordsWithSpace } from 'diff';
import type { DefinitionPart, DifferenceLine } from '../../../shared/model/guard.ts';
import { showHidden } from './hidden-characters.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Compares a definition with the one before it, member by member and line by line; shows all of it if there
 * is none before.
 */
export function definitionDifference(before: Json | undefined, after: Json): readonly DefinitionPart[] {
  const names = [...new Set([...Object.keys(after), ...Object.keys(before ?? {})])];
  return names.sort((a, b) => rank(a) - rank(b)).map((part) => partOf(part, before, after));
}

/** Puts the parts that people know a tool by first. */
const order = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'];

function rank(part: string): number {
  const index = order.indexOf(part);
  return index === -1 ? order.length : index;
}

function partOf(part: string, before: Json | undefined, after: Json): DefinitionPart {
  const newer = linesOf(after[part]);
  if (before === undefined)
    return { part, isChanged: true, lines: cut(newer.map((text) => plain('same', text))) };
  const older = linesOf(before[part]);
  const isChanged = older.join('\n') !== newer.join('\n');
  return { part, isChanged, lines: cut(compared(older, newer)) };
}

function linesOf(value: unknown): readonly string[] {
  if (value === undefined) return [];
  const text = typeof value === 'string' ? value : JSON.stringify(sorted(value), undefined, 2);
  return showHidden(text.slice(0, longestText)).split(/\r\n|\r|\n/);
}

/** Characters per member. */
const longestText = 400_000;

/** Member order means nothing, so it must not look like a change. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, sorted(member)]));
}

function compared(older: readonly string[], newer: readonly string[]): readonly DifferenceLine[] {
  const changes = diffArrays([...older], [...newer], { timeout: patience }) ?? [
    { value: [...older], removed: true, added: false },
    { value: [...newer], removed: false, added: true },
  ];
  const lines: DifferenceLine[] = [];
  changes.forEach((change, index) => {
    const next = changes[index + 1];
    const last = changes[index - 1];
    if (change.removed && next?.added) lines.push(...replaced(change.value, next.value));
    else if (change.added && last?.removed) return;
    else lines.push(...gathered(change));
  });
  return lines;
}

/** Milliseconds per member; a slower comparison is shown as everything removed and everything added. */
const patience = 200;

/** Only counts unchanged lines far from any change. */
function gathered(change: { readonly value: string[]; readonly added: boolean; readonly removed: boolean }) {
  const kind = change.added ? 'added' : change.removed ? 'removed' : 'same';
  const lines = change.value.map((text) => plain(kind, text));
  if (kind !== 'same' || lines.length <= 2 * near + 4) return lines;
  return [
    ...lines.slice(0, near),
    { kind: 'gap', lines: lines.length - 2 * near } as const,
    ...lines.slice(-near),
  ];
}

const near = 3;

/** Compares word by word if the number of lines is the same, each line with its counterpart. */
function replaced(older: readonly string[], newer: readonly string[]): readonly DifferenceLine[] {
  const pairs =
    older.length === newer.length ? older.map((text, index) => words(text, newer[index] ?? '')) : [];
  if (pairs.length > 0) return [...pairs.map(([removed]) => removed), ...pairs.map(([, added]) => added)];
  return [...older.map((text) => plain('removed', text)), ...newer.map((text) => plain('added', text))];
}

function words(before: string, after: string): readonly [DifferenceLine, DifferenceLine] {
  const changes =
    before.length + after.length > longestLine
      ? undefined
      : diffWordsWithSpace(before, after, { timeout: patience });
  const common = (changes ?? []).filter((change) => !(change.added || change.removed));
  const kept = common.reduce((sum, { value }) => sum + value.trim().length, 0);
  // Marking nearly every word is worse than marking none.
  if (changes === undefined || kept < leastCommon * Math.max(before.length, after.length))
    return [plain('removed', before), plain('added', after)];
  const pieces = (side: 'added' | 'removed') =>
    changes
      .filter((change) => change[side] || !(change.added || change.removed))
      .map((change) => ({ text: change.value, marked: change[side] }));
  return [
    { kind: 'removed', pieces: pieces('removed') },
    { kind: 'added', pieces: pieces('added') },
  ];
}

const longestLine = 20_000;
const leastCommon = 0.3;

function plain(kind: 'same' | 'added' | 'removed', text: string): DifferenceLine {
  return { kind, pieces: [{ text, marked: false }] };
}

function cut(lines: readonly DifferenceLine[]): readonly DifferenceLine[] {
  if (lines.length <= mostLines) return lines;
  return [...lines.slice(0, mostLines), { kind: 'gap', lines: lines.length - mostLines }];
}

const mostLines = 2_000;
