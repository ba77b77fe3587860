import { diffArrays } from 'diff';
import type { Hunk } from '../../../../shared/model/connect.ts';
import { maskLine } from './mask-line.ts';
import { spliceBetween } from './splice.ts';

type Line = Hunk['lines'][number];

/** Lines shown before and after what changes. */
const around = 3;

/**
 * The difference of two texts by lines. Lines of others are masked; `ours` are the lines of our entry, which hold nothing
 * to hide.
 */
export function hunksBetween(before: string, after: string, ours: string): readonly Hunk[] {
  if (before === after) return [];
  const known = new Set(linesOf(ours).map((line) => line.trim()));
  const changes = changesBetween(linesOf(before), linesOf(after));
  const added = changes.filter(({ kind }) => kind === 'add');
  const { added: part, removed } = spliceBetween(before, after);
  // All of a file in one line: our part of it, where nothing of others goes with it.
  const inLine =
    removed.trim() === '' && !added.some(({ text }) => isOurs(text, known)) ? `… ${part} …` : undefined;
  const show = ({ kind, text }: Line): Line => {
    const line = withoutEnd(text);
    if (kind === 'add' && inLine !== undefined) return { kind, text: inLine };
    return { kind, text: kind === 'add' && isOurs(line, known) ? line : maskLine(line) };
  };
  return stretches(changes).map(({ from, to, line }) => ({ line, lines: changes.slice(from, to).map(show) }));
}

/** Lines with their own ends, so that another end is a difference. */
function linesOf(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
}

function withoutEnd(line: string): string {
  return line.replace(/(?:\r\n|\n|\r)$/, '');
}

/** Lines of both texts in their order; what goes stands before what comes. */
function changesBetween(old: string[], next: string[]): readonly Line[] {
  // Texts that differ too much for a close look are one change from the first to the last line that differs.
  const parts = diffArrays(old, next, { maxEditLength: mostEdits }) ?? [
    { value: old, removed: true, added: false },
    { value: next, removed: false, added: true },
  ];
  return parts.flatMap(({ value, added, removed }) =>
    value.map((text): Line => ({ kind: added ? 'add' : removed ? 'remove' : 'context', text })),
  );
}

const mostEdits = 4000;

interface Stretch {
  readonly from: number;
  readonly to: number;
  /** One-based line of the old text. */
  readonly line: number;
}

/** Changed lines with some around them; what lies close together is one stretch. */
function stretches(lines: readonly Line[]): readonly Stretch[] {
  const found: { from: number; to: number; line: number }[] = [];
  let line = 1;
  const oldLines = lines.map(({ kind }) => (kind === 'add' ? line : line++));
  lines.forEach(({ kind }, index) => {
    if (kind === 'context') return;
    const from = Math.max(0, index - around);
    const last = found.at(-1);
    const to = Math.min(lines.length, index + 1 + around);
    if (last !== undefined && from <= last.to) last.to = to;
    else found.push({ from, to, line: oldLines[from] ?? 1 });
  });
  return found;
}

/** A line of our entry, with or without the comma behind it. */
function isOurs(text: string, ours: ReadonlySet<string>): boolean {
  const line = text.trim();
  return ours.has(line) || ours.has(line.replace(/,$/, ''));
}
