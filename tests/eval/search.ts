/**
 * `npm run eval:search [-- --data DIR] [--set NAME] [--misses] [--hub | --url URL --token TOKEN]`: measures search
 * quality by type of query. See docs/search.md.
 */
import { parseArgs } from 'node:util';
import { serveCorpus } from './lib/corpus-server.ts';
import { startHubProcess } from './lib/hub-process.ts';
import { mean, ndcg10, recall10 } from './lib/measure.ts';
import { type Finder, moduleSearch } from './lib/module-search.ts';
import type { GradedQuery, Half } from './lib/read-data.ts';
import { hubKnows, restSearch } from './lib/rest-search.ts';
import { dataFolder, type EvaluationSet, readSets } from './lib/sets.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    set: { type: 'string' },
    misses: { type: 'boolean' },
    hub: { type: 'boolean' },
    url: { type: 'string' },
    token: { type: 'string' },
  },
});
const sets = readSets(values.data ?? dataFolder).filter(
  ({ name, queries }) => queries.length > 0 && (values.set === undefined || name === values.set),
);

console.log('By rules, without a network:');
const judged = await judge(sets, (set) => moduleSearch(set.tools));
for (const half of ['dev', 'held'] as const) print(judged, half);
if (values.misses) for (const one of judged) if (one.half === 'dev' && one.ndcg < 0.7) printMiss(one);
if (values.hub) for (const set of sets) await byHub(set);
if (values.url !== undefined) {
  const options = { url: values.url, token: values.token ?? '' };
  compare('the hub', await judge(sets, async () => restSearch(options)));
}

type Judged = GradedQuery & {
  readonly set: string;
  readonly found: readonly string[];
  readonly ndcg: number;
  readonly recall: number;
};

async function judge(
  some: readonly EvaluationSet[],
  finderFor: (set: EvaluationSet) => Promise<Finder>,
): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (const set of some) {
    const find = await finderFor(set);
    for (const query of set.queries) {
      const found = await find(query.query);
      const figures = { ndcg: ndcg10(found, query.grades), recall: recall10(found, query.grades) };
      judged.push({ ...query, set: set.name, found, ...figures });
    }
  }
  return judged;
}

/** The same by a hub that serves the set, whose servers are real ones; it is asked over REST. */
async function byHub(set: EvaluationSet): Promise<void> {
  const corpus = await serveCorpus(set.tools);
  const hub = await startHubProcess({ 'mcp.json': { mcpServers: corpus.entries } });
  try {
    await hubKnows(hub, set.tools.length);
    compare(`a hub with ${set.name}`, await judge([set], async () => restSearch(hub)));
  } finally {
    await hub.close();
    corpus.close();
  }
}

/** Compares the hub's results with those of the module. */
function compare(what: string, byRest: readonly Judged[]): void {
  console.log(`\nBy ${what}, over REST:`);
  for (const half of ['dev', 'held'] as const) print(byRest, half);
  const before = new Map(judged.map((one) => [keyOf(one), one.found.join(' ')]));
  const others = byRest.filter((one) => before.get(keyOf(one)) !== one.found.join(' '));
  console.log(
    `\n${byRest.length - others.length} of ${byRest.length} queries found the same in the same order`,
  );
  for (const one of others.slice(0, 5)) {
    console.log(`  ${one.query}\n    module ${before.get(keyOf(one))}\n    hub    ${one.found.join(' ')}`);
  }
}

function keyOf({ set, half, type, query }: Judged): string {
  return `${set} ${half} ${type} ${query}`;
}

function print(all: readonly Judged[], half: Half): void {
  const ofHalf = all.filter((one) => one.half === half);
  if (ofHalf.length === 0) return;
  const types = [...new Set(ofHalf.map(({ type }) => type))];
  const rows = types.map((type) => {
    const ofType = ofHalf.filter((one) => one.type === type);
    return [
      type,
      ofType.length,
      mean(ofType.map(({ ndcg }) => ndcg)),
      mean(ofType.map(({ recall }) => recall)),
    ] as const;
  });
  console.log(`\n| ${half} | queries | nDCG@10 | recall@10 |\n| --- | --- | --- | --- |`);
  for (const [type, count, ndcg, recall] of rows)
    console.log(`| ${type} | ${count} | ${ndcg.toFixed(3)} | ${recall.toFixed(3)} |`);
  const macro = [mean(rows.map((row) => row[2])), mean(rows.map((row) => row[3]))];
  console.log(`| mean of types | ${ofHalf.length} | ${macro.map((one) => one.toFixed(3)).join(' | ')} |`);
  const sets = [...new Set(ofHalf.map(({ set }) => set))].map((set) => {
    const ofSet = ofHalf.filter((one) => one.set === set);
    return {
      set,
      ndcg: mean(ofSet.map(({ ndcg }) => ndcg)),
      recall: mean(ofSet.map(({ recall }) => recall)),
    };
  });
  for (const { set, ndcg, recall } of sets)
    console.log(`| all of ${set} | | ${ndcg.toFixed(3)} | ${recall.toFixed(3)} |`);
  console.log(
    `| macro over the sets | | ${mean(sets.map(({ ndcg }) => ndcg)).toFixed(3)} | ${mean(sets.map(({ recall }) => recall)).toFixed(3)} |`,
  );
}

function printMiss({ set, type, query, found, grades, ndcg }: Judged): void {
  const wanted = [...grades.keys()].join(' ');
  console.log(
    `\n${ndcg.toFixed(2)} ${set} ${type}: ${query}\n  wanted ${wanted}\n  found ${found.join(' ')}`,
  );
}
