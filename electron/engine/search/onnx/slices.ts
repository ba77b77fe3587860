/**
 * Tokens of a slice, including padding: one slice takes some tens of milliseconds, during which queries wait.
 */
const maxSliceTokens = 512;

/** Groups texts of similar length, since shorter ones are padded. */
export function slicesOf(lengths: readonly number[]): readonly (readonly number[])[] {
  const order = lengths.map((_, at) => at).sort((one, other) => (lengths[one] ?? 0) - (lengths[other] ?? 0));
  const slices: number[][] = [];
  for (const at of order) {
    const last = slices.at(-1);
    const isFull = last === undefined || (last.length + 1) * (lengths[at] ?? 0) > maxSliceTokens;
    if (isFull) slices.push([at]);
    else last.push(at);
  }
  return slices;
}
