import { chmod, open, stat } from 'node:fs/promises';
import { Kysely } from 'kysely';
import { type Problem, ProblemError } from '../../../../shared/error/problem.ts';
import type { Clock } from '../../base/clock.ts';
import { createFileLock } from '../files/file-lock.ts';
import { removeFile } from '../files/replace-file.ts';
import { type Connection, connect, releaseFiles } from './connection.ts';
import { StateDialect } from './dialect.ts';
import { type Damage, examine, refuseNewer } from './examine.ts';
import type { LossMark } from './loss-mark.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/migrations.ts';
import { restoreSaved } from './restore-saved.ts';
import { setAside } from './set-aside.ts';
import { isDamage, stateProblem } from './state-problem.ts';
import type { StateQueries, StateTables } from './tables.ts';

/** A database in use. */
export interface OpenStateDb {
  readonly db: StateQueries;
  /** Data lost while opening it. */
  readonly loss: Problem | undefined;
  /** Moves the log into the file and closes it, so that others may move or delete it; never rejects. */
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly file: string;
  readonly clock: Clock;
  /** Something read from it before was not as it should be. */
  readonly suspicion?: boolean;
  /**
   * Mark for a database whose rows restrict access: set when the database is set aside. Rows that can be read
   * are restored.
   */
  readonly mark?: LossMark | undefined;
}

/**
 * Opens `state.db`, creating or migrating it first. Sets a damaged one aside. Rejects with ProblemError
 * `hub.newer_data`, `hub.disk_full`, `hub.data_folder_unwritable` or `hub.busy`, and leaves the file as it
 * was. The native module (libsql) takes about 10 MB: load this file only when something is stored or read.
 */
export async function openStateDb(options: OpenOptions): Promise<OpenStateDb> {
  const { file, clock } = options;
  const lock = createFileLock({ file: `${file}.lock`, clock, timeoutMs: lockTimeoutMs });
  try {
    return await lock.run(() => openLocked(options));
  } catch (error) {
    throw new ProblemError(await stateProblem(file, error), { cause: error });
  }
}

const lockTimeoutMs = 5_000;

async function openLocked(options: OpenOptions): Promise<OpenStateDb> {
  const { file, suspicion = false, mark } = options;
  const damage = (await examine(file, suspicion)) ?? (mark && (await emptyDamage(file)));
  if (damage !== undefined) return replaceDamaged(options, damage);
  try {
    return await openSound(file);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return replaceDamaged(options, { why: 'its tables cannot be read' });
  }
}

/**
 * The damaged file may still be open in this process: libsql closes a connection only when its statements
 * have been collected. SQLite notices that such a file has moved and touches nothing at its old path; Windows
 * allows the move only later.
 */
async function replaceDamaged({ file, clock, mark }: OpenOptions, damage: Damage): Promise<OpenStateDb> {
  const { problem, saved } = await setAside(file, damage, clock.now(), mark);
  const sound = await openSound(file);
  if (mark === undefined) return { ...sound, loss: problem };
  if (saved !== undefined) await restoreSaved(saved, sound.db);
  await mark.set(problem);
  return { ...sound, loss: problem };
}

/** Returns damage if the file exists but is empty, unless a program was killed while creating it. */
async function emptyDamage(file: string): Promise<Damage | undefined> {
  if ((await sizeOf(file)) !== 0 || (await sizeOf(creationMark(file))) !== undefined) return undefined;
  return { why: 'it is empty' };
}

/** Path of a file that exists from before a database is created until it has its tables. */
function creationMark(file: string): string {
  return `${file}.making`;
}

/** Returns undefined if there is no such file. */
async function sizeOf(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.size;
}

async function openSound(file: string): Promise<OpenStateDb> {
  if ((await sizeOf(file)) === undefined) await makePrivate(creationMark(file));
  await makePrivate(file);
  const connection = connect(file);
  try {
    refuseNewer(file, connection);
    connection.exec(settings);
    const db = new Kysely<StateTables>({ dialect: new StateDialect(connection) });
    await migrate({ file, connection, db, steps: migrations });
    await removeFile(creationMark(file));
    return { db, loss: undefined, close: () => close(connection, db) };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * With these settings commits survive any end of the process; a power failure may cost the last moments, but
 * never the database. Waiting for the disk at each commit would delay every call.
 */
const settings = `
  pragma journal_mode = wal;
  pragma synchronous = normal;
  pragma foreign_keys = on;
  pragma journal_size_limit = 4194304;`;

/** SQLite gives the files beside it the same permissions. */
async function makePrivate(file: string): Promise<void> {
  const handle = await open(file, 'a', 0o600);
  await handle.close();
  if (process.platform !== 'win32') await chmod(file, 0o600);
}

async function close(connection: Connection, db: StateQueries): Promise<void> {
  try {
    connection.exec('pragma wal_checkpoint(truncate)');
  } catch {
    // For example on a full disk; repeated when the file is opened next.
  }
  await db.destroy();
  await releaseFiles();
}
