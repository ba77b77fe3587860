import { stat } from 'node:fs/promises';
import { basename, dirname, extname } from 'node:path';
import { ProblemError, problem, toProblem } from '../../../../shared/error/problem.ts';
import { decodeFile } from '../../base/decode-file.ts';
import { FormatError } from '../../clients/format/contract.ts';
import { formatOf } from '../../clients/format/format-of.ts';
import type { Machine } from '../../clients/machine.ts';
import type { ClientRow } from '../../clients/table/client-row.ts';
import { type ParsedText, parseText } from '../../config/jsonc/parse.ts';
import { memberOf, membersOf } from '../../config/jsonc/tree.ts';
import { errorCode } from '../../store/files/atomic-file.ts';
import { NotAFileError, readRegularBytes, UnreadableFileError } from '../../store/files/regular-file.ts';
import type { FoundServer, FoundSource } from '../found.ts';
import { InputCollector } from '../reference/input-collector.ts';
import { isServerLike } from '../text/entry/server-like.ts';
import { readJson, readValue, type TextContext } from '../text/read-config.ts';
import { readText } from '../text/read-text.ts';
import { readBundle } from './bundle.ts';

/** Reads the config of a client. Rejects with `import.unreadable`. */
export async function readClient(row: ClientRow, file: string, machine: Machine): Promise<FoundSource> {
  const text = await readFile(file);
  const inputs = new InputCollector();
  const context = {
    ...contextOf(file, machine, ['gemini-cli', 'qwen-code'].includes(row.id)),
    client: row.id,
  };
  const servers =
    row.format === 'json'
      ? readClientJson(row, file, text, context, inputs)
      : readValue(await parseOther(row, file, text), context, inputs, row.root);
  return {
    title: row.title,
    file,
    servers,
    inputs: inputs.all,
    issues: [],
  };
}

/**
 * Reads a file that the user chose, whatever it is. Rejects with `import.unreadable` or `import.bad_bundle`.
 */
export async function readAnyFile(file: string, machine: Machine): Promise<FoundSource> {
  if (bundleExtensions.has(extname(file).toLowerCase())) return readBundle(file, machine);
  const found = await readText(await readFile(file), contextOf(file, machine, false));
  return { title: basename(file), file, ...found };
}

/** Reads a pasted text: its program is unknown, so it is read as our own config would be. */
export async function readPasted(text: string, { platform, env, home }: Machine): Promise<FoundSource> {
  const found = await readText(text, { platform, env, home, dollar: true });
  return { title: 'Pasted text', ...found };
}

const bundleExtensions: ReadonlySet<string> = new Set(['.mcpb', '.dxt']);

function readClientJson(
  row: ClientRow,
  file: string,
  text: string,
  context: TextContext,
  inputs: InputCollector,
): readonly FoundServer[] {
  if (text.replace(/^\uFEFF/, '').trim() === '') return [];
  const source = parseText(text);
  const [fault] = source.faults;
  if (fault !== undefined) {
    const { message, line, column } = fault;
    throw unreadable(file, `it is not valid JSON: ${message} (line ${line}, column ${column})`);
  }
  if (row.id === 'opencode') return opencodeServers(source, context, inputs, row.root);
  const own = readJson(source, true, context, inputs, row.root);
  if (row.id === 'kiro') return [...own, ...kiroPowerServers(source, context, inputs)];
  return row.id === 'claude-code' ? [...own, ...projectServers(text, context, inputs)] : own;
}

/** Kiro stores the servers of its powers in a separate part. */
function kiroPowerServers(
  source: ParsedText,
  context: TextContext,
  inputs: InputCollector,
): readonly FoundServer[] {
  const root = source.root === undefined ? undefined : memberOf(source.root, 'powers')?.value;
  const under = { within: ['powers'], root: 'mcpServers' };
  return root === undefined
    ? []
    : readJson({ ...source, root }, true, context, inputs, 'mcpServers').map((one) => ({ ...one, under }));
}

/** Version 2 stores them one level deeper, in `mcp.servers`, possibly beside ones of version 1. */
function opencodeServers(
  source: ParsedText,
  context: TextContext,
  inputs: InputCollector,
  root: string,
): readonly FoundServer[] {
  const holder = source.root && memberOf(source.root, root)?.value;
  const inner = memberOf(holder, 'servers')?.value;
  if (holder === undefined || inner?.type !== 'object' || isServerLike(inner))
    return readJson(source, true, context, inputs, root);
  const flat = membersOf(holder).filter(({ value }) => isServerLike(value));
  const children = flat.map(({ node }) => node);
  const under = { within: [root], root: 'servers' };
  return [
    ...readJson({ ...source, root: holder }, true, context, inputs, 'servers').map((one) => ({
      ...one,
      under,
    })),
    ...(flat.length === 0
      ? []
      : readJson({ ...source, root: { ...holder, children } }, true, context, inputs)),
  ];
}

/** Claude Code stores servers of single projects in the same file, outside its root. */
function projectServers(text: string, context: TextContext, inputs: InputCollector): readonly FoundServer[] {
  const source = parseText(text);
  const projects = source.root === undefined ? undefined : memberOf(source.root, 'projects')?.value;
  return membersOf(projects).flatMap(({ key: folder, value }) => {
    const servers = readJson(
      { ...source, root: value },
      true,
      { ...context, workspace: folder },
      inputs,
      'mcpServers',
    );
    const under = { within: ['projects', folder], root: 'mcpServers' };
    return servers.map((server) => ({ ...server, project: folder, under }));
  });
}

async function parseOther(row: ClientRow, file: string, text: string): Promise<unknown> {
  try {
    return (await formatOf(row.format)).parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const place = error.line === undefined ? '' : ` (line ${error.line})`;
    throw unreadable(file, `it is not valid ${row.format.toUpperCase()}: ${error.message}${place}`);
  }
}

async function readFile(file: string): Promise<string> {
  try {
    if ((await stat(file)).size > maxBytes) throw unreadable(file, 'it is too large for a config');
    return decodeFile(await readRegularBytes(file));
  } catch (error) {
    throw readProblem(file, error);
  }
}

/** Explains why a user's own file cannot be read; advice about our files would be misleading. */
function readProblem(file: string, error: unknown): ProblemError {
  if (error instanceof NotAFileError) return unreadable(file, `it is a ${error.kind}, not a file`);
  if (error instanceof UnreadableFileError)
    return unreadable(file, `you do not have permission to read it (${error.code})`);
  if (error instanceof ProblemError) return error;
  if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? ''))
    return unreadable(file, 'there is no such file', missingFileFix);
  return unreadable(file, toProblem(error).sentence);
}

/** Bytes. */
const maxBytes = 16_000_000;

function contextOf(file: string, { platform, env, home }: Machine, dollar: boolean): TextContext {
  const workspace = workspaceOf(file);
  return {
    platform,
    env,
    home,
    dollar,
    workspace: workspace === home ? undefined : workspace,
  };
}

/** Returns the workspace folder that a config belongs to: `.vscode/mcp.json`, `.kiro/settings/mcp.json`, `.mcp.json`. */
function workspaceOf(file: string): string | undefined {
  const parent = dirname(file);
  const folder = basename(parent) === 'settings' ? dirname(parent) : parent;
  if (basename(folder).startsWith('.')) return dirname(folder);
  return basename(file) === '.mcp.json' ? parent : undefined;
}

const missingFileFix =
  'Check the path. To read a text instead, paste it in the window, or pass it to "patchbay import -".';

function unreadable(
  file: string,
  why: string,
  fix = 'Fix the file, or paste the part that holds the servers.',
): ProblemError {
  return new ProblemError(problem('import.unreadable', `${file} cannot be read: ${why}.`, fix, { file }));
}
