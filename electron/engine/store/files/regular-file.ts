import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import { wrongKindProblem } from './wrong-kind-problem.ts';

/** The path is not a file. */
export class NotAFileError extends ProblemError {
  readonly kind: 'folder' | 'pipe' | 'socket' | 'device';
  /** The system's error code. */
  readonly code: 'EISDIR' | 'ENOTSUP';

  constructor(file: string, kind: NotAFileError['kind']) {
    super(wrongKindProblem(file, kind, 'file'));
    this.name = 'NotAFileError';
    this.kind = kind;
    this.code = kind === 'folder' ? 'EISDIR' : 'ENOTSUP';
  }
}

/** The file exists, but may not be read. */
export class UnreadableFileError extends ProblemError {
  /** The system's error code. */
  readonly code: string;

  constructor(file: string, code: string, options: ErrorOptions) {
    const fix = 'Get read permission for this file and its folder, then try again.';
    const evidence = { file, error: code };
    const sentence = `${file} cannot be read (${code}).`;
    super(problem('hub.data_folder_unwritable', sentence, fix, evidence), options);
    this.name = 'UnreadableFileError';
    this.code = code;
  }
}

/**
 * Returns the text of a file; rejects with NotAFileError for anything else, and with UnreadableFileError if
 * permission is denied. Never waits for a pipe: a read that nobody answers would block one of the few file
 * threads, and keep this program from ending.
 */
export async function readRegularFile(file: string): Promise<string> {
  return readFileOrPipe(file, 0);
}

/** Reads a file like {@link readRegularFile}, or what is written to a pipe within `milliseconds`. */
export async function readFileOrPipe(file: string, milliseconds: number): Promise<string> {
  return (await readFileBytes(file, milliseconds)).toString('utf8');
}

/** Returns the bytes of a file, for text in another encoding. Rejects as {@link readRegularFile}. */
export async function readRegularBytes(file: string): Promise<Buffer> {
  return readFileBytes(file, 0);
}

async function readFileBytes(file: string, milliseconds: number): Promise<Buffer> {
  const handle = await openFile(file);
  try {
    const kind = kindOf(await handle.stat());
    if (kind === 'file') return await handle.readFile();
    const text = kind === 'pipe' ? await readPipe(handle, milliseconds) : undefined;
    if (text === undefined) throw new NotAFileError(file, kind);
    return text;
  } finally {
    await handle.close();
  }
}

/** Reads until the last writer closes the pipe; undefined if that takes too long. */
async function readPipe(handle: FileHandle, milliseconds: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  for (const deadline = performance.now() + milliseconds; performance.now() < deadline; ) {
    const chunk = await readChunk(handle);
    if (chunk === 'end' && chunks.length > 0) return Buffer.concat(chunks);
    if (chunk instanceof Buffer) chunks.push(chunk);
    else await sleep(20);
  }
  return undefined;
}

/** Returns `end` also before anybody has started to write. */
async function readChunk(handle: FileHandle): Promise<Buffer | 'end' | 'nothing yet'> {
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(16 * 1024), 0, 16 * 1024, null);
    return bytesRead === 0 ? 'end' : buffer.subarray(0, bytesRead);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return 'nothing yet';
    throw error;
  }
}

/**
 * Opens without waiting for the other end of a pipe; Windows has neither this flag nor pipes among its files.
 */
async function openFile(file: string): Promise<FileHandle> {
  try {
    return await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    // Windows reports EISDIR for a folder, Linux ENXIO for a socket.
    if (error.code === 'EISDIR') throw new NotAFileError(file, 'folder');
    if (error.code === 'ENXIO') throw new NotAFileError(file, 'socket');
    if (error.code === 'EACCES' || error.code === 'EPERM')
      throw new UnreadableFileError(file, error.code, { cause: error });
    throw error;
  }
}

function kindOf(stats: Stats): NotAFileError['kind'] | 'file' {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  return stats.isFIFO() ? 'pipe' : 'device';
}
