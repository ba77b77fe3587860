/** How rows that repeat are told from others. */
export interface FoldRule<T> {
  /** Rows of one subject follow each other, whatever stands between them; undefined stands alone. */
  readonly subject: (row: T) => string | undefined;
  /** Rows of a subject repeat while this stays the same. */
  readonly sign: (row: T) => string;
  /** How often something was tried, in rows that repeat. */
  readonly tries: (rows: readonly T[]) => number;
}

/** A row, or the newest of several that repeat. */
export interface Folded<T> {
  readonly row: T;
  /** All of them, newest first; one where nothing repeats. */
  readonly rows: readonly T[];
  readonly tries: number;
}

/** Fewer are no flood. */
const fewest = 3;

/** Rows, newest first, with those that repeat as one, where the newest of them stands. */
export function foldRows<T>(rows: readonly T[], rule: FoldRule<T>): readonly Folded<T>[] {
  const open = new Map<string, { readonly sign: string; readonly rows: T[] }>();
  const runs = rows.map((row) => {
    const subject = rule.subject(row);
    const sign = rule.sign(row);
    const before = subject === undefined ? undefined : open.get(subject);
    const run = before?.sign === sign ? before : { sign, rows: [] as T[] };
    run.rows.push(row);
    if (subject !== undefined) open.set(subject, run);
    return run.rows;
  });
  const tries = new Map([...new Set(runs)].map((run) => [run, rule.tries(run)]));
  return rows.flatMap((row, index) => {
    const run = runs[index] ?? [row];
    const count = tries.get(run) ?? 1;
    if (count < fewest) return [{ row, rows: [row], tries: 1 }];
    return run[0] === row ? [{ row, rows: run, tries: count }] : [];
  });
}

/** A line of a list: a row, one of several that repeat, or those as one. */
export type FoldLine<T> =
  | { readonly kind: 'row'; readonly row: T; readonly isPart: boolean }
  | { readonly kind: 'fold'; readonly fold: Folded<T>; readonly id: number; readonly isOpen: boolean };

/** The lines that are seen; what is folded is known by its oldest row, since newer ones join it. */
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

/** How often the most frequent of these texts stands there, their numbers aside. */
export function mostFrequent(texts: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const text of texts) {
    const plain = text.replaceAll(/\d+/g, '#');
    counts.set(plain, (counts.get(plain) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}
