/** Tokens of a slice, fillers included: it takes a few ten milliseconds, in which no query gets its turn. */
const mostTokens = 512;

/** Which texts are run together: those of about the same length, as the shorter ones are filled up. */
export function slicesOf(lengths: readonly number[]): readonly (readonly number[])[] {
  const order = lengths.map((_, at) => at).sort((one, other) => (lengths[one] ?? 0) - (lengths[other] ?? 0));
  const slices: number[][] = [];
  for (const at of order) {
    const last = slices.at(-1);
    const isFull = last === undefined || (last.length + 1) * (lengths[at] ?? 0) > mostTokens;
    if (isFull) slices.push([at]);
    else last.push(at);
  }
  return slices;
}
