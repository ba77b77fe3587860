import { createHash } from 'node:crypto';
import { chmod, stat, writeFile } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { type Problem, ProblemError, problem } from '../../../../shared/error/problem.ts';
import { absolutePath } from './absolute-path.ts';
import { errorCode } from './atomic-file.ts';
import { makeFolder, userTempFolder } from './private-folder.ts';
import { removeFile } from './replace-file.ts';
import { wrongKindProblem } from './wrong-kind-problem.ts';

/** Paths inside a data folder (see the design, data on disk). */
export interface DataPaths {
  readonly dir: string;
  readonly config: string;
  /** Last accepted config, 0600. */
  readonly lastGoodConfig: string;
  readonly settings: string;
  /** Bearer token of the HTTP endpoint, 0600. */
  readonly token: string;
  /** Bearer token for administration over REST, 0600. */
  readonly adminToken: string;
  /** Local clients that may use everything; also read by the bridge. */
  readonly openClients: string;
  /** Encrypted values, see secret-vault.ts. */
  readonly secrets: string;
  /** Encryption key if there is no keychain, 0600. */
  readonly secretsKey: string;
  /** Last known tools, resources and prompts of every server; also read by the bridge. */
  readonly catalogue: string;
  /** Database of tools, approvals and access. */
  readonly state: string;
  /** Database of calls, kept apart so that damage to it does not affect the other one. */
  readonly activity: string;
  /** Database of what was done and by whom, as a hash chain. */
  readonly audit: string;
  /** Audit entries that are not in the database yet. */
  readonly auditJournal: string;
  /** Named selections of servers and tools; also read by the bridge. */
  readonly profiles: string;
  /** Settings for tool classification and semantic search. */
  readonly search: string;
  /** Saved tester runs. */
  readonly checks: string;
  /** Programs that came with their entry, each in its own folder. */
  readonly bundles: string;
  readonly run: string;
  /**
   * Unix socket, or on Windows a named pipe derived from the folder; see socket-location.ts for its actual
   * location.
   */
  readonly socket: string;
  /** Lock and address of the running hub. */
  readonly hub: string;
  readonly children: string;
  /** Era of each server: with sessions, or stateless. */
  readonly eras: string;
  readonly launch: string;
  /** Exists while Patchbay stays off until a person opens it; checked by the bridge. */
  readonly turnedOff: string;
  readonly logs: string;
}

/** Returns `PATCHBAY_DATA_DIR`, or else `~/.patchbay`; works without HOME. */
export function defaultDataDir(env: Readonly<Record<string, string | undefined>>): string {
  const chosen = env.PATCHBAY_DATA_DIR;
  return chosen === undefined || chosen === '' ? join(homeFolder(), '.patchbay') : absolutePath(chosen);
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
    eras: join(run, 'eras.json'),
    launch: join(run, 'launch.json'),
    turnedOff: join(run, 'turned-off'),
    logs: join(dir, 'logs'),
  };
}

/**
 * Creates the folder (0700) and checks that it is writable. An existing folder keeps its permissions: it may
 * contain other files, and each secret file is protected by itself. Rejects with `hub.data_folder_unwritable`
 * or `hub.disk_full`.
 */
export async function openDataDir(dir: string): Promise<DataPaths> {
  const paths = dataPaths(dir);
  const probe = join(paths.run, `probe-${process.pid}`);
  try {
    for (const folder of [paths.dir, paths.run, paths.logs]) makeFolder(folder);
    if (process.platform !== 'win32') await chmod(paths.run, 0o700);
    await checkWritable(probe);
  } catch (error) {
    throw new ProblemError(folderProblem(dir, errorCode(error) ?? String(error), pathOf(error)), {
      cause: error,
    });
  }
  return paths;
}

/**
 * Returns the folder for a program that only reads it; does not create it. Rejects with `hub.no_data_folder`
 * if it does not exist.
 */
export async function existingDataDir(dir: string): Promise<string> {
  const found = await stat(dir).catch((error: unknown) => {
    const code = errorCode(error) ?? String(error);
    throw new ProblemError(
      code === 'ENOENT' || code === 'ENOTDIR' ? noFolderProblem(dir) : folderProblem(dir, code),
    );
  });
  if (!found.isDirectory()) throw new ProblemError(wrongKindProblem(dir, 'file', 'folder'));
  return dir;
}

function noFolderProblem(dir: string): Problem {
  const fix = 'Choose the folder with --data-dir, or start Patchbay, which creates it.';
  return problem('hub.no_data_folder', `There is no data folder ${dir}.`, fix, {
    folder: dir,
  });
}

async function checkWritable(probe: string): Promise<void> {
  try {
    await writeFile(probe, 'patchbay', { mode: 0o600 });
  } finally {
    // An empty file may be left on a full disk.
    await removeFile(probe);
  }
}

/** Returns the path in the system's error. */
function pathOf(error: unknown): string | undefined {
  return error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : undefined;
}

/**
 * Explains why a data folder cannot be used, by the system's error code; `path` is the path in the system's
 * error.
 */
export function folderProblem(dir: string, code: string, path = dir): Problem {
  const evidence = { folder: dir, error: code };
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return problem(
      'hub.disk_full',
      `The disk of the data folder ${dir} is full.`,
      'Free some space, then start Patchbay again.',
      evidence,
    );
  }
  if (code === 'EEXIST') return wrongKindProblem(path, 'file', 'folder');
  const sentence = `The data folder ${dir} cannot be used (${code}).`;
  const fix = 'Get write permission for it, or choose another folder with --data-dir.';
  return problem('hub.data_folder_unwritable', sentence, fix, evidence);
}

/** Clients may start the bridge with an empty environment. */
function homeFolder(): string {
  const home = homedir();
  return home === '' ? userInfo().homedir : home;
}

/** Longest path of a Unix socket on macOS, the shortest of the supported systems. */
export const maxSocketPathBytes = 103;

function socketPath(dir: string, run: string, platform: NodeJS.Platform): string {
  // A terminal may write the drive letter in lower case; it is the same folder.
  const folder = platform === 'win32' ? resolve(dir).toLowerCase() : resolve(dir);
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  if (platform === 'win32') return `\\\\.\\pipe\\patchbay-${userInfo().username}-${digest}`;
  const path = join(run, 'hub.sock');
  return Buffer.byteLength(path) <= maxSocketPathBytes
    ? path
    : join(userTempFolder(platform), `${digest}.sock`);
}
