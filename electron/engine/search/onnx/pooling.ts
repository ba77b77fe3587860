/** Combines token vectors into a text vector. */
export type Pooling = 'mean' | 'first' | 'last';

/** Token vectors, text after text, each padded to the longest text. */
export interface TokenVectors {
  readonly data: Float32Array;
  readonly texts: number;
  readonly tokens: number;
  readonly dimension: number;
}

/** Returns one vector per text; `lengths` are the numbers of tokens without padding. */
export function pooled(
  { data, texts, tokens, dimension }: TokenVectors,
  lengths: readonly number[],
  how: Pooling,
): readonly Float32Array[] {
  return Array.from({ length: texts }, (_, text) => {
    const length = Math.max(1, lengths[text] ?? 0);
    const vectorAt = (token: number) => {
      const from = (text * tokens + token) * dimension;
      return data.subarray(from, from + dimension);
    };
    if (how === 'first') return vectorAt(0).slice();
    if (how === 'last') return vectorAt(length - 1).slice();
    const sum = new Float32Array(dimension);
    for (let token = 0; token < length; token += 1) {
      const vector = vectorAt(token);
      for (let at = 0; at < dimension; at += 1) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0) / length;
    }
    return sum;
  });
}
