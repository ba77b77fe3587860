import { diffArrays, diffWordsWithSpace } from 'diff';
import type { DefinitionPart, DifferenceLine } from '../../../../shared/model/tool/guard.ts';
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
  return { part, isChanged, lines: cut(compareLines(older, newer)) };
}

function linesOf(value: unknown): readonly string[] {
  if (value === undefined) return [];
  const text = typeof value === 'string' ? value : JSON.stringify(sorted(value), undefined, 2);
  return showHidden(text.slice(0, maxText)).split(/\r\n|\r|\n/);
}

/** Characters per member. */
const maxText = 400_000;

/** Member order means nothing, so it must not look like a change. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, sorted(member)]));
}

function compareLines(older: readonly string[], newer: readonly string[]): readonly DifferenceLine[] {
  const changes = diffArrays([...older], [...newer], { timeout: timeoutMs }) ?? [
    { value: [...older], removed: true, added: false },
    { value: [...newer], removed: false, added: true },
  ];
  const lines: DifferenceLine[] = [];
  changes.forEach((change, index) => {
    const next = changes[index + 1];
    const last = changes[index - 1];
    if (change.removed && next?.added) lines.push(...compareReplaced(change.value, next.value));
    else if (change.added && last?.removed) return;
    else lines.push(...collapsed(change));
  });
  return lines;
}

/** Milliseconds per member; a slower comparison is shown as everything removed and everything added. */
const timeoutMs = 200;

/** Only counts unchanged lines far from any change. */
function collapsed(change: { readonly value: string[]; readonly added: boolean; readonly removed: boolean }) {
  const kind = change.added ? 'added' : change.removed ? 'removed' : 'same';
  const lines = change.value.map((text) => plain(kind, text));
  if (kind !== 'same' || lines.length <= 2 * contextLines + 4) return lines;
  return [
    ...lines.slice(0, contextLines),
    { kind: 'gap', lines: lines.length - 2 * contextLines } as const,
    ...lines.slice(-contextLines),
  ];
}

const contextLines = 3;

/** Compares word by word if the number of lines is the same, each line with its counterpart. */
function compareReplaced(older: readonly string[], newer: readonly string[]): readonly DifferenceLine[] {
  const pairs =
    older.length === newer.length ? older.map((text, index) => compareWords(text, newer[index] ?? '')) : [];
  if (pairs.length > 0) return [...pairs.map(([removed]) => removed), ...pairs.map(([, added]) => added)];
  return [...older.map((text) => plain('removed', text)), ...newer.map((text) => plain('added', text))];
}

function compareWords(before: string, after: string): readonly [DifferenceLine, DifferenceLine] {
  const changes =
    before.length + after.length > maxLine
      ? undefined
      : diffWordsWithSpace(before, after, { timeout: timeoutMs });
  const common = (changes ?? []).filter((change) => !(change.added || change.removed));
  const commonLength = common.reduce((sum, { value }) => sum + value.trim().length, 0);
  // Marking nearly every word is worse than marking none.
  if (changes === undefined || commonLength < minCommon * Math.max(before.length, after.length))
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

const maxLine = 20_000;
const minCommon = 0.3;

function plain(kind: 'same' | 'added' | 'removed', text: string): DifferenceLine {
  return { kind, pieces: [{ text, marked: false }] };
}

function cut(lines: readonly DifferenceLine[]): readonly DifferenceLine[] {
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines), { kind: 'gap', lines: lines.length - maxLines }];
}

const maxLines = 2_000;
