import type { Verdict } from './baseline.ts';
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
  print('In the baseline, but passed: take them out of tests/conformance/baseline.json', gained);
  console.log(ok ? '\nAs the baseline says.' : '\nNot as the baseline says.');
}

function print(title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  console.log(`\n${title}:`);
  for (const line of lines) console.log(`  ${line.slice(0, 400)}`);
}
