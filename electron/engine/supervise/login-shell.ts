import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { processTagVariable } from '../../../shared/model/loop.ts';
import type { Environment } from './child-env.ts';
import { createProcessTag } from './new-run.ts';
import { sendSignal } from './process-set.ts';
import { appendTag } from './run-mark.ts';

export interface ShellOptions {
  readonly shell: string;
  /** Environment of the shell. */
  readonly env: Environment;
  /** Milliseconds, after which the shell is killed with everything it started. */
  readonly timeout: number;
}

export type ShellAnswer =
  | { readonly ok: true; readonly env: Environment }
  /** `failure` completes a sentence that begins with the shell's name. */
  | { readonly ok: false; readonly failure: string };

/** Starts a login shell the way a terminal would, and reads its environment. */
export async function readShellEnvironment({ shell, env, timeout }: ShellOptions): Promise<ShellAnswer> {
  // Start-up files may print anything; only the text between the marks is the answer.
  const mark = randomUUID();
  const child = startShell(shell, mark, { ...env, ...(await tagVariable(env)) });
  try {
    return await Promise.race([readAnswer(child, mark), failure(child, timeout)]);
  } finally {
    if (child.pid !== undefined && child.pid > 1) endGroup(child.pid);
  }
}

/**
 * Ends everything that start-up files left running in its group. SIGTERM comes first: a version manager that
 * is killed leaves its lock file behind, and every later terminal waits for that.
 */
function endGroup(pid: number): void {
  sendSignal(-pid, 'SIGTERM');
  setTimeout(() => sendSignal(-pid, 'SIGKILL'), killDelayMs).unref();
}

const killDelayMs = 500;

/** Tags the shell, so that the next hub can end it if this program is killed while the shell hangs. */
async function tagVariable(env: Environment): Promise<Environment> {
  const tag = await createProcessTag();
  return tag === undefined ? {} : { [processTagVariable]: appendTag(env[processTagVariable], tag) };
}

/**
 * Resolves at the second mark, since a start-up file may leave something running that keeps stdout open
 * forever.
 */
function readAnswer(child: ChildProcess, mark: string): Promise<ShellAnswer> {
  return new Promise((resolve) => {
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      const [, text, rest] = output.split(mark);
      if (text !== undefined && rest !== undefined)
        resolve({ ok: true, env: withoutShellState(JSON.parse(text)) });
    });
  });
}

function failure(child: ChildProcess, timeout: number): Promise<ShellAnswer> {
  return new Promise((resolve) => {
    const fail = (text: string) => resolve({ ok: false, failure: text });
    const timer = setTimeout(() => fail(`did not answer within ${timeout / 1000} s`), timeout);
    child.on('error', (error) => {
      clearTimeout(timer);
      fail(`cannot be run (${error.message})`);
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      fail(`ended (${signal ?? `exit code ${code}`}) without reporting its environment`);
    });
  });
}

function startShell(shell: string, mark: string, env: Environment): ChildProcess {
  // Split in two, so that a shell that echoes its command line does not print the mark.
  const [head, tail] = [mark.slice(0, 8), mark.slice(8)];
  const script = `const mark="${head}"+"${tail}";process.stdout.write(mark+JSON.stringify(process.env)+mark)`;
  return spawn(shell, shellArgs(shell, script), {
    // A session of its own: no terminal to read from, and killable as one group.
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...env, ...shellVariables },
  });
}

/**
 * Prints the environment with this very executable, run as plain Node: exact for every value, in any shell.
 */
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

/**
 * Keeps well-known start-up files from updating themselves or opening tmux, and lets custom ones detect this.
 */
const shellVariables: Readonly<Record<string, string>> = {
  ELECTRON_RUN_AS_NODE: '1',
  PATCHBAY_READING_ENVIRONMENT: '1',
  DISABLE_AUTO_UPDATE: 'true',
  ZSH_TMUX_AUTOSTARTED: 'true',
  ZSH_TMUX_AUTOSTART: 'false',
};

/** Drops variables that describe the shell we started, not the user's settings. */
function withoutShellState(env: Environment): Environment {
  const entries = Object.entries(env).filter(
    ([name]) => !(name in shellVariables) && !shellState.has(name) && !name.startsWith('__MISE_'),
  );
  return Object.fromEntries(entries);
}

const shellState: ReadonlySet<string> = new Set([
  '_',
  'SHLVL',
  'PWD',
  'OLDPWD',
  'NODE_CHANNEL_FD',
  'FNM_MULTISHELL_PATH',
  processTagVariable,
]);
