interface Moment {
  /** Epoch milliseconds, when it began. */
  readonly at: number;
}

/**
 * Rows by when they began, the newest first; of one moment, the last written first. They are written when they end, or
 * together a moment later, and so come in another order than things began. Live and stored rows stand alike.
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
