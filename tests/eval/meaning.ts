/**
 * `npm run eval:meaning -- --folder DIR [--data DIR]`: words alone against words and a model of meaning in a folder, and what
 * the model costs. Needs `npm run build`. See docs/search.md.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../../electron/engine/base/clock.ts';
import type { VectorStorage } from '../../electron/engine/search/contract.ts';
import { FolderEmbedder, findModel, openSemanticIndex } from '../../electron/engine/search/room.ts';
import { programs } from '../helper/programs.ts';
import { mean, ndcg10, recall10 } from './lib/measure.ts';
import { type Finder, type MeaningOf, moduleSearch } from './lib/module-search.ts';
import { dataFolder, readSets } from './lib/sets.ts';

const { values } = parseArgs({ options: { folder: { type: 'string' }, data: { type: 'string' } } });
if (values.folder === undefined) throw new Error('Which folder? --folder DIR');
const sets = readSets(values.data ?? dataFolder).filter(({ queries }) => queries.length > 0);

const before = process.memoryUsage.rss();
const embedder = new FolderEmbedder(await findModel(resolve(values.folder)), programs.embedding, systemClock);
const loaded = await timed(() => embedder.model.load());
console.log(`Vectors of ${loaded.result} numbers. Loaded after ${told(loaded)}.`);
await quality();
await cost();
console.log(`Memory of the process: ${megabytes(process.memoryUsage.rss() - before)} MB more than before.`);
embedder.model.dispose();

async function quality(): Promise<void> {
  for (const half of ['dev', 'held'] as const) {
    const rows: (readonly [type: string, ...figures: number[]])[] = [];
    for (const set of sets) {
      const finders = [await moduleSearch(set.tools), await moduleSearch(set.tools, undefined, meaningOf)];
      const queries = set.queries.filter((one) => one.half === half);
      for (const type of new Set(queries.map((one) => one.type))) {
        const ofType = queries.filter((one) => one.type === type);
        const [words, both] = await Promise.all(finders.map((find) => judged(find, ofType)));
        rows.push([`${set.name} ${type}`, ...(words ?? []), ...(both ?? [])]);
      }
    }
    const means = [1, 2, 3, 4].map((at) => mean(rows.map((row) => Number(row[at]))));
    console.log(`\n| ${half} | words: nDCG@10 | recall@10 | and meaning: nDCG@10 | recall@10 |`);
    console.log('| --- | --- | --- | --- | --- |');
    for (const [type, ...figures] of [...rows, ['mean of types', ...means] as const])
      console.log(`| ${type} | ${figures.map((one) => one.toFixed(3)).join(' | ')} |`);
  }
}

async function judged(find: Finder, queries: (typeof sets)[number]['queries']): Promise<readonly number[]> {
  const all: (readonly [number, number])[] = [];
  for (const { query, grades } of queries) {
    const found = await find(query);
    all.push([ndcg10(found, grades), recall10(found, grades)]);
  }
  return [mean(all.map(([ndcg]) => ndcg)), mean(all.map(([, recall]) => recall))];
}

/** What a thousand tools take, and one query. */
async function cost(): Promise<void> {
  const documents = sets.flatMap(({ tools }) => tools.map(({ document }) => document));
  const said = documents.map(({ serverKey, name, description }) => `${serverKey}. ${name}. ${description}`);
  // Texts that differ from each other, as those of tools do.
  const texts = Array.from({ length: 1_000 }, (_, at) => `${said[at % said.length]} ${at}`);
  const batches = Array.from({ length: Math.ceil(texts.length / 64) }, (_, at) =>
    texts.slice(at * 64, at * 64 + 64),
  );
  const learned = await timed(async () => {
    for (const batch of batches) await embedder.embed(batch, 600_000);
  });
  console.log(`\n1,000 tools: ${told(learned)}.`);
  const queries = sets.flatMap((set) => set.queries.map(({ query }) => query)).slice(0, 200);
  const times: number[] = [];
  const asked = await timed(async () => {
    for (const query of queries) {
      const since = performance.now();
      await embedder.embed([query], 60_000, 'query');
      times.push(performance.now() - since);
    }
  });
  times.sort((one, other) => one - other);
  const at = (share: number) => `${(times[Math.floor(times.length * share)] ?? 0).toFixed(1)} ms`;
  const each = (asked.cpu / queries.length).toFixed(1);
  console.log(`A query: p50 ${at(0.5)}, p95 ${at(0.95)}; ${each} ms of the processor.`);
}

async function meaningOf(...[documents, knowledgeOf]: Parameters<MeaningOf>) {
  const keeper: VectorStorage = { vectors: async () => new Map(), saveVectors: async () => {} };
  const meaning = openSemanticIndex({ embedder, keeper, knowledgeOf });
  await meaning.learn(documents);
  return (query: string) => meaning.similarityTo(query);
}

/** By the clock and by the processor, all threads of this process together. */
async function timed<T>(run: () => Promise<T>) {
  const [since, used] = [performance.now(), process.cpuUsage()];
  const result = await run();
  const { user, system } = process.cpuUsage(used);
  return { result, clock: performance.now() - since, cpu: (user + system) / 1000 };
}

function told({ clock, cpu }: { readonly clock: number; readonly cpu: number }): string {
  return `${Math.round(clock)} ms, ${Math.round(cpu)} ms of the processor`;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_000_000);
}
