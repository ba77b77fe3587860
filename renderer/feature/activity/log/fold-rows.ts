import { formatCount } from '../../../lib/text/format-amount.ts';
import { formatSince } from '../../../lib/text/format-time.ts';

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
  const attempts = new Map([...new Set(runs)].map((run) => [run, rule.countAttempts(run)]));
  return rows.flatMap((row, index) => {
    const run = runs[index] ?? [row];
    const count = attempts.get(run) ?? 1;
    if (count < minRepeats) return [{ row, rows: [row], attempts: 1 }];
    return run[0] === row ? [{ row, rows: run, attempts: count }] : [];
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

/** Returns the count of a group: `42 tries since 16:06` for changes of status, else `42 times since 16:06`. */
export function foldRemark({ row, rows, attempts }: Folded<Moment>, isStatus: boolean, now: number): string {
  const count = isStatus ? formatCount(attempts, 'try', 'tries') : formatCount(attempts, 'time');
  return `${count} since ${formatSince(rows.at(-1)?.at ?? row.at, now)}`;
}

export interface Moment {
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
