import { spawn } from 'node:child_process';
import os from 'node:os';
import { root } from './root.mjs';

/**
 * Runs a program in our place: it gets our terminal and our signals.
 * Resolves with its exit code, by the shell's rule (128 + number) when a signal ended it.
 */
export function runInOurPlace(command, args, env = process.env) {
  const child = spawn(command, args, { cwd: root, env, stdio: 'inherit' });
  const stopForwarding = forwardSignals(child);
  const stopWatching = env.npm_lifecycle_event === undefined ? () => {} : followShell(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + os.constants.signals[signal]));
  })
    .finally(stopForwarding)
    .finally(stopWatching);
}

/** npm hands a signal to the shell it starts us in, which ends by it and tells nobody. */
function followShell(child) {
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== shell) child.kill('SIGTERM');
  }, 250);
  return () => clearInterval(timer);
}

function forwardSignals(child) {
  const forward = (signal) => {
    // A terminal gives Ctrl-C to the whole group: the child has it already, and a second one may mean "at once".
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(signal);
  };
  for (const signal of signals) process.on(signal, forward);
  return () => {
    for (const signal of signals) process.off(signal, forward);
  };
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
