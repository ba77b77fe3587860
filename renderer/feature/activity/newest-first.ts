interface Moment {
  /** Start time in epoch milliseconds. */
  readonly at: number;
}

/**
 * Sorts rows by start time, newest first; rows that started together by number, highest first. Rows are
 * written when they end, or in batches, so they do not arrive in the order in which they started.
 */
export function newestFirst<T extends Moment>(rows: readonly T[], number: (row: T) => number): readonly T[] {
  const isSorted = rows.every((row, index) => {
    const before = rows[index - 1];
    return before === undefined || order(before, row, number) <= 0;
  });
  return isSorted ? rows : rows.toSorted((one, other) => order(one, other, number));
}

function order<T extends Moment>(one: T, other: T, number: (row: T) => number): number {
  return other.at - one.at || number(other) - number(one);
}
