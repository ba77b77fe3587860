/** Whether a text is what a pattern says: `*` is any characters, none too, `?` is one; all others are themselves. */
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
      // The last star takes one character more; earlier ones need not be tried again.
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
