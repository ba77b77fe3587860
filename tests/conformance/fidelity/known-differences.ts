import type { PathName } from './paths.ts';

/** Level of a comparison: the value, numbers to the digit; the exact bytes (stdio only); or the behaviour. */
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
