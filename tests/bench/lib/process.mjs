import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { pause } from './wait.mjs';

const running = new Set();

process.on('exit', () => {
  for (const child of running) killGroup(child, 'SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

/**
 * Starts a program in a process group of its own; what it starts in that group ends with it, whatever happens to the
 * bench. `quiet` drops its standard output, for programs that serve HTTP.
 */
export function start(command, args, { env, cwd, quiet = false } = {}) {
  const child = spawn(command, args, {
    env: env ?? process.env,
    stdio: [quiet ? 'ignore' : 'pipe', quiet ? 'ignore' : 'pipe', 'pipe'],
    detached: true,
    ...(cwd === undefined ? {} : { cwd }),
  });
  let words = '';
  child.stderr.on('data', (chunk) => {
    words = (words + chunk).slice(-2000);
  });
  child.on('error', (error) => {
    words += error.message;
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  child.lastWords = () => words.trim();
  return child;
}

/** Runs this Node on a file. */
export const startNode = (file, args, options = {}) =>
  start(process.execPath, [...(options.nodeArgs ?? []), file, ...args], options);

/** Hangs up, then TERM, then KILL; resolves when it is gone. */
export async function end(child, { patience = 3000 } = {}) {
  if (!isAlive(child)) return;
  const gone = once(child, 'exit');
  if (child.stdin === null) killGroup(child, 'SIGTERM');
  else child.stdin.end();
  await Promise.race([gone, pause(patience)]);
  if (isAlive(child)) killGroup(child, 'SIGTERM');
  await Promise.race([gone, pause(isAlive(child) ? 1000 : 0)]);
  killGroup(child, 'SIGKILL');
  await gone;
}

export const isAlive = (child) =>
  child.exitCode === null && child.signalCode === null && child.pid !== undefined;

/** Processor time of these processes so far in microseconds; undefined where the system does not tell. */
export function cpuMicroseconds(pids) {
  try {
    return pids.flatMap(threadsOf).reduce((sum, file) => sum + nanoseconds(file) / 1000, 0);
  } catch {
    return undefined;
  }
}

/** Resident memory of these processes in MB; undefined where the system does not tell. */
export function residentMegabytes(pids) {
  try {
    return pids.reduce((sum, pid) => sum + residentKilobytes(pid), 0) / 1024;
  } catch {
    return undefined;
  }
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

function threadsOf(pid) {
  return readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/schedstat`);
}

function nanoseconds(file) {
  return Number(readFileSync(file, 'latin1').split(' ', 1)[0]);
}

function residentKilobytes(pid) {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]);
}

function killGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Gone already.
  }
}
