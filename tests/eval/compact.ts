/** `npm run eval:compact`: tokens of a short list, a search, a definition and a call against the whole list. */
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { RawItem } from '../../electron/engine/catalogue/contract.ts';
import {
  callTool,
  compactTools,
  describeTool,
  searchTool,
} from '../../electron/engine/catalogue/view/compact-tools.ts';
import {
  defaultResults,
  formatResult,
} from '../../electron/engine/gateway/session/catalogue/compact-calls.ts';
import { toolDocument } from '../../electron/engine/search/index/documents.ts';
import { mean } from './lib/measure.ts';
import { byServer, openSearch } from './lib/open-search.ts';
import { type LabelledTool, readTools } from './lib/read-data.ts';

const data = readTools(join(import.meta.dirname, 'data', 'own')).map((tool) => written(tool));
// A second account with the same servers, for more tools than the data have.
const all = [
  ...data,
  ...readTools(join(import.meta.dirname, 'data', 'own')).map((tool) => written(tool, '-2')),
];
console.log(
  '| tools | whole list | short list | search | definition | words around | list + search + call | part of the whole |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
for (const count of [50, 100, 500]) print(await measure(all.slice(0, count)));

/** As servers write them: each parameter with a type and a few words. The data have their names only. */
function written({ document, item }: LabelledTool, suffix = '') {
  const { properties } = item.inputSchema as { properties: Record<string, unknown> };
  const described = Object.keys(properties).map((name) => [
    name,
    { type: 'string', description: `The ${name.replaceAll('_', ' ')} to use` },
  ]);
  const serverKey = document.serverKey + suffix;
  const wireName = `${serverKey}__${document.name}`;
  const inputSchema = { type: 'object', properties: Object.fromEntries(described) };
  const tool: RawItem = { ...item, name: wireName, inputSchema };
  return { tool, wireName, document: toolDocument(serverKey, document.name, item, true) };
}

type Written = ReturnType<typeof written>;

async function measure(tools: readonly Written[]) {
  const find = await searchOf(tools);
  const rounds = tools.map(({ tool, wireName, document }) => {
    const query = document.name.replaceAll('_', ' ');
    const asked = [
      { name: searchTool.name, arguments: { query } },
      { name: describeTool.name, arguments: { name: wireName } },
      { name: callTool.name, arguments: { name: wireName, arguments: {} } },
    ];
    const around = asked.reduce((sum, one) => sum + weigh(JSON.stringify(one)), 0);
    return { search: weigh(find(query)), definition: weigh(JSON.stringify(tool)), around };
  });
  return {
    count: tools.length,
    whole: listed(tools.map(({ tool }) => tool)),
    short: listed(compactTools),
    search: mean(rounds.map(({ search }) => search)),
    definition: mean(rounds.map(({ definition }) => definition)),
    around: mean(rounds.map(({ around }) => around)),
  };
}

async function searchOf(tools: readonly Written[]): Promise<(query: string) => string> {
  const { index } = await openSearch(byServer(tools.map(({ document }) => document)));
  return (query) =>
    index
      .search({ query, limit: defaultResults }, { isConnected: () => true })
      .hits.map((hit) => formatResult(hit, `${hit.serverKey}__${hit.name}`))
      .join('\n');
}

function listed(tools: readonly RawItem[]): number {
  return tools.reduce((sum, { name, description, inputSchema }) => {
    return sum + weigh(JSON.stringify({ name, description, input_schema: inputSchema }));
  }, 0);
}

function weigh(text: string): number {
  return countTokens(text, { disallowedSpecial: new Set<string>() });
}

function print({
  count,
  whole,
  short,
  search,
  definition,
  around,
}: Awaited<ReturnType<typeof measure>>): void {
  const round = short + search + definition + around;
  const cells = [count, whole, short, search, definition, around, round].map((one) =>
    Math.round(one).toLocaleString('en'),
  );
  console.log(`| ${cells.join(' | ')} | ${Math.round((100 * round) / whole)} % |`);
}
