import { resolve } from 'node:path';
import { type Problem, problem } from '../../../shared/error/problem.ts';
import { type Environment, readVariable } from './child-env.ts';
import { findProgram, namesFile, searchOf } from './command-search.ts';

export type ResolvedCommand =
  | { readonly ok: true; readonly file: string }
  | { readonly ok: false; readonly problem: Problem };

/**
 * The file a command runs in the environment and folder of the child; a problem naming what was searched if none.
 * `written` is the command as it stands in the config, where that differs.
 */
export async function resolveCommand(
  command: string,
  env: Environment,
  cwd: string,
  written?: string,
): Promise<ResolvedCommand> {
  const file = await findProgram(searchOf(command, env, cwd));
  if (file !== undefined) return { ok: true, file };
  const path = readVariable(env, 'PATH') ?? '';
  return { ok: false, problem: notFound({ command, path, cwd, written }) };
}

interface Search {
  readonly command: string;
  readonly path: string;
  readonly cwd: string;
  readonly written: string | undefined;
}

function notFound({ command, path, cwd, written }: Search): Problem {
  if (namesFile(command)) {
    const file = written ?? resolve(cwd, command);
    return problem(
      'server.command_not_found',
      `There is no program at ${file}, or it may not be run.`,
      'Correct the path in "command", or make the file executable.',
      { command: written ?? command, file },
    );
  }
  const shown = written ?? command;
  return problem(
    'server.command_not_found',
    `The command "${shown}" was not found.`,
    `${installHint(command, shown)}, or write its full path in "command".`,
    { command: shown, 'searched PATH': shorten(path) },
  );
}

function installHint(command: string, shown: string): string {
  const hint = installHints.get(command);
  return hint ?? `Install "${shown}" so that it is on the PATH`;
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
