import { spawn } from 'node:child_process';
import os from 'node:os';
import { root } from './root.mjs';

/**
 * Runs a program in our place: it gets our terminal and our signals. Resolves with its exit code, by the
 * shell's rule (128 + number) if a signal ended it.
 */
export function runInOurPlace(command, args, env = process.env) {
  const child = spawn(command, args, { cwd: root, env, stdio: 'inherit' });
  const stopForwarding = forwardSignals(child);
  const stopWatching =
    env.npm_lifecycle_event === undefined ? () => {} : followShell(() => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + os.constants.signals[signal]));
  })
    .finally(stopForwarding)
    .finally(stopWatching);
}

/**
 * Runs a program in its own process group, which ends with us and after `milliseconds`: first by SIGTERM,
 * then by SIGKILL. It writes to the open file `output`, if given. Resolves with its exit code, undefined if a
 * signal ended it.
 */
export async function runGroup([program, ...args], { env = process.env, milliseconds, output = 'inherit' }) {
  const isGroup = process.platform !== 'win32';
  const stdio = ['ignore', output, output];
  const child = spawn(program, args, { cwd: root, env, stdio, detached: isGroup });
  const signal = (name) => {
    try {
      process.kill(isGroup ? -child.pid : child.pid, name);
    } catch {
      // The group is already gone.
    }
  };
  let kill;
  const end = () => {
    signal('SIGTERM');
    kill ??= setTimeout(() => signal('SIGKILL'), graceMs);
  };
  let signalled;
  const onSignal = (name) => {
    signalled = name;
    end();
  };
  for (const name of signals) process.on(name, onSignal);
  const limit = setTimeout(end, milliseconds);
  const stopWatching =
    env.npm_lifecycle_event === undefined ? () => {} : followShell(() => onSignal('SIGTERM'));
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code ?? undefined));
    });
  } finally {
    stopWatching();
    clearTimeout(limit);
    clearTimeout(kill);
    for (const name of signals) process.off(name, onSignal);
    if (child.exitCode === null) signal('SIGKILL');
    if (signalled !== undefined) process.exit(128 + os.constants.signals[signalled]);
  }
}

/** Milliseconds that a group has to exit after SIGTERM. */
const graceMs = 10_000;

/**
 * Detects the end of npm's shell: npm sends a signal to the shell that started us, which exits without
 * passing it on.
 */
function followShell(onGone) {
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== shell) onGone();
  }, 250);
  return () => clearInterval(timer);
}

function forwardSignals(child) {
  const forward = (signal) => {
    // A terminal sends Ctrl-C to the whole group: the child already has it, and a second one may mean "at
    // once".
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(signal);
  };
  for (const signal of signals) process.on(signal, forward);
  return () => {
    for (const signal of signals) process.off(signal, forward);
  };
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
