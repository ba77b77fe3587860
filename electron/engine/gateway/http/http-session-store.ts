import type { Clock } from '../../base/clock.ts';
import type { StateDb } from '../../store/db/state-db.ts';
import type { StateQueries } from '../../store/db/tables.ts';
import { createWriteBatcher } from '../../store/db/write-batcher.ts';

declare module '../../store/db/tables.ts' {
  interface StateTables {
    readonly http_session: HttpSessionRow;
  }
}

/** An HTTP session by a digest of its id; `data` is JSON. Time in epoch milliseconds. */
export interface HttpSessionRow {
  readonly id_hash: string;
  readonly holder: string;
  readonly data: string;
  readonly seen_at: number;
}

/** A stored HTTP session; `data` belongs to the caller. */
export interface StoredHttpSession {
  readonly idHash: string;
  readonly holder: string;
  readonly data: string;
  readonly seenAt: number;
}

/** Stores HTTP sessions in `state.db`; implements the gateway's HttpSessionMemory. */
export interface HttpSessionStore {
  /**
   * Loads sessions seen since then, latest first, and deletes older ones. Does not create a database if
   * nothing was ever stored.
   */
  load(since: number): Promise<readonly StoredHttpSession[]>;
  /** Calls `read` shortly after for the session to store under this id; undefined deletes it. */
  save(idHash: string, read: () => StoredHttpSession | undefined): void;
  flush(): Promise<boolean>;
}

interface Change {
  readonly idHash: string;
  readonly read: () => StoredHttpSession | undefined;
}

export function httpSessionStore(state: StateDb, clock: Clock): HttpSessionStore {
  const batcher = createWriteBatcher<Change>({
    clock,
    condense: latest,
    write: (changes) => write(state, latest(changes)),
  });
  return {
    load: (since) => state.runIfThere((db) => readSince(db, since), []),
    save: (idHash, read) => batcher.add({ idHash, read }),
    flush: () => batcher.flush(),
  };
}

function latest(changes: readonly Change[]): readonly Change[] {
  return [...new Map(changes.map((change) => [change.idHash, change])).values()];
}

async function readSince(db: StateQueries, since: number): Promise<readonly StoredHttpSession[]> {
  await db.deleteFrom('http_session').where('seen_at', '<', since).execute();
  const rows = await db.selectFrom('http_session').selectAll().orderBy('seen_at', 'desc').execute();
  return rows.map(({ id_hash: idHash, holder, data, seen_at: seenAt }) => ({ idHash, holder, data, seenAt }));
}

/** Deleting alone creates no database. */
function write(state: StateDb, changes: readonly Change[]): Promise<void> {
  const rows = changes.flatMap(({ read }) => toRow(read()) ?? []);
  const change = (db: StateQueries) => replaceRows(db, changes, rows);
  return rows.length > 0 ? state.run(change) : state.runIfThere(change, undefined);
}

function toRow(session: StoredHttpSession | undefined): HttpSessionRow | undefined {
  if (session === undefined) return undefined;
  const { idHash, holder, data, seenAt } = session;
  return { id_hash: idHash, holder, data, seen_at: seenAt };
}

function replaceRows(
  db: StateQueries,
  changes: readonly Change[],
  rows: readonly HttpSessionRow[],
): Promise<void> {
  return db.transaction().execute(async (step) => {
    for (const { idHash } of changes)
      await step.deleteFrom('http_session').where('id_hash', '=', idHash).execute();
    for (const row of rows) await step.insertInto('http_session').values(row).execute();
  });
}
