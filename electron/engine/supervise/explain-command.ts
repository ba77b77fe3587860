import { homedir } from 'node:os';
import { basename, delimiter, extname } from 'node:path';
import type { CommandExplanation } from '../../../shared/model/command.ts';
import { type AskOptions, askShim, askVersion, type ShimTarget } from './ask-version.ts';
import { type Environment, readVariable } from './child-env.ts';
import { splitPath } from './command-dirs.ts';
import {
  type CommandSearch,
  type FoundFile,
  findProgram,
  listFound,
  searchCommand,
} from './command-search.ts';
import { type InstalledProgram, installedPrograms } from './installed-versions.ts';
import type { EnvironmentReading } from './login-env.ts';
import { findProgramFlaw, inspectProgram } from './program-file.ts';
import { managerOf, shimRootOf, type VersionManager, versionManagers } from './version-managers.ts';

export interface ExplainOptions {
  /** Command to look up, with variables expanded. */
  readonly command: string;
  /** Command as written in the config, if that differs. */
  readonly written?: string;
  /** Environment and working folder of the server. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Environment for asking programs for their versions; without secrets. */
  readonly askWith: Readonly<Record<string, string>>;
  /** Source of `env`. */
  readonly reading: EnvironmentReading;
  readonly home?: string;
}

type Candidate = CommandExplanation['candidates'][number];

/**
 * Explains which file a command runs, which others it could mean, and why they are not used. Names files and
 * folders, but no values.
 */
export async function explainCommand(options: ExplainOptions): Promise<CommandExplanation> {
  const { command, written = command, env, cwd, reading, home = homedir() } = options;
  const search = searchCommand(command, env, cwd);
  const managers = versionManagers({ home, env, platform: process.platform });
  const chosen = await findProgram(search);
  const found = await listCandidates(search, command, env, cwd);
  const installations = await installedPrograms(managers, basename(command));
  const others = installations.filter(({ file }) => !found.some((one) => one.file === file));
  const files = [...found, ...(await inspectAll(others))].slice(0, maxCandidates);
  const facts: Facts = { ...options, search, managers, chosen, installations };
  const winner = files.find(({ file }) => file === chosen);
  const chosenCandidate = winner === undefined ? undefined : await describeCandidate(winner, facts);
  return {
    command: written,
    pinned: search.named,
    candidates: await inBatches(files, maxParallel, (one) =>
      one === winner && chosenCandidate !== undefined
        ? Promise.resolve(chosenCandidate)
        : describeCandidate(one, facts, chosenCandidate),
    ),
    searched: await describeFolders(search, env, reading),
    environment: {
      source: reading.source,
      ...(reading.shell === undefined ? {} : { shell: reading.shell }),
      readAt: reading.readAt,
    },
  };
}

/** Each candidate costs a program run. */
const maxCandidates = 16;
const maxParallel = 4;

interface Facts extends Pick<ExplainOptions, 'env' | 'cwd' | 'askWith'> {
  readonly search: CommandSearch;
  readonly managers: readonly VersionManager[];
  readonly chosen: string | undefined;
  readonly installations: readonly InstalledProgram[];
}

/**
 * Adds the files that the plain name would find if the command names a file: people may want to switch back.
 */
async function listCandidates(
  search: CommandSearch,
  command: string,
  env: Environment,
  cwd: string,
): Promise<readonly FoundFile[]> {
  if (!search.named) return listFound(search);
  const plain = await listFound(searchCommand(plainName(command), env, cwd));
  const named = await inspectAll(search.files.map((file) => ({ file })));
  return [...named, ...plain.filter(({ file }) => !search.files.includes(file))];
}

/** Returns `npx` for `/usr/bin/npx`, and on Windows for `C:\node\npx.cmd`. */
function plainName(command: string): string {
  return process.platform === 'win32' ? basename(command, extname(command)) : basename(command);
}

function inspectAll(files: readonly { readonly file: string }[]): Promise<readonly FoundFile[]> {
  return Promise.all(files.map(async ({ file }) => ({ file, found: await inspectProgram(file) })));
}

/** `winner` describes the chosen file, to explain why this one lost. */
async function describeCandidate(candidate: FoundFile, facts: Facts, winner?: Candidate): Promise<Candidate> {
  const { file, found } = candidate;
  const chosen = file === facts.chosen;
  if (found.kind !== 'program') return { file, chosen, reason: reasonAgainst(found) };
  const manager = managerOf(facts.managers, [file, found.realFile]);
  const askOptions: AskOptions = { env: facts.askWith, cwd: facts.cwd, timeout: askTimeoutMs };
  const shim = await shimTarget(file, found.realFile, manager, askOptions);
  const realFile = shim?.kind === 'target' ? shim.file : found.realFile;
  const flaw = await findFlaw(file, shim, manager, facts);
  const version = flaw === undefined ? await askVersion(file, askOptions) : undefined;
  const reason = chosen ? reasonChosen(facts) : reasonNotChosen(file, realFile, facts, winner);
  return {
    file,
    ...(realFile === file ? {} : { realFile }),
    ...(version === undefined ? {} : { version }),
    ...(manager === undefined ? {} : { manager: manager.name }),
    chosen,
    reason: flaw === undefined ? reason : `${reason} But ${flaw}.`,
  };
}

/** Milliseconds; `npx` itself takes a second on a slow machine. */
const askTimeoutMs = 5000;

async function shimTarget(
  file: string,
  realFile: string,
  manager: VersionManager | undefined,
  askOptions: AskOptions,
): Promise<ShimTarget | undefined> {
  if (manager === undefined || shimRootOf(manager, file) === undefined) return undefined;
  return askShim(file, realFile, manager, askOptions);
}

async function findFlaw(
  file: string,
  shim: ShimTarget | undefined,
  manager: VersionManager | undefined,
  { env, cwd }: Facts,
): Promise<string | undefined> {
  if (shim?.kind === 'nothing')
    return `${manager?.name ?? 'its manager'} has no version of it for this folder`;
  return findProgramFlaw(
    file,
    async (command) => (await findProgram(searchCommand(command, env, cwd))) !== undefined,
  );
}

function reasonAgainst(found: Exclude<FoundFile['found'], { kind: 'program' }>): string {
  switch (found.kind) {
    case 'not-executable':
      return 'It is not executable.';
    case 'broken-link':
      return `It is a link to ${found.target}, which does not exist.`;
    case 'folder':
      return 'It is a folder.';
    case 'absent':
      return 'There is no such file.';
  }
}

function reasonChosen({ search, chosen = '' }: Facts): string {
  return search.named
    ? 'The config names this file.'
    : `It is the first "${basename(chosen)}" in the searched folders.`;
}

function reasonNotChosen(
  file: string,
  realFile: string,
  { search, chosen, installations }: Facts,
  winner: Candidate | undefined,
): string {
  const installed = installations.find((one) => one.file === file);
  if (winner?.realFile === file) return `It is what ${chosen} runs.`;
  if (winner !== undefined && (winner.realFile ?? winner.file) === realFile)
    return `It is the same file as ${chosen}.`;
  if (search.named) return 'The config names another file.';
  if (search.files.includes(file)) return `Its folder is searched after that of ${chosen}.`;
  return `${installed?.manager ?? 'A version manager'} has it for ${installed?.version ?? 'another version'}, whose folder is not searched.`;
}

type Folder = CommandExplanation['searched'][number];

async function describeFolders(
  { folders }: CommandSearch,
  env: Environment,
  reading: EnvironmentReading,
): Promise<readonly Folder[]> {
  const commonDirs = new Set(reading.commonDirs);
  const known = new Set(splitPath(readVariable(reading.env, 'PATH') ?? '', delimiter));
  const written = splitPath(readVariable(env, 'PATH') ?? '', delimiter);
  return Promise.all(
    folders.map(async (folder, index) => {
      const { kind } = await inspectProgram(folder);
      const source = sourceOf(written[index] ?? folder, commonDirs, known, reading);
      return { folder, exists: kind === 'folder', source };
    }),
  );
}

function sourceOf(
  folder: string,
  commonDirs: ReadonlySet<string>,
  known: ReadonlySet<string>,
  { source }: EnvironmentReading,
): Folder['source'] {
  if (commonDirs.has(folder)) return 'well-known';
  return known.has(folder) ? source : 'entry';
}

/** Runs at most `limit` at once and keeps the order. */
async function inBatches<T, R>(
  items: readonly T[],
  limit: number,
  run: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += limit)
    results.push(...(await Promise.all(items.slice(start, start + limit).map(run))));
  return results;
}
