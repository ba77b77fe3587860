import type { FieldMatch, MatchField, SearchHit } from '../../shared/model/search.ts';
import type { TextPart } from './match-words.ts';

type Ranges = FieldMatch['ranges'];

const none: Ranges = [];

/** Returns the matched ranges in a field; empty if it did not match. */
export function rangesOf({ matched }: Pick<SearchHit, 'matched'>, field: MatchField): Ranges {
  return matched.find((match) => match.field === field)?.ranges ?? none;
}

/** Splits a text at ranges; ranges outside the text or overlapping the previous one are ignored. */
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

/** Number of characters shown before the first hit. */
const contextLength = 28;

/** Number of characters that are visible on a line in any case. */
const visibleLength = 70;

/**
 * Returns a text as one line, cut at the start if the first hit would otherwise be off screen; ranges are
 * adjusted.
 */
export function snippet(text: string, ranges: Ranges): { readonly text: string; readonly ranges: Ranges } {
  const line = text.replace(/\s/g, ' ');
  const [first] = ranges;
  if (first === undefined || first[1] <= visibleLength) return { text: line, ranges };
  const space = line.indexOf(' ', first[0] - contextLength);
  const from = space < 0 || space >= first[0] ? first[0] : space + 1;
  const moved = ranges.map(([start, end]): [number, number] => [start - from + 1, end - from + 1]);
  return { text: `…${line.slice(from)}`, ranges: moved };
}

/** Returns the reasons for a match that cannot be marked in the displayed text. */
export function hiddenReasons({ matched }: Pick<SearchHit, 'matched'>, isMeaningUsed: boolean): string {
  if (matched.length === 0) return isMeaningUsed ? 'similar meaning' : '';
  const reasons = [
    listed('parameter', 'parameters', matched.filter(isOf('parameter')).flatMap(wordsIn)),
    listed(
      'skill',
      'skills',
      matched.filter(isOf('skill')).flatMap(({ text }) => text ?? []),
    ),
    matched.some(isOf('keyword')) ? 'a related keyword' : '',
  ];
  return reasons.filter(Boolean).join(', ');
}

function isOf(field: MatchField): (match: FieldMatch) => boolean {
  return (match) => match.field === field;
}

function wordsIn({ text = '', ranges }: FieldMatch): readonly string[] {
  return ranges.map(([from, to]) => text.slice(from, to));
}

/** Lists at most three words. */
function listed(one: string, several: string, words: readonly string[]): string {
  const different = [...new Set(words)].slice(0, 3);
  if (different.length === 0) return '';
  return `${different.length === 1 ? one : several} ${different.join(', ')}`;
}
