/** Normalised discounted cumulative gain of the first ten: 1 where nothing could stand in a better order. */
export function ndcg10(found: readonly string[], grades: ReadonlyMap<string, number>): number {
  const gain = (list: readonly number[]) =>
    list.slice(0, 10).reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0);
  const ideal = gain([...grades.values()].sort((one, other) => other - one));
  return ideal === 0 ? 0 : gain(found.map((id) => grades.get(id) ?? 0)) / ideal;
}

/** Returns the share of the relevant items that is among the first ten. */
export function recall10(found: readonly string[], grades: ReadonlyMap<string, number>): number {
  const there = new Set(found.slice(0, 10));
  return [...grades.keys()].filter((id) => there.has(id)).length / Math.min(10, grades.size);
}

export function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

/** Mean difference between how sure answers are and how often they are right, over ten equal bins. */
export function calibrationError(
  answers: readonly { readonly confidence: number; readonly isRight: boolean }[],
): number {
  const bins = Array.from({ length: 10 }, (_, bin) =>
    answers.filter(({ confidence }) => Math.min(9, Math.floor(confidence * 10)) === bin),
  );
  return bins.reduce((sum, bin) => {
    if (bin.length === 0) return sum;
    const sure = mean(bin.map(({ confidence }) => confidence));
    const right = mean(bin.map(({ isRight }) => (isRight ? 1 : 0)));
    return sum + (bin.length / answers.length) * Math.abs(sure - right);
  }, 0);
}
