import type { FieldMatch, MatchField, SearchHit } from '../../shared/model/search.ts';
import type { TextPart } from './match-words.ts';

type Ranges = FieldMatch['ranges'];

const none: Ranges = [];

/** Where in a field something was found; nothing where it was not. */
export function rangesOf({ matched }: Pick<SearchHit, 'matched'>, field: MatchField): Ranges {
  return matched.find((match) => match.field === field)?.ranges ?? none;
}

/** Splits a text at ranges; what lies outside of it, or in the one before, is left out. */
export function rangeParts(text: string, ranges: Ranges): readonly TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const [from, to] of ranges) {
    if (from < end || from >= text.length || to <= from) continue;
    parts.push({ text: text.slice(end, from), hit: false }, { text: text.slice(from, to), hit: true });
    end = Math.min(to, text.length);
  }
  return [...parts, { text: text.slice(end), hit: false }].filter((part) => part.text !== '');
}

/** Characters before the first hit that a line shows. */
const before = 28;

/** Characters that are seen on a line in any case. */
const surely = 70;

/** A text in one line, begun late where it would otherwise end before the first hit; its ranges go with it. */
export function snippet(text: string, ranges: Ranges): { readonly text: string; readonly ranges: Ranges } {
  const line = text.replace(/\s/g, ' ');
  const [first] = ranges;
  if (first === undefined || first[1] <= surely) return { text: line, ranges };
  const space = line.indexOf(' ', first[0] - before);
  const from = space < 0 || space >= first[0] ? first[0] : space + 1;
  const moved = ranges.map(([start, end]): [number, number] => [start - from + 1, end - from + 1]);
  return { text: `…${line.slice(from)}`, ranges: moved };
}

/** Why something was found, where that cannot be marked in what is shown of it. */
export function unseenReasons({ matched }: Pick<SearchHit, 'matched'>, isMeaningUsed: boolean): string {
  if (matched.length === 0) return isMeaningUsed ? 'near in meaning' : '';
  const reasons = [
    listed('parameter', 'parameters', matched.filter(isOf('parameter')).flatMap(wordsIn)),
    listed(
      'skill',
      'skills',
      matched.filter(isOf('skill')).flatMap(({ text }) => text ?? []),
    ),
    matched.some(isOf('keyword')) ? 'a search word of it' : '',
  ];
  return reasons.filter(Boolean).join(', ');
}

function isOf(field: MatchField): (match: FieldMatch) => boolean {
  return (match) => match.field === field;
}

function wordsIn({ text = '', ranges }: FieldMatch): readonly string[] {
  return ranges.map(([from, to]) => text.slice(from, to));
}

/** More than three would say nothing more. */
function listed(one: string, several: string, words: readonly string[]): string {
  const different = [...new Set(words)].slice(0, 3);
  if (different.length === 0) return '';
  return `${different.length === 1 ? one : several} ${different.join(', ')}`;
}
