/**
 * `npm run eval:search [-- --data DIR] [--set NAME] [--keywords FILE] [--misses] [--hub | --url URL --token TOKEN]`: how
 * well things are found, by type of query. See docs/search.md.
 */
import { parseArgs } from 'node:util';
import { modelClassifier, openAiModel } from '../../electron/engine/search/room.ts';
import { serveCorpus } from './lib/corpus-server.ts';
import { startHubProcess } from './lib/hub-process.ts';
import { mean, ndcg10, recall10 } from './lib/measure.ts';
import { type Finder, moduleSearch } from './lib/module-search.ts';
import type { GradedQuery, Half } from './lib/read-data.ts';
import { serveRecordedModel } from './lib/recorded-model.ts';
import { hubKnows, restSearch } from './lib/rest-search.ts';
import { dataFolder, type EvaluationSet, readSets } from './lib/sets.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    set: { type: 'string' },
    keywords: { type: 'string' },
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
if (values.keywords !== undefined) await withKeywords(values.keywords);
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

/** The same with what a model once said of these tools, which goes the way that any model's answer goes. */
async function withKeywords(file: string): Promise<void> {
  const recorded = await serveRecordedModel(file);
  const model = openAiModel({ url: recorded.url, model: 'recorded', key: () => undefined });
  const known = sets.filter(({ tools }) => tools.every(({ document }) => recorded.knows(document.name)));
  const keyed = await judge(known, (set) => moduleSearch(set.tools, modelClassifier(model)));
  recorded.close();
  console.log('\nWith the skills and keywords that a model wrote:');
  for (const half of ['dev', 'held'] as const) print(keyed, half);
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

/** What a hub found beside what the module found. */
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
}

function printMiss({ set, type, query, found, grades, ndcg }: Judged): void {
  const wanted = [...grades.keys()].join(' ');
  console.log(
    `\n${ndcg.toFixed(2)} ${set} ${type}: ${query}\n  wanted ${wanted}\n  found ${found.join(' ')}`,
  );
}
