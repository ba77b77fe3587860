/** Joins words for a sentence, naming only the first few: `PATH, SHELL and 3 more`. */
export function joinWords(words: readonly string[], limit: number): string {
  const shown = words.length > limit ? words.slice(0, limit - 1) : words;
  const rest = words.length - shown.length;
  const parts = rest > 0 ? [...shown, `${rest} more`] : shown;
  if (parts.length < 2) return parts[0] ?? '';
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
