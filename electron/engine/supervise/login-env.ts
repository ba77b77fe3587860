import { homedir, userInfo } from 'node:os';
import { delimiter } from 'node:path';
import { type Problem, problem } from '../../../shared/error/problem.ts';
import type { CommandExplanation } from '../../../shared/model/command.ts';
import type { Environment } from './child-env.ts';
import { readVariable } from './child-env.ts';
import { commonCommandDirs, extendPath, lastingPath, splitPath } from './command-dirs.ts';
import { askShell } from './login-shell.ts';
import { readRegistry } from './windows-registry.ts';

export interface LoginEnvironmentOptions {
  /** What this program was started with. */
  readonly inherited: Environment;
  readonly home?: string;
  /** Default: `SHELL`, else the user's shell. */
  readonly shell?: string;
  /** Milliseconds; a shell that has not answered by then is killed with all it started. */
  readonly timeout?: number;
  /**
   * Whose variables count where both have one: the shell's for a program started from the desktop, one's own for a
   * program that a person has started in a terminal.
   */
  readonly prefer?: 'shell' | 'inherited';
}

/** An environment for servers, and how it was found out. */
export interface EnvironmentReading {
  readonly env: Environment;
  readonly source: CommandExplanation['environment']['source'];
  /** The shell that was asked. */
  readonly shell?: string;
  /** Epoch milliseconds. */
  readonly readAt: number;
  /** Folders that stand in PATH only because people's tools are usually there. */
  readonly usualDirs: readonly string[];
  /** Why the shell was not heard; the inherited environment is used then. */
  readonly problem?: Problem;
}

/**
 * The environment a terminal would have, for a program started from the desktop, whose own lacks most of PATH. Asks
 * the login shell, or on Windows the registry; whatever that says, PATH is completed with the usual folders.
 */
export async function readLoginEnvironment(options: LoginEnvironmentOptions): Promise<EnvironmentReading> {
  const { inherited } = options;
  const readAt = Date.now();
  const told = process.platform === 'win32' ? await askWindows(inherited) : await askLoginShell(options);
  const { env, ...how } = told;
  return completeReading({ ...how, env, readAt, usualDirs: [] }, options.home);
}

/** What servers inherit when nobody is asked: what this program itself was started with. */
export function inheritedReading(inherited: Environment): EnvironmentReading {
  return { env: inherited, source: 'inherited', readAt: Date.now(), usualDirs: [] };
}

/** With the usual folders that PATH lacks, as they are now: one may have come with what has just been installed. */
export async function completeReading(
  reading: EnvironmentReading,
  home: string = homedir(),
): Promise<EnvironmentReading> {
  const { env } = reading;
  const path = readVariable(env, 'PATH') ?? '';
  const present = new Set(splitPath(path, delimiter));
  const usual = await commonCommandDirs({ home, env, platform: process.platform });
  const added = usual.filter((dir) => !present.has(dir));
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  return {
    ...reading,
    env: { ...env, [name]: extendPath(path, added, delimiter) },
    usualDirs: [...reading.usualDirs, ...added],
  };
}

type Told = Pick<EnvironmentReading, 'env' | 'source' | 'shell' | 'problem'>;

async function askLoginShell(options: LoginEnvironmentOptions): Promise<Told> {
  const { inherited, timeout = 10_000, prefer = 'shell' } = options;
  const shell = options.shell ?? inherited.SHELL ?? userInfo().shell ?? '/bin/sh';
  const answer = await askShell({ shell, env: inherited, timeout });
  if (!answer.ok)
    return { env: inherited, source: 'inherited', shell, problem: notHeard(shell, answer.failure) };
  const path = await lastingPath(answer.env.PATH ?? '', delimiter);
  const told = { ...answer.env, PATH: path };
  if (prefer === 'shell') return { env: { ...inherited, ...told }, source: 'login-shell', shell };
  const both = extendPath(inherited.PATH ?? '', splitPath(path, delimiter), delimiter);
  return { env: { ...told, ...inherited, PATH: both }, source: 'login-shell', shell };
}

async function askWindows(inherited: Environment): Promise<Told> {
  try {
    return { env: await readRegistry(inherited), source: 'registry' };
  } catch {
    // Without it, what this program was started with is all there is to know; it was whole then.
    return { env: inherited, source: 'inherited' };
  }
}

function notHeard(shell: string, failure: string): Problem {
  return problem(
    'server.spawn_failed',
    `The login shell ${shell} ${failure}, so servers get the environment this program was started with.`,
    'Look for something in its start-up files that waits for input or takes long, then start again.',
    { shell },
  );
}
