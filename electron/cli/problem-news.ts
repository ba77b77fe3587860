import type { Problem } from '../../shared/error/problem.ts';

export interface ProblemNews {
  /** Problems that were not reported before, or have come back. */
  readonly fresh: readonly Problem[];
  /** All reported problems are gone. */
  readonly isOver: boolean;
}

/**
 * Returns the problems of a key that are new, so that each is reported once each time it comes up. While
 * `open` (the outcome is not known yet, such as during a restart), no problem counts as gone.
 */
export function createProblemNews(): (key: string, now: readonly Problem[], open?: boolean) => ProblemNews {
  const told = new Map<string, ReadonlySet<string>>();
  return (key, now, open = false) => {
    const before = told.get(key) ?? new Set();
    const sentences = now.map(({ sentence }) => sentence);
    told.set(key, new Set(open ? [...before, ...sentences] : sentences));
    return {
      fresh: now.filter(({ sentence }) => !before.has(sentence)),
      isOver: !open && now.length === 0 && before.size > 0,
    };
  };
}
