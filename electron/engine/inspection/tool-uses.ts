import type { Clock } from '../base/clock.ts';
import type { StateDb } from '../store/db/state-db.ts';
import type { StateQueries } from '../store/db/tables.ts';
import { createWriteBatcher } from '../store/db/write-batcher.ts';

declare module '../store/db/tables.ts' {
  interface StateTables {
    readonly tool_use: ToolUseRow;
  }
}

/** Number of calls of a tool by a client on a day, counted from the epoch. */
export interface ToolUseRow {
  readonly client: string;
  readonly server: string;
  readonly tool: string;
  readonly day: number;
  readonly calls: number;
}

/** Number of calls of a tool by a client on a day. */
export interface ToolUse {
  /** Days since the epoch. */
  readonly day: number;
  readonly client: string;
  readonly serverKey: string;
  readonly name: string;
  readonly calls: number;
}

/** Counts calls by day in `state.db`. Its promises reject like those of StateDb. */
export interface ToolUses {
  /** Adds to the counts; written shortly after. Deletes days that are too old to be queried. */
  add(uses: readonly ToolUse[]): void;
  /** Returns counts from a day on. */
  since(day: number): Promise<readonly ToolUse[]>;
  flush(): Promise<boolean>;
}

/** Days for which calls are counted. */
export const usageDays = 30;

export function toolUses(state: StateDb, clock: Clock, days = usageDays): ToolUses {
  const batcher = createWriteBatcher<ToolUse>({
    clock,
    condense: (uses) => uses.slice(-maxPending),
    write: (uses) => state.run((db) => write(db, uses, days)),
  });
  return {
    add: (uses) => {
      for (const use of uses) batcher.add(use);
    },
    since: async (day) => {
      await batcher.flush();
      return state.runIfThere((db) => read(db, day), []);
    },
    flush: () => batcher.flush(),
  };
}

/** Limit while counts cannot be written. */
const maxPending = 10_000;

function write(db: StateQueries, uses: readonly ToolUse[], days: number): Promise<void> {
  return db.transaction().execute(async (step) => {
    for (const { serverKey, name, ...use } of uses) {
      await step
        .insertInto('tool_use')
        .values({ ...use, server: serverKey, tool: name })
        .onConflict((conflict) =>
          conflict
            .columns(['client', 'server', 'tool', 'day'])
            .doUpdateSet((update) => ({ calls: update('tool_use.calls', '+', use.calls) })),
        )
        .execute();
    }
    const newest = Math.max(...uses.map(({ day }) => day));
    await step
      .deleteFrom('tool_use')
      .where('day', '<', newest - days)
      .execute();
  });
}

async function read(db: StateQueries, day: number): Promise<readonly ToolUse[]> {
  const rows: readonly ToolUseRow[] = await db
    .selectFrom('tool_use')
    .selectAll()
    .where('day', '>=', day)
    .execute();
  return rows.map(({ server, tool, ...use }) => ({ ...use, serverKey: server, name: tool }));
}
