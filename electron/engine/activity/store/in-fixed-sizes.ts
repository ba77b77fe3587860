/** Splits items into few different sizes, so that few statements have to be prepared. */
export function* inFixedSizes<T>(items: readonly T[]): Generator<readonly T[]> {
  let start = 0;
  for (const size of [64, 16, 4, 1]) {
    for (; items.length - start >= size; start += size) yield items.slice(start, start + size);
  }
}
