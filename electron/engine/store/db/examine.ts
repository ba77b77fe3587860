import { stat } from 'node:fs/promises';
import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import { errorCode } from '../files/atomic-file.ts';
import { type Connection, connect } from './connection.ts';
import { readFileHeader } from './file-header.ts';
import { version } from './migrations/migrations.ts';
import { isDamage } from './state-problem.ts';

/** Why a database is unusable. */
export interface Damage {
  readonly why: string;
  /** Original size in bytes if only the end is missing. */
  readonly fullSize?: number;
}

/**
 * Checks a file before it is used: by its header after a clean close, otherwise (or on `suspicion`) page by
 * page. Rejects with ProblemError `hub.newer_data` if a later version of the program has used it, and leaves
 * it alone.
 */
export async function examine(file: string, suspicion: boolean): Promise<Damage | undefined> {
  const header = await readFileHeader(file);
  if (header.kind === 'damaged') return header;
  if (header.kind === 'empty') return undefined;
  if (header.version > version) throw newer(file, header.version);
  return suspicion || (await wasCutOff(file)) ? checkPages(file) : undefined;
}

/** The log of a database is empty after a clean close. */
async function wasCutOff(file: string): Promise<boolean> {
  const log = await stat(`${file}-wal`).catch(() => undefined);
  return log !== undefined && log.size > 0;
}

function checkPages(file: string): Damage | undefined {
  let connection: Connection | undefined;
  try {
    connection = connect(file);
    connection.exec(`
      create temp table verdict (word text check (word = 'ok'));
      insert into verdict select quick_check from pragma_quick_check(1);
      drop table temp.verdict`);
    return undefined;
  } catch (error) {
    const isVerdict = errorCode(error)?.startsWith('SQLITE_CONSTRAINT') === true;
    if (isVerdict || isDamage(error)) return { why: 'some of its pages are damaged' };
    throw error;
  } finally {
    connection?.close();
  }
}

/** Throws `hub.newer_data`, taking the log into account too; only reads. */
export function refuseNewer(file: string, connection: Connection): void {
  const found = storedVersion(connection);
  if (found > version) throw newer(file, found);
}

/** Returns the number of migrations that the database has had. */
export function storedVersion(connection: Connection): number {
  return Number(connection.rows('pragma user_version')[0]?.user_version);
}

function newer(file: string, found: number): ProblemError {
  const sentence = `${file} was written by a newer version of Patchbay, so it is neither read nor changed.`;
  const fix = 'Update Patchbay. The file is left unchanged.';
  return new ProblemError(
    problem('hub.newer_data', sentence, fix, { file, version: found, 'version known here': version }),
  );
}
