/** `npm run eval:search [-- --data DIR] [--misses]`: how well things are found, by type of query. See docs/search.md. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../../electron/engine/base/clock.ts';
import type { SearchDocument } from '../../electron/engine/search/contract.ts';
import { openSearchIndex, openSkillBook, ruleClassifier } from '../../electron/engine/search/room.ts';
import { mean, ndcg10, recall10 } from './lib/measure.ts';
import { type GradedQuery, type Half, readQueries, readTools } from './lib/read-data.ts';

const { values } = parseArgs({
  options: { data: { type: 'string' }, misses: { type: 'boolean' } },
});
const folder = values.data ?? join(import.meta.dirname, 'data');
const tools = readTools(folder);
const byServer = new Map<string, SearchDocument[]>();
for (const { document } of tools)
  byServer.set(document.serverKey, [...(byServer.get(document.serverKey) ?? []), document]);
// As it is shipped: everything is classified by rules, which needs no network.
const book = openSkillBook({
  clock: systemClock,
  keeper: {
    load: async () => ({ tools: [], suggestions: [] }),
    saveTools() {},
    saveSuggestion() {},
    forget() {},
  },
  tools: () => byServer,
  classifier: async () => ruleClassifier(),
  report: (error) => console.error(error),
});
await book.catchUp();
const index = openSearchIndex(book, () => undefined);
for (const [server, documents] of byServer) index.set(server, documents);

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
