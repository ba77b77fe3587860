import type { FieldMatch } from '../../../shared/model/tool/search.ts';
import { rangeParts } from '../../lib/text/match-ranges.ts';

/** Marks ranges in a text. */
export function RangedText({ text, ranges }: { text: string; ranges: FieldMatch['ranges'] }) {
  if (ranges.length === 0) return text;
  let offset = 0;
  return rangeParts(text, ranges).map((part) => {
    const key = offset;
    offset += part.text.length;
    return part.hit ? <mark key={key}>{part.text}</mark> : <span key={key}>{part.text}</span>;
  });
}
