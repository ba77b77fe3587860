import type { Command } from 'commander';
import { ProblemError } from '../../../shared/error/problem.ts';
import { formatCount } from '../../../shared/model/amount.ts';
import type { SearchHit, SearchResult } from '../../../shared/model/tool/search.ts';
import { printableWord } from '../../../shared/printable.ts';
import type { CliCommand } from '../terminal/cli-command.ts';
import { dataDirOption, eachNonBlank, wholeNumber } from '../terminal/option-values.ts';
import { print, printError } from '../terminal/print.ts';
import type { HubChannel } from './hub-channel.ts';
import { unknownServer } from './unknown-server.ts';
import { withHub } from './with-hub.ts';

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

export const searchCommand: CliCommand<SearchArgs> = { describe: describeSearch, run: runSearch };

function describeSearch(command: Command, onSearch: (args: SearchArgs) => void): void {
  command
    .command('search')
    .argument('<words...>', 'what to search for', eachNonBlank)
    .description('search tools, prompts and resources by name or purpose')
    .option(...dataDirOption)
    .option('--server <key...>', 'search only these servers')
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

/** Runs `patchbay search`; resolves to the exit code: 0, or 1 if nothing was found or no hub runs. */
function runSearch(
  { dataDir, query, servers, limit, json }: SearchArgs,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  return withHub(dataDir, env, async (hub) => {
    if (servers.length > 0) await requireKnown(hub, servers);
    const filter = servers.length === 0 ? {} : { servers };
    const result = await hub.ask('search.find', { query, limit, ...filter });
    const note = json ? undefined : notes[result.meaning];
    if (note !== undefined) printError(`${note}\n`);
    print(`${json ? JSON.stringify(result, undefined, 2) : resultText(result)}\n`);
    if (!json && result.hits.length === 0) await noteUnlisted(hub, servers);
    return result.hits.length > 0 ? 0 : 1;
  });
}

/** Warnings that the order of the hits does not show. */
const notes: Readonly<Partial<Record<SearchResult['meaning'], string>>> = {
  failed: 'Keyword results only: the semantic search model is not responding. See Settings, Search.',
};

/** Names the servers whose tools are not known yet, because the search could not find them. */
async function noteUnlisted(hub: HubChannel, filter: readonly string[]): Promise<void> {
  const { servers } = await hub.ask('hub.status', undefined);
  const unlisted = servers.filter(
    ({ key, status, counts }) =>
      status !== 'connected' &&
      status !== 'disabled' &&
      counts.tools === 0 &&
      (filter.length === 0 || filter.includes(key)),
  );
  if (unlisted.length === 0) return;
  const names = unlisted.map(({ key, status }) => `${plain(key)} (${status})`).join(', ');
  printError(`Not searched, because their tools are not known yet: ${names}. See patchbay status.\n`);
}

/** A search in an unknown server would find nothing, without saying why. */
async function requireKnown(hub: HubChannel, keys: readonly string[]): Promise<void> {
  const known = (await hub.ask('hub.status', undefined)).servers.map(({ key }) => key);
  const unknown = keys.find((key) => !known.includes(key));
  if (unknown !== undefined) throw new ProblemError(unknownServer(unknown, known));
}

function resultText({ hits, searched }: SearchResult): string {
  if (hits.length === 0)
    return `No matches in ${formatCount(searched.tools, 'tool')} of ${formatCount(searched.servers, 'server')}.`;
  return hits.map(hitText).join('\n');
}

function hitText({ kind, serverKey, name, description, enabled, score }: SearchHit): string {
  const kindText = kind === 'tool' ? '' : ` (${kind})`;
  const off = enabled ? '' : ' (off)';
  const shortDescription = plain(description ?? '').slice(0, maxDescriptionLength);
  return `${score.toFixed(2)}  ${plain(serverKey)}:${plain(name)}${kindText}${off}${shortDescription === '' ? '' : `\n      ${shortDescription}`}`;
}

/** Maximum number of characters of a description. */
const maxDescriptionLength = 120;

function plain(text: string): string {
  return printableWord(text.replace(/\s+/g, ' ').trim());
}
