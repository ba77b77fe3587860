import type { PathName } from './paths.ts';

/** What is compared: the value, numbers to the digit; the very bytes (stdio only); or what happens. */
export type Level = 'value' | 'bytes' | 'behaviour';

/** Something a path does not do yet. Its tests must fail: one that starts to pass turns red until its row is taken out. */
interface KnownDifference {
  readonly paths: readonly PathName[];
  readonly levels: readonly Level[];
  readonly items: RegExp;
  readonly reason: string;
}

/** None today. */
const knownDifferences: readonly KnownDifference[] = [];

export function knownDifference(path: PathName, level: Level, item: string): string | undefined {
  const found = knownDifferences.find(
    ({ paths, levels, items }) => paths.includes(path) && levels.includes(level) && items.test(item),
  );
  return found?.reason;
}
