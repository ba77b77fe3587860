import { access, constants, lstat, mkdir, open, readlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import { errorCode, writeFileAtomic } from '../../store/files/atomic-file.ts';

/** Bytes; a larger file is not a config. */
const maxBytes = 32 * 1024 * 1024;

/**
 * Reads another program's file, including a byte order mark; undefined if it does not exist. Rejects with
 * `client.config_unusable` for files that should be left alone.
 */
export async function readClientFile(file: string): Promise<string | undefined> {
  const found = await lstat(file).catch((error) => {
    if (isMissing(error)) return undefined;
    throw readProblem(file, error);
  });
  if (found === undefined) return undefined;
  if (found.isSymbolicLink()) throw await linkProblem(file);
  if (found.isDirectory())
    throw unusableFile(file, 'is a folder', 'Move the folder away, or choose the right file.');
  if (!found.isFile()) throw unusableFile(file, 'is not a regular file', 'Choose the right file.');
  if (found.size > maxBytes) {
    const megabytes = Math.round(found.size / 1024 / 1024);
    throw unusableFile(file, `is too large for a config file (${megabytes} MB)`, 'Choose the right file.');
  }
  return decode(file, await read(file));
}

/** Rejects if the file must not be written. */
export async function requireWritable(file: string): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined) return;
  // The mode does not stop root, but somebody has set it on purpose.
  const marked = process.platform !== 'win32' && (found.mode & 0o222) === 0;
  const refused = await access(file, constants.W_OK).then(
    () => false,
    () => true,
  );
  if (marked || refused) throw unusableFile(file, 'is read-only', 'Make it writable, then try again.');
}

/** Replaces the file atomically and keeps its mode. Creates missing folders. */
export async function writeClientFile(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFileAtomic(file, text, { mode: 0o600 });
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw readProblem(file, error);
  }
}

function decode(file: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unusableFile(file, 'is not written in UTF-8', 'Save it as UTF-8, then try again.');
  }
}

async function read(file: string): Promise<Buffer> {
  try {
    const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw readProblem(file, error);
  }
}

async function linkProblem(file: string): Promise<ProblemError> {
  const target = resolve(dirname(file), await readlink(file).catch(() => '?'));
  const fix = 'Choose the file that it points to, if that is the one to change.';
  return unusableFile(file, 'is a link to another file', fix, { 'points to': target });
}

function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR';
}

function readProblem(file: string, error: unknown): ProblemError {
  const code = errorCode(error) ?? String(error);
  const isLocked = code === 'EBUSY' || code === 'ETXTBSY';
  return isLocked
    ? unusableFile(file, 'is locked by another program', 'Quit that program, then try again.', {
        error: code,
      })
    : unusableFile(file, 'cannot be opened', 'Get permission to read it, then try again.', { error: code });
}

/** Returns the error for a file that was left unchanged. */
export function unusableFile(
  file: string,
  why: string,
  fix: string,
  evidence: Readonly<Record<string, string | number | undefined>> = {},
): ProblemError {
  const sentence = `${file} ${why}; nothing was changed.`;
  return new ProblemError(problem('client.config_unusable', sentence, fix, { file, ...evidence }));
}
