import type { Clock } from '../../base/clock.ts';
import type { StateDb } from './state-db.ts';
import type { StateQueries, ToolUseRow } from './tables.ts';
import { createWriteBatcher } from './write-batcher.ts';

/** How often a client has called a tool on a day. */
export interface ToolUse {
  /** Since the epoch. */
  readonly day: number;
  readonly client: string;
  readonly serverKey: string;
  readonly name: string;
  readonly calls: number;
}

/** Counts calls in `state.db`, by day. Its promises reject as those of StateDb do. */
export interface ToolUses {
  /** Adds to what was counted; written a moment later. Days older than those that are asked for are forgotten. */
  add(uses: readonly ToolUse[]): void;
  /** From a day on. */
  since(day: number): Promise<readonly ToolUse[]>;
  flush(): Promise<boolean>;
}

export function toolUses(state: StateDb, clock: Clock, days: number): ToolUses {
  const batcher = createWriteBatcher<ToolUse>({
    clock,
    condense: (uses) => uses.slice(-mostWaiting),
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

/** While they cannot be written. */
const mostWaiting = 10_000;

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
