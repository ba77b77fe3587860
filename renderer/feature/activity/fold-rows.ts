/** Rules for grouping repeated rows. */
export interface FoldRule<T> {
  /**
   * Rows with the same subject belong together, even with other rows between them; undefined is never
   * grouped.
   */
  readonly subject: (row: T) => string | undefined;
  /** Rows of a subject count as repeats while this value stays the same. */
  readonly signature: (row: T) => string;
  /** Returns how many attempts the repeated rows stand for. */
  readonly countAttempts: (rows: readonly T[]) => number;
}

/** A single row, or a group shown as its newest row. */
export interface Folded<T> {
  readonly row: T;
  /** All rows of the group, newest first; a single one where nothing repeats. */
  readonly rows: readonly T[];
  readonly attempts: number;
}

/** Min repeats to form a group. */
const minRepeats = 3;

/** Groups repeated rows, newest first; each group stands where its newest row was. */
export function foldRows<T>(rows: readonly T[], rule: FoldRule<T>): readonly Folded<T>[] {
  const open = new Map<string, { readonly sign: string; readonly rows: T[] }>();
  const runs = rows.map((row) => {
    const subject = rule.subject(row);
    const sign = rule.signature(row);
    const before = subject === undefined ? undefined : open.get(subject);
    const run = before?.sign === sign ? before : { sign, rows: [] as T[] };
    run.rows.push(row);
    if (subject !== undefined) open.set(subject, run);
    return run.rows;
  });
  const tries = new Map([...new Set(runs)].map((run) => [run, rule.countAttempts(run)]));
  return rows.flatMap((row, index) => {
    const run = runs[index] ?? [row];
    const count = tries.get(run) ?? 1;
    if (count < minRepeats) return [{ row, rows: [row], tries: 1 }];
    return run[0] === row ? [{ row, rows: run, tries: count }] : [];
  });
}

/** A line of the list: a row, a row inside an expanded group, or a group. */
export type FoldLine<T> =
  | { readonly kind: 'row'; readonly row: T; readonly isPart: boolean }
  | { readonly kind: 'fold'; readonly fold: Folded<T>; readonly id: number; readonly isOpen: boolean };

/** Returns the visible lines. A group is identified by its oldest row, since newer rows join it. */
export function linesOf<T>(
  folded: readonly Folded<T>[],
  idOf: (row: T) => number,
  opened: ReadonlySet<number>,
): readonly FoldLine<T>[] {
  return folded.flatMap((fold): readonly FoldLine<T>[] => {
    if (fold.rows.length === 1) return [{ kind: 'row', row: fold.row, isPart: false }];
    const id = idOf(fold.rows.at(-1) ?? fold.row);
    const isOpen = opened.has(id);
    const parts = isOpen ? fold.rows.map((row) => ({ kind: 'row' as const, row, isPart: true })) : [];
    return [{ kind: 'fold', fold, id, isOpen }, ...parts];
  });
}

/** Returns how often the most frequent text occurs, ignoring numbers in it. */
export function maxFrequency(texts: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const text of texts) {
    const plain = text.replaceAll(/\d+/g, '#');
    counts.set(plain, (counts.get(plain) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}
