import { readFile } from 'node:fs/promises';
import { win32 } from 'node:path';
import { systemProgram } from '../store/windows-processes.ts';
import { findProgram, searchOf } from './command-search.ts';
import type { Program } from './start-process.ts';

/** Program and arguments to start in place of a batch file. */
export interface BatchStart {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are quoted already. */
  readonly verbatim: boolean;
}

/** Whether Windows runs a file by `cmd.exe`, which has rules of its own for arguments. */
export function isBatchFile(file: string): boolean {
  return ['.cmd', '.bat'].includes(win32.extname(file).toLowerCase());
}

/** How a batch file is started: a shim of npm by its script, any other by `cmd.exe`. */
export async function startOfBatch(program: Program): Promise<BatchStart> {
  const { file, args, env, cwd } = program;
  const script = scriptOfShim(await readFile(file, 'utf8').catch(() => ''), file);
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
 * The script that a shim starts with Node and its own arguments, as npm writes shims for packages and for itself; undefined for
 * any other batch file.
 */
export function scriptOfShim(text: string, file: string): string | undefined {
  const script = scriptOfNpm(text) ?? scriptOfPackage(text);
  return script === undefined ? undefined : win32.join(win32.dirname(file), script);
}

/** From `npm.cmd` and `npx.cmd`, as they come with Node. */
function scriptOfNpm(text: string): string | undefined {
  const [, name] = /^"%NODE_EXE%" "%(NP[MX]_CLI_JS)%" %\*\s*$/im.exec(text) ?? [];
  return name === undefined
    ? undefined
    : new RegExp(`^SET "${name}=%~dp0\\\\([^"%]+)"`, 'im').exec(text)?.[1];
}

function scriptOfPackage(text: string): string | undefined {
  if (!/\\node\.exe"/i.test(text)) return undefined;
  return /"%(?:_prog%|~dp0\\node\.exe)"\s+"%(?:~dp0|dp0%)\\([^"%]+)"\s+%\*\s*$/im.exec(text)?.[1];
}

async function findNode(folder: string, env: Program['env'], cwd: string): Promise<string | undefined> {
  const beside = await findProgram({ files: [win32.join(folder, 'node.exe')] });
  const found = beside ?? (await findProgram(searchOf('node', env, cwd)));
  return found?.toLowerCase().endsWith('.exe') ? found : undefined;
}

/**
 * A command line for `cmd.exe /s /c`, quoted so that nothing in an argument is a command, an end of the argument or a
 * variable, neither for `cmd.exe` nor for a program that the batch file hands its arguments to. Throws for a line break, which
 * no quotes can hold.
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
    // Ends the name of any variable at its beginning; by itself it stands for nothing.
    .replaceAll('%', '%%cd:~,%');
  return `"${plain}"`;
}
