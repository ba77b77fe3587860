import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { systemProgram } from './windows-processes.ts';

export type RegistryValues = Readonly<Record<string, string>>;

/** Returns the text values of a registry key, by name. Rejects if `reg` fails or takes longer than 5 s. */
export async function queryRegistry(
  key: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<RegistryValues> {
  const options = { windowsHide: true, timeout: 5_000, maxBuffer: 4 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(systemProgram('reg.exe', env), ['query', key], options);
  return parseRegistry(stdout);
}

/**
 * Parses the output of `reg query KEY`: one line for each value, with name, type and text four spaces apart.
 */
export function parseRegistry(output: string): RegistryValues {
  const found = output.split(/\r?\n/).flatMap((line) => {
    const match = /^ {4}(\S.*?) {4}REG_(?:EXPAND_)?SZ(?: {4}(.*))?$/s.exec(line);
    const [, name, value = ''] = match ?? [];
    return name === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

/**
 * Returns true for text that `reg` garbled: it writes in the system's own character set, so characters beyond
 * ASCII may be wrong.
 */
export function isDamaged(text: string): boolean {
  return text.includes('\uFFFD');
}

/** Expands variables in `%…%`; unknown ones stay as they are, as in Windows. */
export function expandVariables(text: string, lookUp: (name: string) => string | undefined): string {
  return text.replace(/%([^%]+)%/g, (whole, name: string) => lookUp(name) ?? whole);
}
