import { tablesOf } from './tables.mjs';

/** The report for the terminal. */
export function printReport(result) {
  for (const { title, note, head, rows } of tablesOf(result)) {
    console.log(`\n${title}\n${note}\n`);
    printRows([head, ...rows]);
  }
  for (const profile of result.figures.profile ?? []) {
    console.log(`\nWhere the time of ${profile.name} goes (32 in flight, raw server)\n`);
    printRows(profile.groups.slice(0, 10).map(({ group, share }) => [percent(share), group]));
    console.log('');
    printRows(profile.top.map(({ share, function: name, place }) => [percent(share), name, place]));
  }
  console.log(`\n${result.mode} run, ${result.seconds} s, ${machineText(result.machine)}`);
}

export function machineText({ cores, memory, platform, node, load }) {
  return `${cores} cores, ${memory} GB, ${platform}, Node ${node}, load ${load} before the run`;
}

export function percent(share) {
  return `${(share * 100).toFixed(1)} %`;
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
