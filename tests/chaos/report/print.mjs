import { machineText } from '../../bench/report/print.mjs';
import { traceOf } from '../lib/journal.mjs';
import { tablesOf } from './tables.mjs';
import { verdictsOf } from './verdicts.mjs';

/** Requests of a broken rule whose trace is printed; the rest are in the journal. */
const TRACED = 2;
const LINES = 40;

/** The report for the terminal. */
export function printReport(result) {
  for (const { title, note, head, rows } of tablesOf(result)) {
    console.log(`\n${title}${note === '' ? '' : `\n${note}`}\n`);
    printRows([head, ...rows]);
  }
  console.log(
    `\nseed ${result.seed}, revision ${result.revision}, ${result.took} s, ${machineText(result.machine)}`,
  );
}

/** Prints the history of the requests that broke a rule. */
export async function printTraces(result, file) {
  for (const { rule, calls = [] } of verdictsOf(result).filter(({ ok }) => ok === false)) {
    for (const call of calls.slice(0, TRACED)) {
      console.log(`\n${rule}: ${call}`);
      for (const line of (await traceOf(file, call)).slice(0, LINES))
        console.log(`  ${JSON.stringify(line)}`);
    }
  }
  console.log(
    `\nSeed ${result.seed}. The journal of all that happened: ${file}, with what hub and servers noted beside it.`,
  );
}

function printRows(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
}
