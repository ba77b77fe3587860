/** `npm run eval:speed`: index and classification of 10,000 made-up tools. Run it with `--expose-gc` for the memory. */
import { join } from 'node:path';
import type { SearchDocument } from '../../electron/engine/search/contract.ts';
import { openSearchIndex } from '../../electron/engine/search/search-module.ts';
import { byServer, openBook } from './lib/open-search.ts';
import { readQueries, readTools } from './lib/read-data.ts';

const count = 10_000;
const each = 100;
const folder = join(import.meta.dirname, 'data', 'own');
const seeds = readTools(folder);
const queries = readQueries(folder).map(({ query }) => query);
const nouns =
  'invoice ticket pipeline bucket contact webhook branch record dashboard release policy session report queue'.split(
    ' ',
  );
const kinds = 'archived draft shared public nested remote daily failed pending linked'.split(' ');

const servers = byServer(
  Array.from({ length: count }, (_, at) => madeUp(`server-${Math.floor(at / each)}`, at)),
);

const before = heap();
const book = openBook(servers);
console.log(`classification of ${count} tools: ${await timed(() => book.catchUp())} ms`);
const classified = heap();
const index = openSearchIndex(book, () => undefined);
console.log(`first index: ${await timed(fill)} ms`);
console.log(`memory: skills ${mb(classified - before)}, index ${mb(heap() - classified)}`);
const typed = queries.flatMap((query) =>
  Array.from({ length: query.length }, (_, end) => query.slice(0, end + 1)),
);
report('whole queries', queries, 3);
report(
  'as typed, letter by letter',
  typed.filter((_, at) => at % 5 === 0),
  3,
);
const updates = [...servers].slice(0, 50).map(([key, documents]) => [key, documents] as const);
const times = updates.map(([key, documents]) => once(() => index.set(key, documents))).sort(ascending);
console.log(`update of a server with ${each} tools: median ${at(times, 0.5)} ms, worst ${at(times, 1)} ms`);

function fill(): void {
  for (const [key, documents] of servers) index.set(key, documents);
}

/** A query's time is the median of some repetitions: what else runs on the machine is not the index's doing. */
function report(what: string, list: readonly string[], repetitions: number): void {
  const medians = list.map((query) => {
    const search = () => void index.search({ query, limit: 20 }, { isConnected: () => true });
    const runs = Array.from({ length: repetitions }, () => once(search)).sort(ascending);
    return runs[Math.floor(repetitions / 2)] ?? 0;
  });
  medians.sort(ascending);
  console.log(
    `${what} (${list.length}): p50 ${at(medians, 0.5)} ms, p99 ${at(medians, 0.99)} ms, worst ${at(medians, 1)} ms`,
  );
}

function madeUp(serverKey: string, number: number): SearchDocument {
  const seed = seeds[(number * 7919) % seeds.length]?.document;
  if (seed === undefined) throw new Error('there are no tools to make others of');
  const noun = nouns[(number * 31) % nouns.length];
  const kind = kinds[(number * 17) % kinds.length];
  const code = `x${(number % 700).toString(36)}`;
  return {
    ...seed,
    serverKey,
    name: number % 3 === 0 ? `${seed.name}_${code}` : `${seed.name}_${kind}_${noun}`,
    description: `${seed.description}. Works on ${kind} ${noun} items; returns a list with ids and a cursor when there is more to read. Needs the permission ${code}. Use this when the ${noun} of a project is asked for.`,
    parameters: `${seed.parameters} ${noun}_id ${code}`,
  };
}

function heap(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function mb(bytes: number): string {
  return globalThis.gc === undefined ? 'unknown without --expose-gc' : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Milliseconds of the processor, not of the clock: the machine may be busy with something else. */
function once(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

async function timed(work: () => void | Promise<void>): Promise<string> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return ((user + system) / 1_000).toFixed(0);
}

function at(sorted: readonly number[], share: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2);
}

function ascending(one: number, other: number): number {
  return one - other;
}
