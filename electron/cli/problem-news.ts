import type { Problem } from '../../shared/error/problem.ts';

export interface ProblemNews {
  /** Not told of before, or gone meanwhile and back. */
  readonly fresh: readonly Problem[];
  /** What was told of is over, and nothing has taken its place. */
  readonly isOver: boolean;
}

/**
 * Tells what is new in what is wrong under a key, so that each problem is told once each time it comes up. While it is
 * `open` whether something is still wrong (a server starts again), nothing counts as gone.
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
