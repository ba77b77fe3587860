import type { Command } from 'commander';
import { dataDirOption, wholeNumber } from '../terminal/option-values.ts';

/** Searches what the servers of the running hub offer. */
export interface SearchArgs {
  readonly kind: 'search';
  readonly dataDir?: string;
  readonly query: string;
  /** Limits the search to these servers; empty for all. */
  readonly servers: readonly string[];
  readonly limit: number;
  readonly json: boolean;
}

interface Options {
  readonly dataDir?: string;
  readonly server?: readonly string[];
  readonly limit?: number;
  readonly json?: boolean;
}

export function describeSearch(command: Command, onSearch: (args: SearchArgs) => void): void {
  command
    .command('search <words...>')
    .description('search tools, prompts and resources by name or purpose')
    .option(...dataDirOption)
    .option('--server <key...>', 'only of these servers')
    .option('--limit <number>', 'maximum number of results, up to 200', wholeNumber(1, 200), 10)
    .option('--json', 'print all details as JSON, for programs')
    .action((words: readonly string[], options: Options) => onSearch(searchArgs(words.join(' '), options)));
}

function searchArgs(query: string, { dataDir, server, limit = 10, json }: Options): SearchArgs {
  return {
    kind: 'search',
    query,
    servers: server ?? [],
    limit,
    json: json === true,
    ...(dataDir === undefined ? {} : { dataDir }),
  };
}
