/** `npm run eval:search [-- --data DIR] [--misses]`: how well things are found, by type of query. See docs/search.md. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SearchIndex } from '../../electron/engine/search/index/search-index.ts';
import { mean, ndcg10, recall10 } from './lib/measure.ts';
import { type GradedQuery, type Half, readQueries, readTools } from './lib/read-data.ts';

const { values } = parseArgs({
  options: { data: { type: 'string' }, misses: { type: 'boolean' } },
});
const folder = values.data ?? join(import.meta.dirname, 'data');
const tools = readTools(folder);
const index = new SearchIndex({
  knowledgeOf: () => undefined,
  skillNames: () => new Map(),
  skillsOfQuery: () => new Map(),
  usesOf: () => undefined,
});
for (const server of new Set(tools.map(({ document }) => document.serverKey)))
  index.set(
    server,
    tools.filter(({ document }) => document.serverKey === server).map(({ document }) => document),
  );

const judged = readQueries(folder).map((query) => {
  const { hits } = index.search({ query: query.query, limit: 10 }, { isConnected: () => true });
  const found = hits.map(({ serverKey, name }) => `${serverKey}:${name}`);
  return { ...query, found, ndcg: ndcg10(found, query.grades), recall: recall10(found, query.grades) };
});

for (const half of ['dev', 'held'] as const) print(half);
if (values.misses) for (const one of judged) if (one.half === 'dev' && one.ndcg < 0.7) printMiss(one);

function print(half: Half): void {
  const ofHalf = judged.filter((one) => one.half === half);
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

function printMiss({
  type,
  query,
  found,
  grades,
  ndcg,
}: GradedQuery & { found: string[]; ndcg: number }): void {
  console.log(
    `\n${ndcg.toFixed(2)} ${type}: ${query}\n  wanted ${[...grades.keys()].join(' ')}\n  found ${found.join(' ')}`,
  );
}
