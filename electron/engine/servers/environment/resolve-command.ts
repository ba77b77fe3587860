import { resolve } from 'node:path';
import { type Problem, problem } from '../../../../shared/error/problem.ts';
import { notExecutable } from '../lifecycle/diagnosis/machine.ts';
import { programMissing, programTitles } from '../lifecycle/diagnosis/packages.ts';
import { type Environment, readVariable } from './child-env.ts';
import { findProgram, namesFile, searchCommand } from './command-search.ts';
import { inspectProgram, type ProgramFile } from './program-file.ts';

export type ResolvedCommand =
  | { readonly ok: true; readonly file: string }
  | { readonly ok: false; readonly problem: Problem };

/**
 * Finds the file that a command runs in the child's environment and working folder, or returns a problem that
 * names the searched folders. `written` is the command as written in the config, if that differs.
 */
export async function resolveCommand(
  command: string,
  env: Environment,
  cwd: string,
  written?: string,
): Promise<ResolvedCommand> {
  const file = await findProgram(searchCommand(command, env, cwd));
  if (file !== undefined) return { ok: true, file };
  const path = readVariable(env, 'PATH') ?? '';
  const shown = written ?? command;
  if (!namesFile(command)) return { ok: false, problem: notOnPath(command, shown, path) };
  const named = resolve(cwd, command);
  return { ok: false, problem: noProgramAt(await inspectProgram(named), shown, written ?? named) };
}

function noProgramAt({ kind }: ProgramFile, shown: string, file: string): Problem {
  const evidence = { command: shown, file };
  const isThere = kind === 'not-executable' || kind === 'program';
  const { code, sentence, fix } = isThere
    ? notExecutable(file)
    : {
        code: 'file_missing' as const,
        sentence: kind === 'folder' ? `${file} is a folder, not a program.` : `${file} does not exist.`,
        fix: 'Choose the right file, or fix the path in "command".',
      };
  const cause = { code, subject: file };
  return { ...problem('server.command_not_found', sentence, fix, evidence), cause };
}

function notOnPath(command: string, shown: string, path: string): Problem {
  const { code, sentence, fix } = programMissing(command);
  const isKnown = programTitles[command] !== undefined;
  const evidence = { command: shown, 'searched PATH': shorten(path) };
  return {
    ...problem(
      'server.command_not_found',
      isKnown ? sentence : `The command "${shown}" was not found.`,
      isKnown ? fix : `Install "${shown}" so that it is on the PATH, or write its full path in "command".`,
      evidence,
    ),
    cause: { code, subject: shown },
  };
}

function shorten(path: string): string {
  if (path === '') return '(empty)';
  return path.length <= maxPathLength ? path : `${path.slice(0, maxPathLength)}…`;
}

const maxPathLength = 600;
