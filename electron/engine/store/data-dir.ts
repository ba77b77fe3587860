import { createHash } from 'node:crypto';
import { chmod, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Problem, ProblemError, problem } from '../../../shared/error/problem.ts';
import { errorCode } from './atomic-file.ts';
import { sharedFolder } from './private-folder.ts';
import { wrongKind } from './wrong-kind.ts';

/** Where everything lies inside a data folder (design, data on disk). */
export interface DataPaths {
  readonly dir: string;
  readonly config: string;
  /** The config as it was last accepted, 0600. */
  readonly lastGoodConfig: string;
  readonly settings: string;
  /** Bearer token of the HTTP endpoint, 0600. */
  readonly token: string;
  /** Bearer token of administration over REST, 0600. */
  readonly adminToken: string;
  /** Which local clients may have everything; the bridge reads it. */
  readonly openClients: string;
  /** Encrypted values, see secret-vault.ts. */
  readonly secrets: string;
  /** What they are encrypted with where there is no keychain, 0600. */
  readonly secretsKey: string;
  /** What every server offered last time; the bridge reads it too. */
  readonly catalogue: string;
  /** What is remembered of tools, a database. */
  readonly state: string;
  /** What went through the hub, a database as well: what becomes of it must not touch the other. */
  readonly activity: string;
  /** What was done and by whom, in a chain of hashes. */
  readonly audit: string;
  /** What of that nobody has taken over yet. */
  readonly auditJournal: string;
  /** Named selections of servers and tools; the bridge reads it too. */
  readonly profiles: string;
  /** Who classifies tools, and whether meaning counts in a search. */
  readonly search: string;
  /** Runs of the tester to be tried again. */
  readonly checks: string;
  /** Programs that came with their entry, each in a folder of its own. */
  readonly bundles: string;
  readonly run: string;
  /** Unix socket, or on Windows a named pipe derived from the folder; see socket-place.ts for where it lies indeed. */
  readonly socket: string;
  /** Lock and address of the running hub. */
  readonly hub: string;
  readonly children: string;
  readonly launch: string;
  /** There while Patchbay is to stay off until a person opens it; the bridge looks for it. */
  readonly turnedOff: string;
  readonly logs: string;
}

/** `PATCHBAY_DATA_DIR`, else `~/.patchbay`; works without HOME. */
export function defaultDataDir(env: Readonly<Record<string, string | undefined>>): string {
  const chosen = env.PATCHBAY_DATA_DIR;
  return chosen === undefined || chosen === '' ? join(homeFolder(), '.patchbay') : resolve(chosen);
}

export function dataPaths(dir: string, platform: NodeJS.Platform = process.platform): DataPaths {
  const run = join(dir, 'run');
  return {
    dir,
    config: join(dir, 'mcp.json'),
    lastGoodConfig: join(run, 'mcp.good.json'),
    settings: join(dir, 'settings.json'),
    token: join(dir, 'token'),
    adminToken: join(dir, 'admin.token'),
    openClients: join(dir, 'open-clients.json'),
    secrets: join(dir, 'secrets.json'),
    secretsKey: join(dir, 'secrets.key'),
    catalogue: join(dir, 'catalogue.json'),
    state: join(dir, 'state.db'),
    bundles: join(dir, 'bundles'),
    activity: join(dir, 'activity.db'),
    audit: join(dir, 'audit.db'),
    auditJournal: join(run, 'audit.journal'),
    profiles: join(dir, 'profiles.json'),
    search: join(dir, 'search.json'),
    checks: join(dir, 'checks.json'),
    run,
    socket: socketPath(dir, run, platform),
    hub: join(run, 'hub.json'),
    children: join(run, 'children.json'),
    launch: join(run, 'launch.json'),
    turnedOff: join(run, 'turned-off'),
    logs: join(dir, 'logs'),
  };
}

/**
 * Makes the folder (0700) and proves that it can be written. A folder that was there keeps its permissions: it may hold
 * more than ours, and what is secret in it is closed by itself. Rejects with `hub.data_folder_unwritable` or
 * `hub.disk_full`.
 */
export async function openDataDir(dir: string): Promise<DataPaths> {
  const paths = dataPaths(dir);
  const probe = join(paths.run, `probe-${process.pid}`);
  try {
    for (const folder of [paths.dir, paths.run, paths.logs]) await makeFolder(folder);
    if (process.platform !== 'win32') await chmod(paths.run, 0o700);
    await prove(probe);
  } catch (error) {
    throw new ProblemError(folderProblem(dir, errorCode(error) ?? String(error), pathOf(error)), {
      cause: error,
    });
  }
  return paths;
}

/** The folder of somebody who only looks: it is not made. Rejects with `hub.no_data_folder` where there is none. */
export async function existingDataDir(dir: string): Promise<string> {
  const found = await stat(dir).catch((error: unknown) => {
    const code = errorCode(error) ?? String(error);
    throw new ProblemError(
      code === 'ENOENT' || code === 'ENOTDIR' ? noFolder(dir) : folderProblem(dir, code),
    );
  });
  if (!found.isDirectory()) throw new ProblemError(wrongKind(dir, 'file', 'folder'));
  return dir;
}

function noFolder(dir: string): Problem {
  const fix = 'Name the folder with --data-dir; Patchbay makes one when it is started.';
  return problem('hub.no_data_folder', `There is no data folder ${dir}, so nothing is kept there.`, fix, {
    folder: dir,
  });
}

/** Makes a folder and those above it. Node's own way never ends where nothing can be made, such as below /proc. */
async function makeFolder(folder: string): Promise<void> {
  const make = () =>
    mkdir(folder, { mode: 0o700 }).catch(async (error: unknown) => {
      if (errorCode(error) !== 'EEXIST' || !(await stat(folder)).isDirectory()) throw error;
    });
  try {
    await make();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    await make();
  }
}

async function prove(probe: string): Promise<void> {
  try {
    await writeFile(probe, 'patchbay', { mode: 0o600 });
  } finally {
    // On a full disk a file of nothing may have been made.
    await rm(probe, { force: true });
  }
}

/** What the system's complaint is about. */
function pathOf(error: unknown): string | undefined {
  return error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : undefined;
}

/** Why a data folder cannot be used, by the system's error code; `path` is what in it the system complained about. */
export function folderProblem(dir: string, code: string, path = dir): Problem {
  const evidence = { folder: dir, error: code };
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return problem(
      'hub.disk_full',
      `The disk of the data folder ${dir} is full.`,
      'Free some space, then start again.',
      evidence,
    );
  }
  if (code === 'EEXIST') return wrongKind(path, 'file', 'folder');
  const sentence = `The data folder ${dir} cannot be used (${code}).`;
  const fix = 'Give yourself write permission for it, or choose another folder with --data-dir.';
  return problem('hub.data_folder_unwritable', sentence, fix, evidence);
}

/** Clients may start the bridge with no environment at all. */
function homeFolder(): string {
  const home = homedir();
  return home === '' ? userInfo().homedir : home;
}

/** Longest path a Unix socket address can hold on macOS, the shortest of the supported systems. */
export const longestSocketPath = 103;

function socketPath(dir: string, run: string, platform: NodeJS.Platform): string {
  // A terminal may write the drive in lower case; it is the same folder.
  const folder = platform === 'win32' ? resolve(dir).toLowerCase() : resolve(dir);
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  if (platform === 'win32') return `\\\\.\\pipe\\patchbay-${userInfo().username}-${digest}`;
  const path = join(run, 'hub.sock');
  return Buffer.byteLength(path) <= longestSocketPath ? path : join(sharedFolder(platform), `${digest}.sock`);
}
