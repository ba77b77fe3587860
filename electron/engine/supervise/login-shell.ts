import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { runsVariable } from '../../../shared/model/loop.ts';
import type { Environment } from './child-env.ts';
import { markNewRun } from './new-run.ts';
import { sendSignal } from './process-set.ts';
import { extendRuns } from './run-mark.ts';

export interface ShellQuestion {
  readonly shell: string;
  /** What the shell is started with. */
  readonly env: Environment;
  /** Milliseconds; a shell that has not answered by then is killed with all it started. */
  readonly timeout: number;
}

export type ShellAnswer =
  | { readonly ok: true; readonly env: Environment }
  /** What the shell did instead, as the rest of a sentence that begins with its name. */
  | { readonly ok: false; readonly failure: string };

/** Starts a login shell as a terminal would and has it tell its environment. */
export async function askShell({ shell, env, timeout }: ShellQuestion): Promise<ShellAnswer> {
  // Start-up files print what they like; only what stands between the marks is the answer.
  const mark = randomUUID();
  const child = startShell(shell, mark, { ...env, ...(await ownMark(env)) });
  try {
    return await Promise.race([readAnswer(child, mark), failure(child, timeout)]);
  } finally {
    if (child.pid !== undefined && child.pid > 1) endGroup(child.pid);
  }
}

/**
 * Ends all that start-up files have left running in its group. It is asked to first: a version manager that is killed
 * leaves its lock behind, and every later terminal waits for that.
 */
function endGroup(pid: number): void {
  sendSignal(-pid, 'SIGTERM');
  setTimeout(() => sendSignal(-pid, 'SIGKILL'), graceMs).unref();
}

const graceMs = 500;

/** A shell that hangs while this program is killed is found by it and ended by the next one. */
async function ownMark(env: Environment): Promise<Environment> {
  const mark = await markNewRun();
  return mark === undefined ? {} : { [runsVariable]: extendRuns(env[runsVariable], mark) };
}

/** Resolves at the second mark: a start-up file may leave something running that keeps stdout open for ever. */
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
      fail(`ended (${signal ?? `exit code ${code}`}) without telling its environment`);
    });
  });
}

function startShell(shell: string, mark: string, env: Environment): ChildProcess {
  // In two halves, so that a shell that echoes its command line does not show the mark.
  const [head, tail] = [mark.slice(0, 8), mark.slice(8)];
  const script = `const mark="${head}"+"${tail}";process.stdout.write(mark+JSON.stringify(process.env)+mark)`;
  return spawn(shell, shellArgs(shell, script), {
    // Its own session: no terminal to read from, and killable as one group.
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...env, ...quietShell },
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
  const entries = Object.entries(env).filter(
    ([name]) => !(name in quietShell) && !shellState.has(name) && !name.startsWith('__MISE_'),
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
  runsVariable,
]);
