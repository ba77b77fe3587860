import type { Hunk } from '../../../../shared/model/connect.ts';
import { maskLine } from './mask-line.ts';
import { spliceBetween } from './splice.ts';

type Line = Hunk['lines'][number];

/** Lines shown before and after what changes. */
const around = 3;

/**
 * The difference of two texts by lines, which is one stretch, since one entry is all that changes. Lines of others are
 * masked; `ours` are the lines of our entry, which hold nothing to hide.
 */
export function hunksBetween(before: string, after: string, ours: string): readonly Hunk[] {
  if (before === after) return [];
  const old = linesOf(before);
  const next = linesOf(after);
  const head = commonHead(old, next);
  const tail = commonHead(old.slice(head).reverse(), next.slice(head).reverse());
  const known = new Set(linesOf(ours).map(({ text }) => text.trim()));
  const added = next.slice(head, next.length - tail);
  const show = ({ text }: TextLine) => (isOurs(text, known) ? text : maskLine(text));
  const hide = ({ text }: TextLine) => maskLine(text);
  return [
    {
      line: Math.max(0, head - around) + 1,
      lines: [
        ...old.slice(Math.max(0, head - around), head).map(as('context', hide)),
        ...old.slice(head, old.length - tail).map(as('remove', hide)),
        ...(added.some(({ text }) => isOurs(text, known))
          ? added.map(as('add', show))
          : inLine(before, after)),
        ...old.slice(old.length - tail, old.length - tail + around).map(as('context', hide)),
      ],
    },
  ];
}

/** Our part of a line that is mostly not ours; what takes the place of something else may hold it. */
function inLine(before: string, after: string): readonly Line[] {
  const { added, removed } = spliceBetween(before, after);
  return [{ kind: 'add', text: removed.trim() === '' ? `… ${added} …` : '•••' }];
}

/** A line with its own end, so that another end is a difference. */
interface TextLine {
  readonly text: string;
  readonly end: string;
}

function linesOf(text: string): readonly TextLine[] {
  return [...text.matchAll(/([^\r\n]*)(\r\n|\n|\r|$)/g)]
    .map(([, line = '', end = '']) => ({ text: line, end }))
    .filter(({ text: line, end }) => line !== '' || end !== '');
}

function commonHead(a: readonly TextLine[], b: readonly TextLine[]): number {
  const longest = Math.min(a.length, b.length);
  let count = 0;
  while (count < longest && a[count]?.text === b[count]?.text && a[count]?.end === b[count]?.end) count += 1;
  return count;
}

/** A line of our entry, with or without the comma behind it. */
function isOurs(text: string, ours: ReadonlySet<string>): boolean {
  const line = text.trim();
  return ours.has(line) || ours.has(line.replace(/,$/, ''));
}

function as(kind: Line['kind'], show: (line: TextLine) => string): (line: TextLine) => Line {
  return (line) => ({ kind, text: show(line) });
}
