import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FoundProcess, processesWhere } from '../chaos/lib/processes.mjs';
import { eventually } from '../helper/eventually.ts';

/**
 * Global set-up of the end-to-end tests: gives the run a temporary folder and a mark of its own, and when all tests are
 * done looks for what they left: processes (the mark is in the environment of all that was started, and the folder in
 * that of servers and on the command line of hubs, however bare a client started them), listening ports, folders. The
 * run fails if there is anything.
 */
export async function setup(): Promise<() => Promise<void>> {
  const before = { TMPDIR: process.env.TMPDIR, usualPort: await isServed(usualPort) };
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-e2e-'));
  process.env.TMPDIR = folder;
  process.env[mark] = folder;
  return async () => {
    if (before.TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before.TMPDIR;
    try {
      await eventually(() => refuse('processes', processesWhere(isOf(folder)).map(describe)), patience);
      refuse('folders', (await readdir(folder)).filter(isOurs));
      refuse('ports', !before.usualPort && (await isServed(usualPort)) ? [String(usualPort)] : []);
    } catch (error) {
      failRun(error);
    } finally {
      for (const { pid } of processesWhere(isOf(folder))) process.kill(pid, 'SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  };
}

const mark = 'PATCHBAY_E2E_RUN';
/** Milliseconds in which what has been told to end has ended. */
const patience = 15_000;
/** The one that a hub takes whom nobody gave another. */
const usualPort = 7420;

/** The folder stands in environments in plain or, as part of an id, encoded. */
function isOf(folder: string): (found: FoundProcess) => boolean {
  const names = [folder, encodeURIComponent(folder)];
  return ({ environment, command }) =>
    names.some((name) => environment.includes(name) || command.includes(name));
}

/** Chromium and the test driver have folders of their own there. */
function isOurs(name: string): boolean {
  return name.startsWith('patchbay');
}

function describe({ pid, command }: FoundProcess): string {
  return `${pid} ${command.slice(0, 200)}`;
}

/** An error alone would be printed by the runner and forgotten. */
function failRun(error: unknown): never {
  process.exitCode = 1;
  throw error;
}

function refuse(what: string, left: readonly string[]): void {
  if (left.length > 0) throw new Error(`The end-to-end tests left ${what}:\n  ${left.join('\n  ')}`);
}

function isServed(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
