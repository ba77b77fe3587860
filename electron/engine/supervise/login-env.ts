import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { homedir, userInfo } from 'node:os';
import { basename, delimiter } from 'node:path';
import { type Problem, problem } from '../../../shared/error/problem.ts';
import type { Environment } from './child-env.ts';
import { commonCommandDirs, extendPath } from './command-dirs.ts';

export interface LoginEnvironmentOptions {
  /** What this program was started with. */
  readonly inherited: Environment;
  readonly home?: string;
  /** Default: `SHELL`, else the user's shell. */
  readonly shell?: string;
  /** Milliseconds; a shell that has not answered by then is killed with all it started. */
  readonly timeout?: number;
}

export interface LoginEnvironment {
  readonly env: Environment;
  /** Why the shell was not heard; the inherited environment is used then. */
  readonly problem?: Problem;
}

/**
 * The environment a terminal would have, for a program started from the desktop, whose own lacks most of PATH. Reads
 * the login shell once; whatever that says, PATH is completed with the usual folders. On Windows programs already
 * start with the full environment.
 */
export async function readLoginEnvironment(options: LoginEnvironmentOptions): Promise<LoginEnvironment> {
  const { inherited, home = homedir() } = options;
  if (process.platform === 'win32') return { env: inherited };
  const answer = await askShell(options);
  const env = answer.ok ? { ...inherited, ...withoutShellState(answer.env) } : inherited;
  const path = extendPath(env.PATH ?? '', await commonCommandDirs(home), delimiter);
  return { env: { ...env, PATH: path }, ...(answer.ok ? {} : { problem: answer.problem }) };
}

type ShellAnswer =
  | { readonly ok: true; readonly env: Environment }
  | { readonly ok: false; readonly problem: Problem };

async function askShell(options: LoginEnvironmentOptions): Promise<ShellAnswer> {
  const { inherited, timeout = 5000 } = options;
  const shell = options.shell ?? inherited.SHELL ?? userInfo().shell ?? '/bin/sh';
  // Start-up files print what they like; only what stands between the marks is the answer.
  const mark = randomUUID();
  const child = startShell(shell, mark, inherited);
  try {
    const answer = await Promise.race([readAnswer(child, mark), failure(child, timeout)]);
    const env = typeof answer === 'string' ? undefined : answer;
    return env === undefined
      ? { ok: false, problem: shellProblem(shell, String(answer)) }
      : { ok: true, env };
  } finally {
    killGroup(child);
  }
}

/** Resolves at the second mark: a start-up file may leave something running that keeps stdout open for ever. */
function readAnswer(child: ChildProcess, mark: string): Promise<Environment> {
  return new Promise((resolve) => {
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      const [, text, rest] = output.split(mark);
      if (text !== undefined && rest !== undefined) resolve(JSON.parse(text));
    });
  });
}

function failure(child: ChildProcess, timeout: number): Promise<string> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(`did not answer within ${timeout / 1000} s`), timeout);
    child.on('error', (error) => resolve(`cannot be run (${error.message})`));
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve(`ended (${signal ?? `exit code ${code}`}) without telling its environment`);
    });
  });
}

function startShell(shell: string, mark: string, inherited: Environment): ChildProcess {
  // In two halves, so that a shell that echoes its command line does not show the mark.
  const [head, tail] = [mark.slice(0, 8), mark.slice(8)];
  const script = `const mark="${head}"+"${tail}";process.stdout.write(mark+JSON.stringify(process.env)+mark)`;
  return spawn(shell, shellArgs(shell, script), {
    // Its own session: no terminal to read from, and killable as one group.
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...inherited, ...quietShell },
  });
}

/** This very program, run as plain Node, prints the environment: exact for every value, in any shell. */
function shellArgs(shell: string, script: string): readonly string[] {
  const command = `${quote(process.execPath)} -e ${quote(script)}`;
  switch (basename(shell)) {
    case 'csh':
    case 'tcsh':
      return ['-ic', command];
    case 'nu':
      return ['-i', '-l', '-c', `^${command}`];
    case 'pwsh':
      return ['-Login', '-Command', `& ${command}`];
    default:
      return ['-i', '-l', '-c', command];
  }
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Keeps well-known start-up files from updating themselves or opening tmux, and lets own ones know. */
const quietShell: Readonly<Record<string, string>> = {
  ELECTRON_RUN_AS_NODE: '1',
  PATCHBAY_READING_ENVIRONMENT: '1',
  DISABLE_AUTO_UPDATE: 'true',
  ZSH_TMUX_AUTOSTARTED: 'true',
  ZSH_TMUX_AUTOSTART: 'false',
};

/** Drops what describes the shell we asked, not the person's settings. */
function withoutShellState(env: Environment): Environment {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !(name in quietShell) && !shellState.has(name)),
  );
}

const shellState: ReadonlySet<string> = new Set(['_', 'SHLVL', 'PWD', 'OLDPWD', 'NODE_CHANNEL_FD']);

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined || pid <= 1) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody left in it.
  }
}

function shellProblem(shell: string, failure: string): Problem {
  return problem(
    'server.spawn_failed',
    `The login shell ${shell} ${failure}, so servers get the environment this program was started with.`,
    'Look for something in its start-up files that waits for input or takes long, then start again.',
    { shell },
  );
}
