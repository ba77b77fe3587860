import { parseEnv } from 'node:util';
import { errorCode } from '../store/atomic-file.ts';
import { readFileOrPipe } from '../store/regular-file.ts';

/** The variables of a `.env` file, or the system's code for why it cannot be read. */
export type EnvFile =
  | { readonly ok: true; readonly values: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly error: string };

/** Reads `NAME=value` lines with comments, quotes and `export`. Values are taken as they are, not expanded. */
export async function readEnvFile(file: string): Promise<EnvFile> {
  try {
    const text = await readFileOrPipe(file, patience);
    const entries = Object.entries(parseEnv(text.replace(/^\uFEFF/, '')));
    return { ok: true, values: Object.fromEntries(entries.map(([name, value]) => [name, value ?? ''])) };
  } catch (error) {
    return { ok: false, error: errorCode(error) ?? 'unreadable' };
  }
}

/** Milliseconds; password managers hand out variables through a pipe once their user has agreed. */
const patience = 10_000;
