import { judge, readBaseline } from './baseline.ts';
import { clientSets } from './client-sets.ts';
import { longCalls } from './long-calls.ts';
import { printTable } from './report.ts';
import { serverSets } from './server-sets.ts';
import { createSuite, type Score } from './suite.ts';

/** Runs under the suite's Node: `main.ts <folder of the suite> [set…]`. */
const [folder = '', ...asked] = process.argv.slice(2);
const suite = await createSuite(folder);
const sets = [...serverSets(suite), ...clientSets(suite), longCalls()].filter(
  ({ name }) => asked.length === 0 || asked.some((part) => name.includes(part)),
);

const scores: Score[] = [];
for (const { name, run } of sets) {
  console.log(`── ${name}`);
  scores.push({ name, outcomes: await run() });
}
const verdict = judge(scores, await readBaseline());
printTable(scores, verdict);
process.exit(verdict.ok ? 0 : 1);
