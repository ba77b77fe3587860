import { realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { type Environment, readVariable } from './child-env.ts';
import { splitPath } from './command-dirs.ts';
import { inspectProgram, type ProgramFile } from './program-file.ts';

/** Places to look for a command: one file if it names one, else every folder of PATH, in order. */
export interface CommandSearch {
  readonly named: boolean;
  readonly folders: readonly string[];
  /** Files that the command could mean, in order. */
  readonly files: readonly string[];
}

/** Lists where a command is looked up in the child's environment and working folder. */
export function searchCommand(command: string, env: Environment, cwd: string): CommandSearch {
  const folders = splitPath(readVariable(env, 'PATH') ?? '', delimiter).map((dir) =>
    resolve(cwd, unquoted(dir)),
  );
  const named = namesFile(command);
  const paths = named ? [resolve(cwd, command)] : folders.map((folder) => join(folder, command));
  const extensions = extensionsOf(command, env);
  return {
    named,
    folders,
    files: [...new Set(paths.flatMap((path) => extensions.map((extension) => path + extension)))],
  };
}

/** Returns the first file that can be run; {@link inspectProgram} explains the others. */
export async function findProgram({ files }: Pick<CommandSearch, 'files'>): Promise<string | undefined> {
  for (const file of files) {
    if ((await inspectProgram(file)).kind === 'program') return file;
  }
  return undefined;
}

/** A file in a search, and what was found there. */
export interface FoundFile {
  readonly file: string;
  readonly found: ProgramFile;
}

/** Lists everything found where a command is looked for, in order. A folder with two names counts once. */
export async function listFound({ files }: CommandSearch): Promise<readonly FoundFile[]> {
  const all = await Promise.all(
    files.map(async (file) => ({
      file,
      found: await inspectProgram(file),
      place: await canonicalPath(file),
    })),
  );
  const canonicalPaths = all.map(({ place }) => place);
  return all
    .filter(({ place }, index) => canonicalPaths.indexOf(place) === index)
    .filter(({ found }) => found.kind !== 'absent' && found.kind !== 'folder')
    .map(({ file, found }) => ({ file, found }));
}

/** Resolves the file's folder: many systems have `/bin` as a link to `/usr/bin`. */
async function canonicalPath(file: string): Promise<string> {
  const folder = dirname(file);
  return join(await realpath(folder).catch(() => folder), basename(file));
}

/**
 * Tells whether a command contains a folder and so names a file. Outside Windows a backslash is an ordinary
 * character.
 */
export function namesFile(command: string): boolean {
  return process.platform === 'win32' ? /[/\\]/.test(command) || isAbsolute(command) : command.includes('/');
}

/**
 * Windows runs `npx.cmd` for `npx`: it tries a name that already has an extension of PATHEXT as it is, then
 * each extension in order.
 */
function extensionsOf(command: string, env: Environment): readonly string[] {
  if (process.platform !== 'win32') return [''];
  const extensions = splitPath(readVariable(env, 'PATHEXT') ?? defaultExtensions, ';').map((ending) =>
    ending.toLowerCase(),
  );
  return extensions.includes(extname(command).toLowerCase()) ? ['', ...extensions] : extensions;
}

const defaultExtensions = '.EXE;.CMD;.BAT;.COM';

/** Windows allows quotes around a folder in PATH. */
const unquoted = (dir: string): string => dir.replace(/^"(.*)"$/, '$1');
