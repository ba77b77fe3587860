import { homedir, userInfo } from 'node:os';
import { delimiter } from 'node:path';
import { type Problem, problem } from '../../../../shared/error/problem.ts';
import type { CommandExplanation } from '../../../../shared/model/server/command.ts';
import type { Environment } from './child-env.ts';
import { readVariable } from './child-env.ts';
import { commonCommandDirs, extendPath, resolveFnmPath, splitPath } from './command-dirs.ts';
import { readShellEnvironment } from './login-shell.ts';
import { readRegistry } from './windows-registry.ts';

export interface LoginEnvironmentOptions {
  /** Environment of this program. */
  readonly inherited: Environment;
  readonly home?: string;
  /** Default: `SHELL`, else the user's shell. */
  readonly shell?: string;
  /** Milliseconds, after which the shell is killed with everything it started. */
  readonly timeout?: number;
  /**
   * Decides conflicts: `shell` for a program started from the desktop, `inherited` for one started in a
   * terminal.
   */
  readonly prefer?: 'shell' | 'inherited';
}

/** Environment for servers, and how it was found. */
export interface EnvironmentReading {
  readonly env: Environment;
  readonly source: CommandExplanation['environment']['source'];
  /** Shell that was asked. */
  readonly shell?: string;
  /** Epoch milliseconds. */
  readonly readAt: number;
  /** Folders that were added to PATH only because tools are commonly installed there. */
  readonly commonDirs: readonly string[];
  /** Reason why the shell did not answer; the inherited environment is used then. */
  readonly problem?: Problem;
}

/**
 * Reads the environment that a terminal would have, since a program started from the desktop lacks most of
 * PATH. Asks the login shell, or on Windows the registry; in either case PATH is completed with the common
 * folders.
 */
export async function readLoginEnvironment(options: LoginEnvironmentOptions): Promise<EnvironmentReading> {
  const { inherited } = options;
  const readAt = Date.now();
  const answer = process.platform === 'win32' ? await askWindows(inherited) : await askLoginShell(options);
  const { env, ...rest } = answer;
  return completeReading({ ...rest, env, readAt, commonDirs: [] }, options.home);
}

/** Returns this program's own environment, without asking anything. */
export function inheritedReading(inherited: Environment): EnvironmentReading {
  return { env: inherited, source: 'inherited', readAt: Date.now(), commonDirs: [] };
}

/** Adds the common folders that PATH lacks now: one may just have been installed. */
export async function completeReading(
  reading: EnvironmentReading,
  home: string = homedir(),
): Promise<EnvironmentReading> {
  const { env } = reading;
  const path = readVariable(env, 'PATH') ?? '';
  const present = new Set(splitPath(path, delimiter));
  const common = await commonCommandDirs({ home, env, platform: process.platform });
  const added = common.filter((dir) => !present.has(dir));
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  return {
    ...reading,
    env: { ...env, [name]: extendPath(path, added, delimiter) },
    commonDirs: [...reading.commonDirs, ...added],
  };
}

type ShellReading = Pick<EnvironmentReading, 'env' | 'source' | 'shell' | 'problem'>;

async function askLoginShell(options: LoginEnvironmentOptions): Promise<ShellReading> {
  const { inherited, timeout = 10_000, prefer = 'shell' } = options;
  const shell = options.shell ?? inherited.SHELL ?? userInfo().shell ?? '/bin/sh';
  const answer = await readShellEnvironment({ shell, env: inherited, timeout });
  if (!answer.ok)
    return { env: inherited, source: 'inherited', shell, problem: shellFailed(shell, answer.failure) };
  const path = await resolveFnmPath(answer.env.PATH ?? '', delimiter);
  const shellEnv = { ...answer.env, PATH: path };
  if (prefer === 'shell') return { env: { ...inherited, ...shellEnv }, source: 'login-shell', shell };
  const merged = extendPath(inherited.PATH ?? '', splitPath(path, delimiter), delimiter);
  return { env: { ...shellEnv, ...inherited, PATH: merged }, source: 'login-shell', shell };
}

async function askWindows(inherited: Environment): Promise<ShellReading> {
  try {
    return { env: await readRegistry(inherited), source: 'registry' };
  } catch {
    // Fallback: this program's own environment was complete when it started.
    return { env: inherited, source: 'inherited' };
  }
}

function shellFailed(shell: string, failure: string): Problem {
  return problem(
    'server.spawn_failed',
    `The login shell ${shell} ${failure}, so servers get the environment that Patchbay was started with.`,
    'Check its startup files for commands that wait for input or take long, then restart Patchbay.',
    { shell },
  );
}
