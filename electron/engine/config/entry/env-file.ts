import { parseEnv } from 'node:util';
import { errorCode } from '../../store/files/atomic-file.ts';
import { NotAFileError, readFileOrPipe } from '../../store/files/regular-file.ts';

/** The variables of a `.env` file, or the reason why it cannot be read. */
export type EnvFile =
  | { readonly ok: true; readonly values: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly reason: string };

/** Reads `NAME=value` lines with comments, quotes and `export`. Values are not expanded. */
export async function readEnvFile(file: string): Promise<EnvFile> {
  try {
    const text = await readFileOrPipe(file, pipeTimeoutMs);
    const entries = Object.entries(parseEnv(text.replace(/^\uFEFF/, '')));
    return { ok: true, values: Object.fromEntries(entries.map(([name, value]) => [name, value ?? ''])) };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof NotAFileError))
    return `the file cannot be read (${errorCode(error) ?? 'unreadable'})`;
  if (error.kind !== 'pipe') return `this is a ${error.kind}, not a file`;
  return `this pipe sent no data within ${pipeTimeoutMs / 1000} s; start the program that writes to it, then save the config again`;
}

/** Milliseconds; password managers pass variables through a pipe after the user has confirmed. */
const pipeTimeoutMs = 5_000;
