import { parseArgs } from 'node:util';
import { judge, readBaseline } from './baseline.ts';
import { clientSets } from './client-sets.ts';
import { longCalls } from './long-calls.ts';
import { updatePage } from './page.ts';
import { printTable, writeReport } from './report.ts';
import { serverSets } from './server-sets.ts';
import { createSuite, type Score } from './suite.ts';

/** Runs under the suite's Node: `main.ts [--page] <folder of the suite> [set…]`. */
const {
  values: { page = false },
  positionals: [folder = '', ...asked],
} = parseArgs({ options: { page: { type: 'boolean' } }, allowPositionals: true });
// The engine's timers do not keep a program alive, which a desktop app never notices.
const alive = setInterval(() => {}, 60_000);
const suite = await createSuite(folder);
const sets = [...serverSets(suite), ...clientSets(suite), longCalls()].filter(
  ({ name }) => asked.length === 0 || asked.some((part) => name.includes(part)),
);

const scores: Score[] = [];
for (const { name, run } of sets) {
  console.log(`── ${name}`);
  scores.push({ name, outcomes: await run() });
}
const baseline = await readBaseline();
const verdict = judge(scores, baseline);
printTable(scores, verdict);
if (page) await updatePage(scores, baseline);
await writeReport(scores, verdict);
clearInterval(alive);
process.exit(verdict.ok ? 0 : 1);
