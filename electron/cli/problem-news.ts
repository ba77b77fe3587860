import type { Problem } from '../../shared/error/problem.ts';

export interface ProblemChanges {
  /** Problems that were not reported before, or have come back. */
  readonly newProblems: readonly Problem[];
  /** All reported problems are gone. */
  readonly hasRecovered: boolean;
}

/**
 * Returns the problems of a key that are new, so that each is reported once each time it comes up. While
 * `open` (the outcome is not known yet, such as during a restart), no problem counts as gone.
 */
export function createProblemTracker(): (
  key: string,
  now: readonly Problem[],
  isUndecided?: boolean,
) => ProblemChanges {
  const reported = new Map<string, ReadonlySet<string>>();
  return (key, now, isUndecided = false) => {
    const before = reported.get(key) ?? new Set();
    const sentences = now.map(({ sentence }) => sentence);
    reported.set(key, new Set(isUndecided ? [...before, ...sentences] : sentences));
    return {
      newProblems: now.filter(({ sentence }) => !before.has(sentence)),
      hasRecovered: !isUndecided && now.length === 0 && before.size > 0,
    };
  };
}
