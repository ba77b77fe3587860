/** A part of a text, marked if it matched. */
export interface TextPart {
  readonly text: string;
  readonly hit: boolean;
}

/** Returns the words of a query in lower case; none for a blank query. */
export function queryWords(query: string): readonly string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** True if every word occurs in the text, which must already be lower case. */
export function matchesWords(lowerText: string, words: readonly string[]): boolean {
  return words.every((word) => lowerText.includes(word));
}

/** Splits a text at the occurrences of the words, longest words first where they overlap. */
export function markWords(text: string, words: readonly string[]): readonly TextPart[] {
  if (words.length === 0) return [{ text, hit: false }];
  const pattern = new RegExp(`(${byLength(words).map(escapeRegExp).join('|')})`, 'gi');
  return text
    .split(pattern)
    .map((part, index) => ({ text: part, hit: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}

function byLength(words: readonly string[]): readonly string[] {
  return [...words].sort((left, right) => right.length - left.length);
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
