import { stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join } from 'node:path';
import { type ProgramOptions, runForOutput } from './ask-program.ts';
import { findProgram, searchCommand } from './command-search.ts';
import { inspectProgram } from './program-file.ts';
import { shimRootOf, type VersionManager } from './version-managers.ts';

/** Environment and limits for asking a program, the same as the server would get. */
export type AskOptions = Pick<ProgramOptions, 'env' | 'cwd' | 'timeout'>;

/**
 * Asks a program for its version. Resolves with undefined if it does not say, or should not be run just to
 * ask.
 */
export async function askVersion(file: string, options: AskOptions): Promise<string | undefined> {
  if (!(await isSafeToRun(file))) return undefined;
  const answer = await runForOutput({ ...options, file, args: ['--version'] });
  return answer === undefined ? undefined : (versionIn(answer.stdout) ?? versionIn(answer.stderr));
}

/** Extracts the version from a program's output: `uvx 0.4.1 (abc 2026-01-01)` yields 0.4.1. */
export function versionIn(output: string): string | undefined {
  const [line = ''] = output.split('\n', 1);
  return /(?<![\w.])v?(\d+(?:\.\d+)+(?:[-+][\w.-]+)?)(?![\w.]*\/)/.exec(line)?.[1]?.slice(0, 40);
}

/**
 * Asking means running the program. Excluded are programs in places that anyone can write to; scripts on
 * Windows, which need a shell; and macOS's own stubs, some of which open an installer window.
 */
async function isSafeToRun(file: string): Promise<boolean> {
  if (process.platform === 'win32') return ['.exe', '.com'].includes(extname(file).toLowerCase());
  if (process.platform === 'darwin' && dirname(file) === '/usr/bin') return false;
  const stats = await Promise.all([file, dirname(file)].map((path) => stat(path).catch(() => undefined)));
  return stats.every((found) => found !== undefined && (found.mode & writableByAll) === 0);
}

const writableByAll = 0o002;

export type ShimTarget =
  /** The program that really runs. */
  | { readonly kind: 'target'; readonly file: string }
  /** The manager has no version for it. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unknown' };

/** Asks a version manager which program its shim leads to in the server's folder. */
export async function askShim(
  file: string,
  realFile: string,
  manager: VersionManager,
  options: AskOptions,
): Promise<ShimTarget> {
  const program = await managerProgram(file, realFile, manager, options);
  if (program === undefined) return { kind: 'unknown' };
  const name = process.platform === 'win32' ? basename(file, extname(file)) : basename(file);
  const answer = await runForOutput({ ...options, file: program, args: ['which', name] });
  const [target = ''] = (answer?.stdout ?? '').split(/\r?\n/, 1);
  if (answer?.code === 0 && isAbsolute(target) && (await inspectProgram(target)).kind === 'program')
    return { kind: 'target', file: target };
  return answer?.code === undefined || answer.code === 0 ? { kind: 'unknown' } : { kind: 'nothing' };
}

/** Finds a manager's own program: as the target of its shims or beside it, in its own folder, or on PATH. */
async function managerProgram(
  file: string,
  realFile: string,
  manager: VersionManager,
  { env, cwd }: AskOptions,
): Promise<string | undefined> {
  const root = shimRootOf(manager, file) ?? dirname(dirname(file));
  const adjacent = [join(dirname(realFile), manager.name), join(root, 'bin', manager.name)];
  const { files } = searchCommand(manager.name, env, cwd);
  return findProgram({ files: [...adjacent, ...files] });
}
