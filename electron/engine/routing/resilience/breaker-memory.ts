import type { Clock } from '../../base/clock.ts';
import type { StateDb } from '../../store/db/state-db.ts';
import type { StateQueries } from '../../store/db/tables.ts';
import { createWriteBatcher } from '../../store/db/write-batcher.ts';

declare module '../../store/db/tables.ts' {
  interface StateTables {
    readonly circuit_breakers: BreakerRow;
  }
}

/** One row per tool whose circuit is not closed. Times in epoch milliseconds. */
export interface BreakerRow {
  /** `server:tool`. */
  readonly circuit_key: string;
  readonly server_id: string;
  readonly tool_name: string;
  readonly state: 'OPEN' | 'HALF_OPEN';
  readonly failure_count: number;
  readonly success_count: number;
  readonly last_failure_time: number | null;
  readonly opened_at: number | null;
  readonly until: number | null;
  readonly updated_at: number;
}

/** A stored circuit, in the form of the router's BreakerSnapshot. */
interface Breaker {
  readonly serverKey: string;
  readonly name: string;
  readonly state: 'closed' | 'open' | 'half-open';
  readonly failures: number;
  readonly successes: number;
  readonly openedAt: number | undefined;
  readonly until: number | undefined;
}

/** Stores circuits in `state.db`; implements the router's BreakerMemory. */
export interface StoredBreakers {
  /** Returns all circuits that are not closed. Does not create a database if nothing was ever stored. */
  load(): Promise<readonly Breaker[]>;
  /** Queues a circuit; it is written shortly after. */
  save(breaker: Breaker): Promise<void>;
  /** Writes everything queued now; resolves to whether all of it is written. */
  flush(): Promise<boolean>;
}

export function breakerMemory(state: StateDb, clock: Clock): StoredBreakers {
  const batcher = createWriteBatcher<Breaker>({
    clock,
    condense: latest,
    write: (breakers) => write(state, latest(breakers), clock.now()),
  });
  return {
    load: () => state.runIfThere(readAll, []),
    save: async (breaker) => batcher.add(breaker),
    flush: () => batcher.flush(),
  };
}

/** Keeps only the last state of each circuit. */
function latest(breakers: readonly Breaker[]): readonly Breaker[] {
  return [...new Map(breakers.map((breaker) => [JSON.stringify(keyOf(breaker)), breaker])).values()];
}

function keyOf({ serverKey, name }: Breaker): readonly [string, string] {
  return [serverKey, name];
}

async function readAll(db: StateQueries): Promise<readonly Breaker[]> {
  const rows = await db.selectFrom('circuit_breakers').selectAll().execute();
  return rows.map(toBreaker);
}

/** A closed circuit is like a new one: its row is deleted, and it alone creates no database. */
function write(state: StateDb, breakers: readonly Breaker[], now: number): Promise<void> {
  const rows = breakers.flatMap((breaker) => toRow(breaker, now) ?? []);
  const change = (db: StateQueries) => replaceRows(db, breakers, rows);
  return rows.length > 0 ? state.run(change) : state.runIfThere(change, undefined);
}

function replaceRows(
  db: StateQueries,
  breakers: readonly Breaker[],
  rows: readonly BreakerRow[],
): Promise<void> {
  return db.transaction().execute(async (step) => {
    for (const { serverKey, name } of breakers)
      await step
        .deleteFrom('circuit_breakers')
        .where('server_id', '=', serverKey)
        .where('tool_name', '=', name)
        .execute();
    for (const row of rows) await step.insertInto('circuit_breakers').values(row).execute();
  });
}

function toRow(breaker: Breaker, now: number): BreakerRow | undefined {
  const { serverKey, name, state, failures, successes, openedAt = null, until = null } = breaker;
  if (state === 'closed') return undefined;
  return {
    circuit_key: `${serverKey}:${name}`,
    server_id: serverKey,
    tool_name: name,
    state: state === 'open' ? 'OPEN' : 'HALF_OPEN',
    failure_count: failures,
    success_count: successes,
    // A circuit opens at the last failure that it counts.
    last_failure_time: openedAt,
    opened_at: openedAt,
    until,
    updated_at: now,
  };
}

function toBreaker(row: BreakerRow): Breaker {
  const { server_id, tool_name, state, failure_count, success_count, opened_at, until } = row;
  return {
    serverKey: server_id,
    name: tool_name,
    state: state === 'OPEN' ? 'open' : 'half-open',
    failures: failure_count,
    successes: success_count,
    openedAt: opened_at ?? undefined,
    until: until ?? undefined,
  };
}
