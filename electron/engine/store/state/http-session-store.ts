import type { Clock } from '../../base/clock.ts';
import type { StateDb } from './state-db.ts';
import type { HttpSessionRow, StateQueries } from './tables.ts';
import { createWriteBatcher } from './write-batcher.ts';

/** A session over HTTP as it is kept; `data` is its owner's. */
export interface StoredHttpSession {
  readonly idHash: string;
  readonly holder: string;
  readonly data: string;
  readonly seenAt: number;
}

/** Keeps sessions over HTTP in `state.db`, as the gateway asks for it (HttpSessionMemory). */
export interface HttpSessionStore {
  /** Loads sessions seen since then, latest first, and forgets older ones; opens no database where none was kept. */
  load(since: number): Promise<readonly StoredHttpSession[]>;
  /** Asks `read` a moment later for what is to be kept under this id by then; nothing forgets it. */
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

/** To forget one makes no database. */
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
