import { readFile } from 'node:fs/promises';
import type { Score } from './suite.ts';

/** Why a scenario is not reached, by set and scenario; `*` stands for all of a set. */
export type Baseline = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface Verdict {
  readonly ok: boolean;
  /** Failed without standing in the baseline. */
  readonly lost: readonly Difference[];
  /** Stands in the baseline and passed: take it out. */
  readonly gained: readonly Difference[];
}

/** A scenario of a set that did not end as the baseline says. */
export interface Difference {
  readonly set: string;
  readonly scenario: string;
  /** The suite's reason for a failure; why the baseline expects one, of a scenario that passed. */
  readonly reason: string;
}

export async function readBaseline(): Promise<Baseline> {
  return JSON.parse(await readFile(new URL('baseline.json', import.meta.url), 'utf8'));
}

/** Two-way: a score may neither fall below the baseline nor rise above it unnoticed. */
export function judge(scores: readonly Score[], baseline: Baseline): Verdict {
  const all = scores.flatMap(({ name, outcomes }) =>
    outcomes.map(({ scenario, passed, reason }) => {
      const expected = baseline[name]?.[scenario] ?? baseline[name]?.['*'];
      return { set: name, scenario, passed, reason, expected };
    }),
  );
  const lost = all
    .filter(({ passed, expected }) => !passed && expected === undefined)
    .map(({ set, scenario, reason }) => ({ set, scenario, reason }));
  const gained = all.flatMap(({ set, scenario, passed, expected }) =>
    passed && expected !== undefined ? [{ set, scenario, reason: expected }] : [],
  );
  return { ok: lost.length === 0 && gained.length === 0, lost, gained };
}
