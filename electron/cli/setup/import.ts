import type { Command } from 'commander';
import { ProblemError, problem, toProblem } from '../../../shared/error/problem.ts';
import { formatCount } from '../../../shared/model/amount.ts';
import type {
  ImportEntry,
  ImportPreview,
  ImportResult,
} from '../../../shared/model/import/import-session.ts';
import { printableWord } from '../../../shared/printable.ts';
import { programVersion } from '../../../shared/version.ts';
import { decodeFile } from '../../engine/base/decode-file.ts';
import {
  dataPaths,
  defaultDataDir,
  type Importer,
  offlineImport,
  offlineImportPreview,
  withCommandNote,
} from '../../engine/engine.ts';
import { openHubChannel } from '../hub/hub-channel.ts';
import type { CliCommand, Environment } from '../terminal/cli-command.ts';
import { dataDirOption, resolvePath } from '../terminal/option-values.ts';
import { print, printError } from '../terminal/print.ts';
import { problemText } from '../terminal/problem-text.ts';
import { missingValueLines, suggestedChoices } from './import-choices.ts';

/** Imports servers from elsewhere. */
export interface ImportArgs {
  readonly kind: 'import';
  readonly dataDir?: string;
  readonly source: ImportSource;
  /** Adds the servers that are found; without it nothing is written. */
  readonly yes: boolean;
  readonly json: boolean;
}

type ImportSource =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'input' }
  | { readonly kind: 'link'; readonly link: string }
  /** All apps of this computer, or one. */
  | { readonly kind: 'apps'; readonly client?: string }
  | { readonly kind: 'undo'; readonly undoId: string };

interface Options {
  readonly dataDir?: string;
  readonly from?: string;
  readonly undo?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export const importCommand: CliCommand<ImportArgs> = { describe: describeImport, run: runImport };

function describeImport(command: Command, onImport: (args: ImportArgs) => void): void {
  command
    .command('import')
    .argument('[file]', 'a config, README, bundle or link; - for standard input; all apps if left out')
    .description('show the servers found in a file, a text or your apps; add them with --yes')
    .option(...dataDirOption)
    .option('--from <app>', 'import only from this app; "patchbay connect list" shows the IDs')
    .option('--yes', 'add the servers; secrets are stored encrypted')
    .option('--undo <id>', 'undo an import while Patchbay is running')
    .option('--json', 'print all details as JSON, for programs')
    .action((file: string | undefined, { dataDir, from, undo, yes, json }: Options) => {
      if ([file, from, undo].filter((one) => one !== undefined).length > 1)
        command.error('error: choose only one source: a file, --from or --undo');
      onImport({
        kind: 'import',
        source: sourceOf(file, from, undo),
        yes: yes === true,
        json: json === true,
        ...(dataDir === undefined ? {} : { dataDir }),
      });
    });
}

function sourceOf(
  file: string | undefined,
  client: string | undefined,
  undoId: string | undefined,
): ImportSource {
  if (undoId !== undefined) return { kind: 'undo', undoId };
  if (file === '-') return { kind: 'input' };
  if (file !== undefined && isLink(file)) return { kind: 'link', link: file };
  if (file !== undefined) return { kind: 'file', file: resolvePath(file) };
  return client === undefined ? { kind: 'apps' } : { kind: 'apps', client };
}

/** A single letter before the colon is a Windows drive, not a scheme. */
function isLink(word: string): boolean {
  return /^[a-z][a-z0-9+.-]+:[^\\]/i.test(word);
}

type Imports = Pick<Importer, 'readApps' | 'readFiles' | 'parse' | 'add' | 'undo'>;
type Source = Exclude<ImportSource, { kind: 'undo' }>;

/**
 * Runs `patchbay import`; resolves to the exit code: also 1 if nothing was found, or a server could not be
 * added.
 */
async function runImport(args: ImportArgs, env: Environment): Promise<number> {
  try {
    const { source } = args;
    if (source.kind !== 'undo') return await importFrom(source, args, env);
    await withImports(args, env, (imports) => imports.undo(source.undoId));
    print('The import was undone.\n');
    return 0;
  } catch (error) {
    printError(`${problemText(toProblem(error))}\n`);
    return 1;
  }
}

async function importFrom(source: Source, args: ImportArgs, env: Environment): Promise<number> {
  const text = source.kind === 'input' ? await readInput() : '';
  const { preview, result } = await withImports(args, env, async (imports) => {
    const found = await read(imports, source, text);
    const choices = suggestedChoices(found);
    const isWanted = args.yes && choices.entries.length > 0;
    return { preview: found, result: isWanted ? await imports.add(choices) : undefined };
  });
  const { session: _, ...shown } = preview;
  print(
    args.json
      ? `${JSON.stringify({ ...shown, ...(result === undefined ? {} : { result }) }, undefined, 2)}\n`
      : `${[...previewLines(preview, source.kind === 'apps'), ...(result === undefined ? hintLines(preview) : resultLines(result))].join('\n')}\n`,
  );
  return preview.entries.length === 0 || (result?.failed.length ?? 0) > 0 ? 1 : 0;
}

/** Reads standard input up to the maximum length of an import. */
async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxInputBytes) throw tooLong();
  }
  return decodeFile(Buffer.concat(chunks));
}

/** Bytes. */
const maxInputBytes = 4_000_000;

function tooLong(): ProblemError {
  const sentence = 'The input is too long for a config: more than 4 MB.';
  return new ProblemError(
    problem('import.unreadable', sentence, 'Pass only the part that holds the servers.'),
  );
}

function read(imports: Imports, source: Source, text: string): Promise<ImportPreview> {
  switch (source.kind) {
    case 'apps':
      return imports.readApps(source.client);
    case 'file':
      return imports.readFiles([source.file]);
    case 'link':
      return imports.parse(source.link);
    case 'input':
      return imports.parse(text);
  }
}

/** Uses the running hub, which owns the config; without one, the data folder. */
async function withImports<T>(
  { dataDir, source, yes }: ImportArgs,
  env: Environment,
  act: (imports: Imports) => Promise<T>,
): Promise<T> {
  const dir = dataDir ?? defaultDataDir(env);
  const hub = await openHubChannel(dir).catch((error: unknown) => {
    if (toProblem(error).code === 'hub.unreachable' && source.kind !== 'undo') return undefined;
    throw error;
  });
  if (hub === undefined) {
    return yes
      ? offlineImport(dir, programVersion, env, (imports) => act(audited(imports, dir)))
      : offlineImportPreview(dir, env, act);
  }
  try {
    return await act({
      readApps: (client) => hub.ask('import.readApps', client === undefined ? {} : { client }),
      readFiles: (files) => hub.ask('import.readFiles', { files: [...files] }),
      parse: (text) => hub.ask('import.parse', { text }),
      add: (choices) => hub.ask('import.add', choices),
      undo: (undoId) => hub.ask('import.undo', { undoId }),
    });
  } finally {
    await hub.close();
  }
}

/** An offline import has no id to undo it by, since no hub has it in memory. */
function audited(imports: Imports, dir: string): Imports {
  return {
    ...imports,
    add: (choices) => {
      const text = choices.entries
        .map(({ key }) => key)
        .join(', ')
        .slice(0, 500);
      return withCommandNote(dataPaths(dir), { kind: 'hub', action: 'import', text }, async () => {
        const { undoId: _, ...result } = await imports.add(choices);
        return result;
      });
    },
  };
}

function previewLines(preview: ImportPreview, isOfApps: boolean): readonly string[] {
  const { title, entries, issues, apps } = preview;
  return [
    `${printableWord(title)}: ${formatCount(entries.length, 'server')}`,
    ...(isOfApps && apps.length === 0
      ? ['  No app’s config file was found on this computer. To import a file: patchbay import FILE']
      : []),
    ...apps.map(
      (app) =>
        `  ${printableWord(app.file)}: ${app.problem === undefined ? formatCount(app.servers, 'server') : problemText(app.problem)}`,
    ),
    ...issues.map(({ message }) => `  ${printableWord(message)}`),
    ...entries.flatMap((entry) => entryLines(entry, preview)),
  ];
}

function entryLines(entry: ImportEntry, { inputs }: ImportPreview): readonly string[] {
  const { key, target, secrets, issues, suggested, writtenKey } = entry;
  const needs = inputs
    .filter(
      ({ id, required, default: preset = '' }) => entry.inputs.includes(id) && required && preset === '',
    )
    .map(({ title }) => title);
  const isBad = issues.some(({ severity }) => severity === 'error');
  const name = suggested || writtenKey === '' ? key : writtenKey;
  return [
    `${suggested ? '+' : isBad ? '!' : '='} ${name}  ${target}`,
    ...duplicateLines(entry),
    ...(suggested ? secrets : []).map(
      ({ path, secretName }) => `    ${path} is stored as secret ${secretName}`,
    ),
    ...(needs.length === 0 || !suggested ? [] : [`    needs ${needs.join(', ')}`]),
    ...issues.map(({ path, message }) => `    ${path === '' ? '' : `${path}: `}${message}`),
  ].map(printableWord);
}

function duplicateLines({ duplicate, suggested, key, writtenKey }: ImportEntry): readonly string[] {
  if (duplicate?.kind === 'target') return [`    already in Patchbay as ${duplicate.key}`];
  if (duplicate?.same === true) return ['    already in Patchbay'];
  return suggested && writtenKey !== '' && key !== writtenKey ? [`    renamed from ${writtenKey}`] : [];
}

function hintLines({ entries }: ImportPreview): readonly string[] {
  const count = entries.filter(({ suggested }) => suggested).length;
  return count === 0
    ? []
    : [`Nothing has been added yet. To add ${formatCount(count, 'server')}, add --yes.`];
}

/** Reports the outcome of an import, and the remaining steps. */
function resultLines({ added, failed, secrets, waiting, undoId }: ImportResult): readonly string[] {
  return [
    ...(added.length === 0 ? [] : [printableWord(`Added: ${added.join(', ')}`)]),
    ...(secrets.length === 0 ? [] : [printableWord(`Stored as secrets: ${secrets.join(', ')}`)]),
    ...missingValueLines(waiting),
    ...failedLines(failed),
    ...(undoId === undefined ? [] : [`To undo: patchbay import --undo ${undoId}`]),
  ];
}

/** Reports each reason once, with all the servers it applies to. */
function failedLines(failed: ImportResult['failed']): readonly string[] {
  const texts = failed.map(({ problem: found }) => problemText(found));
  return [...new Set(texts)].flatMap((text) => {
    const keys = failed.filter((_, index) => texts[index] === text).map(({ key }) => key);
    return [printableWord(`Not added: ${keys.join(', ')}`), text];
  });
}
