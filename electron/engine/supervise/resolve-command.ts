import { isAbsolute, resolve } from 'node:path';
import which from 'which';
import { type Problem, problem } from '../../../shared/error/problem.ts';
import { type Environment, readVariable } from './child-env.ts';

export type ResolvedCommand =
  | { readonly ok: true; readonly file: string }
  | { readonly ok: false; readonly problem: Problem };

/** The file a command runs in the environment and folder of the child; a problem naming what was searched if none. */
export async function resolveCommand(
  command: string,
  env: Environment,
  cwd: string,
): Promise<ResolvedCommand> {
  const path = readVariable(env, 'PATH') ?? '';
  const pathExt = readVariable(env, 'PATHEXT');
  const file = await which(hasFolder(command) ? resolve(cwd, command) : command, {
    path,
    nothrow: true,
    ...(pathExt === undefined ? {} : { pathExt }),
  });
  if (file !== null) return { ok: true, file: isAbsolute(file) ? file : resolve(cwd, file) };
  return { ok: false, problem: notFound(command, path, cwd) };
}

const hasFolder = (command: string): boolean => /[/\\]/.test(command) && !isPlainOnPosix(command);

/** A backslash is an ordinary character outside Windows. */
const isPlainOnPosix = (command: string): boolean => process.platform !== 'win32' && !command.includes('/');

function notFound(command: string, path: string, cwd: string): Problem {
  if (hasFolder(command)) {
    return problem(
      'server.command_not_found',
      `There is no program at ${resolve(cwd, command)}, or it may not be run.`,
      'Correct the path in "command", or make the file executable.',
      { command, file: resolve(cwd, command) },
    );
  }
  return problem(
    'server.command_not_found',
    `The command "${command}" was not found.`,
    `${installHint(command)}, or write its full path in "command".`,
    { command, 'searched PATH': shorten(path) },
  );
}

function installHint(command: string): string {
  const hint = installHints.get(command);
  return hint ?? `Install "${command}" so that it is on the PATH`;
}

const installHints: ReadonlyMap<string, string> = new Map([
  ['npx', 'Install Node.js, which brings npx'],
  ['node', 'Install Node.js'],
  ['npm', 'Install Node.js, which brings npm'],
  ['uvx', 'Install uv, which brings uvx'],
  ['uv', 'Install uv'],
  ['docker', 'Install Docker'],
  ['python', 'Install Python'],
  ['python3', 'Install Python'],
]);

function shorten(path: string): string {
  if (path === '') return '(empty)';
  return path.length <= longestPath ? path : `${path.slice(0, longestPath)}…`;
}

const longestPath = 600;
