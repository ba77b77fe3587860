import { readFile } from 'node:fs/promises';
import { win32 } from 'node:path';
import { systemProgram } from '../../store/files/windows-processes.ts';
import { findProgram, searchCommand } from '../environment/command-search.ts';
import type { Program } from './program.ts';

/** Program and arguments to start instead of a batch file. */
export interface BatchStart {
  readonly file: string;
  readonly args: readonly string[];
  /** True if the arguments are already quoted. */
  readonly verbatim: boolean;
}

/** Tells whether Windows runs the file with `cmd.exe`, which has its own rules for arguments. */
export function isBatchFile(file: string): boolean {
  return ['.cmd', '.bat'].includes(win32.extname(file).toLowerCase());
}

/** Decides how to start a batch file: an npm shim by its script, any other by `cmd.exe`. */
export async function resolveBatchStart(program: Program): Promise<BatchStart> {
  const { file, args, env, cwd } = program;
  const script = findShimScript(await readFile(file, 'utf8').catch(() => ''), file);
  const node = script === undefined ? undefined : await findNode(win32.dirname(file), env, cwd);
  if (script !== undefined && node !== undefined)
    return { file: node, args: [script, ...args], verbatim: false };
  const line = batchLine(file, args);
  return {
    file: systemProgram('cmd.exe', env),
    args: ['/d', '/e:ON', '/v:OFF', '/s', '/c', `"${line}"`],
    verbatim: true,
  };
}

/**
 * Finds the script that an npm shim runs with Node, for packages and for npm itself. Returns undefined for
 * any other batch file.
 */
export function findShimScript(text: string, file: string): string | undefined {
  const script = findNpmScript(text) ?? findPackageScript(text);
  return script === undefined ? undefined : win32.join(win32.dirname(file), script);
}

/** Matches the `npm.cmd` and `npx.cmd` that come with Node. */
function findNpmScript(text: string): string | undefined {
  const [, name] = /^"%NODE_EXE%" "%(NP[MX]_CLI_JS)%" %\*\s*$/im.exec(text) ?? [];
  return name === undefined
    ? undefined
    : new RegExp(`^SET "${name}=%~dp0\\\\([^"%]+)"`, 'im').exec(text)?.[1];
}

function findPackageScript(text: string): string | undefined {
  if (!/\\node\.exe"/i.test(text)) return undefined;
  return /"%(?:_prog%|~dp0\\node\.exe)"\s+"%(?:~dp0|dp0%)\\([^"%]+)"\s+%\*\s*$/im.exec(text)?.[1];
}

async function findNode(folder: string, env: Program['env'], cwd: string): Promise<string | undefined> {
  const adjacent = await findProgram({ files: [win32.join(folder, 'node.exe')] });
  const found = adjacent ?? (await findProgram(searchCommand('node', env, cwd)));
  return found?.toLowerCase().endsWith('.exe') ? found : undefined;
}

/**
 * Builds a command line for `cmd.exe /s /c`. It is quoted so that no argument can contain a command, end
 * early or expand a variable, neither in `cmd.exe` nor in a program that the batch file passes its arguments
 * to. Throws for line breaks, which cannot be quoted.
 */
export function batchLine(file: string, args: readonly string[]): string {
  return [file, ...args].map(quote).join(' ');
}

function quote(text: string): string {
  if (/[\r\n\0]/.test(text)) throw new Error('a batch file cannot be given an argument with a line break');
  const plain = text
    // Backslashes before a quote would escape it for the program.
    .replace(/(?<!\\)\\+(?="|$)/g, '$&$&')
    .replaceAll('"', '""')
    // Breaks up any variable name that starts here; it expands to nothing itself.
    .replaceAll('%', '%%cd:~,%');
  return `"${plain}"`;
}
