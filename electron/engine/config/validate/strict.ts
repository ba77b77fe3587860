import { readFile } from 'node:fs/promises';
import { ConfigError, type ConfigIssue } from '../../../../shared/error/config-error.ts';
import { errorCode } from '../../store/files/atomic-file.ts';
import type { StrictConfig } from '../contract.ts';
import { entryMember } from '../entry/aliases.ts';
import { resolveTarget } from '../entry/configure-server.ts';
import { displayOf } from '../entry/display.ts';
import { type ExpandContext, type ExpandedEntry, expandContext } from '../entry/expand-entry.ts';
import { type JsonNode, type ParsedText, parseText } from '../jsonc/parse.ts';
import { decodeConfig } from '../store/read-config.ts';
import { configIssue, type Issue, isError, isNonEmpty } from './issue.ts';
import { isDisabled, type ValidatedServer, validateFile } from './validate.ts';

type StrictServer = StrictConfig['servers'][number];

/**
 * Reads a config for `mcp-simple-aggregator`: the whole file or nothing. Rejects with a ConfigError that
 * contains all issues of the file. Disabled entries are checked for form and skipped.
 */
export async function readStrictConfig(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<StrictConfig> {
  const parsed = parseText(await readConfigText(file));
  const root = parsed.root ?? throwConfigError(file, syntaxIssues(parsed));
  const judged = validateFile(parsed, root);
  if (!judged.ok) return throwConfigError(file, [configIssue(parsed, [], judged.issue)]);
  const context = expandContext(file, env);
  const outcomes = await Promise.all(judged.servers.map((server) => strictServer(parsed, server, context)));
  const issues = outcomes.flatMap((outcome) => outcome.errors);
  if (issues.length > 0) return throwConfigError(file, issues);
  return {
    servers: outcomes.flatMap(({ server }) => (server === undefined ? [] : [server])),
    warnings: outcomes.flatMap((outcome) => outcome.warnings),
  };
}

async function readConfigText(file: string): Promise<string> {
  let text: string | undefined;
  try {
    // Also reads a pipe, as shells create one for `--config <(…)`; the user expects to wait then.
    text = decodeConfig(await readFile(file));
  } catch (error) {
    const code = errorCode(error);
    const message = unreadable.get(code) ?? `Config file cannot be read (${code})`;
    throw new ConfigError(file, [{ code: 'file_not_found', path: '', message: `${message}: ${file}` }]);
  }
  if (text !== undefined) return text;
  const message = 'Invalid JSON: the file is neither UTF-8 nor UTF-16; save it as UTF-8';
  throw new ConfigError(file, [{ code: 'invalid_json', path: '', message }]);
}

const unreadable: ReadonlyMap<string | undefined, string> = new Map([
  ['ENOENT', 'Config file not found'],
  ['EISDIR', 'Config file is a folder'],
]);

function syntaxIssues({ faults }: ParsedText): ConfigIssue[] {
  return faults.map(({ message, line, column }) => ({
    code: 'invalid_json',
    path: '',
    message: `Invalid JSON: ${message} (line ${line}, column ${column})`,
    line,
    column,
  }));
}

function throwConfigError(file: string, issues: readonly ConfigIssue[]): never {
  if (isNonEmpty(issues)) throw new ConfigError(file, issues);
  throw new ConfigError(file, [{ code: 'invalid_json', path: '', message: 'Invalid JSON' }]);
}

interface Outcome {
  readonly server?: StrictServer;
  readonly errors: readonly ConfigIssue[];
  readonly warnings: readonly ConfigIssue[];
}

async function strictServer(
  parsed: ParsedText,
  judged: ValidatedServer,
  context: ExpandContext,
): Promise<Outcome> {
  const { key, member, entry } = judged;
  const off = isDisabled(member.value);
  const remote = off ? [] : remoteServerIssues(key, member.value);
  const validationOnly: ExpandedEntry = { issues: judged.issues };
  const { target, issues, secrets, written } =
    off || remote.length > 0 ? validationOnly : await resolveTarget(judged, context);
  const toConfigIssue = (issue: Issue) => configIssue(parsed, ['mcpServers', key], issue);
  const outcome = {
    errors: [...issues.filter(isError), ...remote].map(toConfigIssue),
    warnings: issues.filter((issue) => !isError(issue)).map(toConfigIssue),
  };
  if (target?.kind !== 'stdio') return outcome;
  const server: StrictServer = {
    key,
    target,
    display: displayOf(member.value),
    ...(entry?.timeout === undefined ? {} : { callTimeout: entry.timeout }),
    ...(secrets === undefined ? {} : { secrets }),
    ...(written === undefined ? {} : { written }),
  };
  return { ...outcome, server };
}

/** FR-014: stdio only. The message names the server, so that it is easy to find. */
function remoteServerIssues(key: string, entry: JsonNode): Issue[] {
  const url = entryMember(entry, 'url');
  if (url === undefined || url.value.type === 'null' || url.value.value === '') return [];
  const message = `"${key}" has a url, but this command runs only stdio servers`;
  return [{ severity: 'error', code: 'invalid_schema', path: ['url'], message, offset: url.keyNode.offset }];
}
