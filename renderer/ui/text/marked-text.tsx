import { markWords } from '../../lib/text/match-words.ts';

/** Marks the searched words in a text. */
export function MarkedText({ text, words }: { text: string; words: readonly string[] }) {
  if (words.length === 0) return text;
  let offset = 0;
  return markWords(text, words).map((part) => {
    const key = offset;
    offset += part.text.length;
    return part.hit ? <mark key={key}>{part.text}</mark> : <span key={key}>{part.text}</span>;
  });
}
