import { writeFile } from 'node:fs/promises';
import type { Difference, Verdict } from './baseline.ts';
import type { Score } from './suite.ts';

export function printTable(scores: readonly Score[], { lost, gained, ok }: Verdict): void {
  const width = Math.max(...scores.map(({ name }) => name.length), 4);
  console.log(`\n${'set'.padEnd(width)}  score`);
  for (const { name, outcomes } of scores) {
    const passed = outcomes.filter((outcome) => outcome.passed).length;
    const missed = outcomes.filter((outcome) => !outcome.passed).map(({ scenario }) => scenario);
    const score = `${passed}/${outcomes.length}`.padStart(5);
    console.log(`${name.padEnd(width)}  ${score}  ${missed.join(', ')}`.trimEnd());
  }
  print('Below the baseline', lost);
  print(inBaseline, gained);
  console.log(ok ? '\nAs the baseline says.' : '\nNot as the baseline says.');
}

/** Writes what `build/steps.mjs` counts to the file that TEST_REPORT names, if any. */
export async function writeReport(scores: readonly Score[], { lost, gained }: Verdict): Promise<void> {
  const { TEST_REPORT: file = '' } = process.env;
  if (file === '') return;
  const asExpected = scores.flatMap(({ outcomes }) => outcomes).length - lost.length - gained.length;
  const failed = [
    ...lost.map(({ set, scenario, reason }) => ({ file: set, title: scenario, message: reason })),
    ...gained.map(({ set, scenario }) => ({ file: set, title: scenario, message: inBaseline })),
  ];
  await writeFile(file, JSON.stringify({ passed: asExpected, failed, stray: [] }));
}

const inBaseline = 'In the baseline, but passed: take them out of tests/conformance/baseline.json';

function print(title: string, differences: readonly Difference[]): void {
  if (differences.length === 0) return;
  console.log(`\n${title}:`);
  for (const { set, scenario, reason } of differences)
    console.log(`  ${`${set} / ${scenario}: ${reason}`.slice(0, 400)}`);
}
