import { readFile, writeFile } from 'node:fs/promises';
import type { Baseline } from './baseline.ts';
import type { Score } from './suite.ts';

const file = new URL('../../docs/fidelity.md', import.meta.url);

/** Writes the scores into the page; sets that did not run keep their row. */
export async function updatePage(scores: readonly Score[], baseline: Baseline): Promise<void> {
  await writeFile(file, withScores(await readFile(file, 'utf8'), scores, baseline));
}

const begin = '<!-- scores: written by `npm run test:conformance -- --page` -->';
const end = '<!-- end of scores -->';
const head = ['set', 'passed', 'not passed'];

/** Returns the page with these scores in its table. */
export function withScores(page: string, scores: readonly Score[], baseline: Baseline): string {
  const [before, marked] = split(page, begin);
  const [table, after] = split(marked, end);
  const rows = new Map(rowsOf(table).map((row) => [row[0], row]));
  for (const score of scores) rows.set(`\`${score.name}\``, rowOf(score));
  const parts = [begin, renderTable([head, ...rows.values()]), reasonsOf(baseline), end];
  return `${before}${parts.join('\n\n')}${after}`;
}

type Row = readonly string[];

function split(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark);
  if (at === -1) throw new Error(`docs/fidelity.md has no ${mark}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

function rowsOf(table: string): readonly Row[] {
  const lines = table.split('\n').filter((line) => line.startsWith('| `'));
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function rowOf({ name, outcomes }: Score): Row {
  const missed = outcomes.filter(({ passed }) => !passed);
  const scenarios = missed.map(({ scenario }) => `\`${scenario}\``);
  return [`\`${name}\``, `${outcomes.length - missed.length}/${outcomes.length}`, scenarios.join(', ')];
}

/** Each expected failure once, with its reason. */
function reasonsOf(baseline: Baseline): string {
  const reasons = new Map(Object.values(baseline).flatMap((scenarios) => Object.entries(scenarios)));
  return [...reasons].map(([scenario, reason]) => `- \`${scenario}\` ${reason}`).join('\n');
}

/** Aligned as the formatter does it. */
function renderTable(rows: readonly Row[]): string {
  const widths = head.map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  const line = (cells: Row) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [first = head, ...others] = rows;
  return [line(first), line(widths.map((width) => '-'.repeat(width))), ...others.map(line)].join('\n');
}
