import { open, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import { readRegularFile } from './regular-file.ts';
import { removeFile, replaceFile, retryWhileLocked } from './replace-file.ts';
import { tempFileFor } from './temp-files.ts';
import { wrongKindProblem } from './wrong-kind-problem.ts';

/**
 * Replaces a file atomically: temporary file, fsync, rename. A kill at any moment, or a disk that fills up
 * half-way, leaves either the old or the new text. A symbolic link is kept. `mode` applies to a new file; an
 * existing one keeps its own, and its owner and group as far as this user may set them. Rejects with ProblemError
 * `hub.disk_full` or `config.unwritable`.
 */
export function writeFileAtomic(
  file: string,
  text: string,
  options: { readonly mode?: number } = {},
): Promise<void> {
  return replaceOrExplain(file, async () => {
    const target = await realpath(file).catch(() => file);
    const existing = await stat(target).catch(() => undefined);
    const mode = existing?.mode ?? options.mode ?? 0o644;
    await replace(target, text, mode & 0o777, existing);
  });
}

/**
 * Does the same for a file of ours that may contain secrets: only the user can read it, whatever its
 * permissions were before. `isOwn` replaces a symbolic link with the file instead of writing through it.
 */
export function writePrivateFile(
  file: string,
  text: string,
  { isOwn = false }: { readonly isOwn?: boolean } = {},
): Promise<void> {
  return replaceOrExplain(file, async () => {
    const target = isOwn ? file : await realpath(file).catch(() => file);
    await replace(target, text, privateMode);
  });
}

const privateMode = 0o600;

async function replaceOrExplain(file: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw writeProblem(file, error);
  }
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

async function replace(target: string, text: string, mode: number, owner?: Owner): Promise<void> {
  await refuseFolder(target);
  const draft = tempFileFor(target);
  try {
    const handle = await open(draft, 'wx', mode);
    try {
      // Unlike a single write call, this continues until every byte is written, or throws.
      await handle.writeFile(text);
      if (owner !== undefined) await handle.chown(owner.uid, owner.gid).catch(() => undefined);
      await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await replaceFile(draft, target);
  } catch (error) {
    await removeFile(draft).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(target));
}

/** Throws as other systems do: Windows calls a folder in the place of a file EPERM, like an open file. */
async function refuseFolder(target: string): Promise<void> {
  const info = await stat(target).catch(() => undefined);
  if (info?.isDirectory() === true)
    throw Object.assign(new Error(`${target} is a folder`), { code: 'EISDIR' });
}

/** Makes the rename durable; systems that cannot sync a folder do this automatically. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

/**
 * Returns the file's text, or undefined if the file or its folder does not exist. Other failures reject
 * unchanged.
 */
export async function readTextIfExists(file: string): Promise<string | undefined> {
  try {
    return await retryWhileLocked(() => readRegularFile(file));
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Returns the system's error code of a thrown value, for example `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

const diskFullCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);
const refusedCodes: ReadonlySet<string> = new Set([
  'EACCES',
  'EBUSY',
  'EPERM',
  'EROFS',
  'EISDIR',
  'ENOTDIR',
  'ENOENT',
]);

/**
 * Converts the system's error for a file that could not be written to a ProblemError; returns anything else
 * unchanged.
 */
export function writeProblem(
  file: string,
  error: unknown,
  platform: NodeJS.Platform = process.platform,
): unknown {
  const code = errorCode(error);
  if (code === undefined || error instanceof ProblemError) return error;
  const evidence = { file, error: code };
  if (diskFullCodes.has(code)) {
    const sentence = `The disk is full: ${file} could not be written; the old version is unchanged.`;
    return new ProblemError(
      problem('hub.disk_full', sentence, 'Free some space, then try again.', evidence),
      {
        cause: error,
      },
    );
  }
  if (!refusedCodes.has(code)) return error;
  if (code === 'EISDIR') {
    return new ProblemError(
      { ...wrongKindProblem(file, 'folder', 'file'), code: 'config.unwritable' },
      { cause: error },
    );
  }
  const sentence = `${file} cannot be written (${code}).`;
  const fix =
    platform === 'win32'
      ? 'Close any program that has this file open, or get write permission for it, then try again.'
      : 'Get write permission for this file and its folder, then try again.';
  return new ProblemError(problem('config.unwritable', sentence, fix, evidence), { cause: error });
}
