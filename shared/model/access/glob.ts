/**
 * Matches a text against a pattern: `*` is any number of characters, `?` is exactly one; all others match
 * themselves.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  let [at, from, star, mark] = [0, 0, -1, 0];
  while (at < text.length) {
    const wanted = pattern[from];
    if (wanted === '*') {
      star = from;
      mark = at;
      from += 1;
    } else if (wanted === '?' || wanted === text[at]) {
      from += 1;
      at += 1;
    } else if (star >= 0) {
      // Backtracks: the last star takes one more character; earlier stars need not be tried again.
      from = star + 1;
      mark += 1;
      at = mark;
    } else {
      return false;
    }
  }
  while (pattern[from] === '*') from += 1;
  return from === pattern.length;
}
