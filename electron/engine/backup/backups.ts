import { randomUUID } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ProblemError, problem, toProblem } from '../../../shared/error/problem.ts';
import type { Clock } from '../base/clock.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { emptyConfig, readConfigFile, validateConfigText } from '../config/store/read-config.ts';
import type { StateDb } from '../store/db/state-db.ts';
import { readTextIfExists, writePrivateFile, writeProblem } from '../store/files/atomic-file.ts';
import type { DataPaths } from '../store/files/data-dir.ts';
import { removeFile } from '../store/files/replace-file.ts';
import { mergeVaults, type SecretVault } from '../store/files/secret-vault.ts';
import { type Backup, type BackupSecrets, backupText, readBackup } from './backup-file.ts';
import { unusableBackup } from './backup-problems.ts';
import type { Backups, RestoreOptions } from './contract.ts';
import { notBackedUp, parseFiles } from './parse-files.ts';
import { planRestore, previewOf } from './plan-restore.ts';
import { beginRestore, endRestore } from './restore-journal.ts';
import type { Setup, SetupFiles, SetupRows } from './setup.ts';
import { readSetupRows } from './setup-rows.ts';

/** The storage of a setup: the data folder of a running hub, or of none. */
export interface SetupStorage {
  readonly paths: DataPaths;
  readonly vault: SecretVault;
  readonly state: StateDb;
  readonly clock: Clock;
  readonly version: string;
  /** Resolves when all pending writes are on disk. */
  flush(): Promise<void>;
  /** Writes the rows of a setup, all or none. */
  applyRows(setup: Setup): Promise<void>;
  /** Writes the rest and applies it; resolves to messages about settings that could not be applied. */
  applyFiles(setup: Setup): Promise<readonly string[]>;
}

/** Makes and restores backups of one place, one after the other. */
export function createBackups(storage: SetupStorage): Backups {
  const queue = new SerialQueue();
  const undoable = new Map<string, { readonly before: Setup; readonly after: Setup }>();
  return {
    make: ({ passphrase }) => queue.run(() => make(storage, passphrase)),
    preview: (text) => queue.run(async () => previewOf(readBackup(text), await readFiles(storage.paths))),
    restore: (text, options) =>
      queue.run(async () => {
        const backup = readBackup(text);
        const before = await readSetup(storage);
        const { after, secrets } = await planWithSecrets(storage, backup, before, options);
        const file = await saveBefore(storage, before);
        const kept = await applyAtomically(storage, after, before);
        const undoId = randomUUID();
        undoable.clear();
        // Keeps secrets that were not restored, including those entered later.
        const back = after.vault === undefined ? { ...before, vault: undefined } : before;
        undoable.set(undoId, { before: back, after });
        const servers = parseFiles(backup.files).config.servers.length;
        return { undoId, before: file, servers, secrets, kept };
      }),
    undo: (undoId) =>
      queue.run(async () => {
        const step = undoable.get(undoId);
        const now = await readSetup(storage);
        if (step === undefined || !isUnchanged(now.files, step.after.files))
          throw new ProblemError(undoUnavailable());
        await applyAtomically(storage, step.before, now);
        undoable.delete(undoId);
      }),
  };
}

async function make(
  { paths, vault, state, clock, version, flush }: SetupStorage,
  passphrase: string | undefined,
) {
  await flush();
  const files = await readFiles(paths);
  const { config } = parseFiles(files, notBackedUp);
  const rows = await readSetupRows(state);
  const tokens = rows.identity.flatMap(({ id, token_hash }) =>
    token_hash === null ? [] : [[id, token_hash]],
  );
  const values: BackupSecrets | undefined =
    passphrase === undefined
      ? undefined
      : { secrets: await vault.openAll(), tokens: Object.fromEntries(tokens) };
  const text = await backupText({
    setup: { files, rows: portableRows(rows) },
    madeAt: clock.now(),
    madeBy: version,
    bundled: config.servers
      .filter(({ member }) => runsFrom(paths.bundles, files.config, member.node))
      .map(({ key }) => key),
    ...(values === undefined || passphrase === undefined ? {} : { secrets: { values, passphrase } }),
  });
  return { text, servers: config.servers.length, secrets: values?.secrets.length ?? 0 };
}

/** Leaves out data that only makes sense on this machine. */
function portableRows(rows: SetupRows): SetupRows {
  return {
    ...rows,
    identity: rows.identity.map((row) => ({ ...row, token_hash: null, last_seen_at: null })),
  };
}

function runsFrom(folder: string, text: string, { offset, length }: { offset: number; length: number }) {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  return body.slice(offset, offset + length).includes(JSON.stringify(folder).slice(1, -1));
}

async function readSetup({ paths, state, vault, flush }: SetupStorage): Promise<Setup> {
  await flush();
  const files = await readFiles(paths);
  const text = (await readTextIfExists(paths.secrets)) ?? (await vault.textWith([], false));
  return { files, rows: await readSetupRows(state), vault: text };
}

/** Takes the last good config if the current one is broken. */
async function readFiles(paths: DataPaths): Promise<SetupFiles> {
  const reading = await readConfigFile(paths.config);
  if (reading.kind === 'unreadable') throw new ProblemError(reading.problem);
  const text = reading.kind === 'text' ? reading.text : emptyConfig;
  const good =
    'code' in validateConfigText(paths.config, text) ? await readTextIfExists(paths.lastGoodConfig) : text;
  const files = {
    settings: await readTextIfExists(paths.settings),
    profiles: await readTextIfExists(paths.profiles),
    search: await readTextIfExists(paths.search),
    checks: await readTextIfExists(paths.checks),
  };
  const there = Object.entries(files).filter(([, found]) => found !== undefined);
  return { config: good ?? text, ...Object.fromEntries(there) };
}

async function planWithSecrets(
  storage: SetupStorage,
  backup: Backup,
  before: Setup,
  { how, passphrase }: RestoreOptions,
): Promise<{ readonly after: Setup; readonly secrets: number }> {
  const opened = passphrase === undefined ? undefined : await backup.open(passphrase);
  const after = planRestore(backup, before, how, opened?.tokens ?? {});
  const isAdded = how === 'merge';
  if (opened !== undefined && backup.hasSecrets) {
    const vault = await storage.vault.textWith(opened.secrets, isAdded);
    return { after: { ...after, vault }, secrets: opened.secrets.length };
  }
  if (backup.vault === undefined) return { after, secrets: 0 };
  const vault = mergeVaults(isAdded ? before.vault : undefined, backup.vault);
  if (vault === undefined) throw new ProblemError(unusableBackup('vault'));
  return { after: { ...after, vault }, secrets: 0 };
}

/** Saves the current setup in a separate file and deletes the oldest such files. */
async function saveBefore({ paths, clock, version }: SetupStorage, setup: Setup): Promise<string> {
  const folder = join(paths.dir, 'backups');
  const name = `${beforeName}${new Date(clock.now()).toISOString().replace(/[:.]/g, '-')}.json`;
  const file = join(folder, name);
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw writeProblem(folder, error);
  });
  const text = await backupText({ setup, madeAt: clock.now(), madeBy: version, bundled: [] });
  await writePrivateFile(file, text, { isOwn: true });
  const kept = (await readdir(folder)).filter((one) => one.startsWith(beforeName)).sort();
  for (const old of kept.slice(0, -maxSavedSetups)) await removeFile(join(folder, old));
  return file;
}

const beforeName = 'patchbay-before-restore-';
const maxSavedSetups = 10;

/**
 * Applies all or nothing: if the program is killed after the first write, the next start completes the
 * restore.
 */
async function applyAtomically(
  storage: SetupStorage,
  after: Setup,
  before: Setup,
): Promise<readonly string[]> {
  await beginRestore(storage.paths, after);
  try {
    await storage.applyRows(after);
  } catch (error) {
    await endRestore(storage.paths);
    throw error;
  }
  try {
    const kept = await storage.applyFiles(after);
    await endRestore(storage.paths);
    return kept;
  } catch (error) {
    try {
      await storage.applyRows(before);
      await storage.applyFiles(before);
      await endRestore(storage.paths);
    } catch {
      throw new ProblemError(incomplete(toProblem(error).sentence), { cause: error });
    }
    throw error;
  }
}

function isUnchanged(now: SetupFiles, after: SetupFiles): boolean {
  return now.config === after.config && now.profiles === after.profiles;
}

function undoUnavailable() {
  const sentence = 'This restore can no longer be undone: the setup has changed since.';
  const fix = 'Restore the backup that was saved before it, from the folder “backups” in the data folder.';
  return problem('backup.undo_gone', sentence, fix);
}

function incomplete(reason: string) {
  const sentence = 'The restore stopped halfway.';
  const fix = 'Free some disk space, then restart Patchbay to complete the restore.';
  return problem('backup.incomplete', sentence, fix, { reason });
}
