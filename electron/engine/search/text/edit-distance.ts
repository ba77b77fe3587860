/**
 * Counts added, removed, replaced or swapped letters between two words; returns `limit + 1` if there are more
 * than `limit`.
 */
export function editDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return limit + 1;
  let beforeLast = new Uint8Array(other.length + 1);
  let last = Uint8Array.from({ length: other.length + 1 }, (_, index) => index);
  let current = new Uint8Array(other.length + 1);
  for (let row = 1; row <= one.length; row += 1) {
    current[0] = row;
    let best = row;
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one.charCodeAt(row - 1) === other.charCodeAt(column - 1);
      let cost = Math.min(
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
      );
      if (row > 1 && column > 1 && isSwapped(one, row, other, column))
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current[column] = cost;
      best = Math.min(best, cost);
    }
    if (best > limit) return limit + 1;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return Math.min(last[other.length] ?? 0, limit + 1);
}

function isSwapped(one: string, row: number, other: string, column: number): boolean {
  return (
    one.charCodeAt(row - 1) === other.charCodeAt(column - 2) &&
    one.charCodeAt(row - 2) === other.charCodeAt(column - 1)
  );
}
