import { resolve } from 'node:path';
import type { Command } from 'commander';

/** What is looked for in what the servers of a running hub offer. */
export interface SearchArgs {
  readonly kind: 'search';
  readonly dataDir?: string;
  readonly query: string;
  /** Only of these; of all where there are none. */
  readonly servers: readonly string[];
  readonly limit: number;
  readonly json: boolean;
}

interface Options {
  readonly dataDir?: string;
  readonly server?: readonly string[];
  readonly limit?: string;
  readonly json?: boolean;
}

type Usage = { readonly kind: 'usage'; readonly text: string };

export function describeSearch(
  command: Command,
  dataDirOption: readonly [flags: string, description: string],
  onSearch: (args: SearchArgs | Usage) => void,
): void {
  command
    .command('search <words...>')
    .description('find tools, prompts and resources by what they are called or good for')
    .option(...dataDirOption)
    .option('--server <key...>', 'only of these servers')
    .option('--limit <number>', 'so many at most, up to 200', '10')
    .option('--json', 'everything there is to know, for programs')
    .action((words: readonly string[], options: Options) => onSearch(searchArgs(words.join(' '), options)));
}

function searchArgs(query: string, { dataDir, server, limit, json }: Options): SearchArgs | Usage {
  if (dataDir === '') return { kind: 'usage', text: 'error: --data-dir needs a folder; it is empty\n' };
  const number = Number(limit);
  if (!(Number.isInteger(number) && number >= 1 && number <= 200))
    return { kind: 'usage', text: `error: --limit must be a whole number from 1 to 200, not "${limit}"\n` };
  return {
    kind: 'search',
    query,
    servers: server ?? [],
    limit: number,
    json: json === true,
    ...(dataDir === undefined ? {} : { dataDir: resolve(dataDir) }),
  };
}
