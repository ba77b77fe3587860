import { ProblemError } from '../../../shared/error/problem.ts';
import type { Grant, ToolToken } from '../../../shared/model/access/access.ts';
import type { Clock } from '../base/clock.ts';
import type { LossMark } from '../store/db/loss-mark.ts';
import type { StateDb } from '../store/db/state-db.ts';
import type { StateQueries } from '../store/db/tables.ts';
import { createWriteBatcher } from '../store/db/write-batcher.ts';
import {
  identityRow,
  policyRow,
  type StoredIdentity,
  toGrant,
  toIdentity,
  tokenRow,
  toToken,
} from './access-rows.ts';

/** All stored access data. */
export interface StoredAccess {
  readonly identities: readonly StoredIdentity[];
  readonly grants: readonly Grant[];
  readonly tokens: readonly ToolToken[];
}

/** One change of the stored data. Removing an identity also removes its grants and tokens. */
export type AccessChange =
  | { readonly kind: 'put-identity'; readonly stored: StoredIdentity }
  | { readonly kind: 'drop-identity'; readonly id: string }
  | { readonly kind: 'put-grant'; readonly grant: Grant }
  | { readonly kind: 'drop-grant'; readonly id: string }
  | { readonly kind: 'put-token'; readonly token: ToolToken }
  | { readonly kind: 'drop-token'; readonly id: string };

/** Stores access data in `state.db`. Its promises reject like those of StateDb. */
export interface AccessStore {
  /**
   * Does not create a database if nothing was ever stored. Rejects after a loss of data until somebody
   * decides to continue.
   */
  load(): Promise<StoredAccess>;
  /** Continues with what could be salvaged. */
  beginAnew(): Promise<StoredAccess>;
  /** Queues a change; it is written shortly after, in order. */
  add(change: AccessChange): void;
  /** Writes everything queued now; resolves to whether all of it is written. */
  flush(): Promise<boolean>;
}

export function accessStore(state: StateDb, clock: Clock, mark?: LossMark): AccessStore {
  const batcher = createWriteBatcher<AccessChange>({
    clock,
    // No change may be dropped: a revoked grant must not come back.
    condense: (changes) => changes,
    write: (changes) =>
      state.run((db) =>
        db.transaction().execute(async (step) => {
          for (const change of changes) await apply(step, change);
        }),
      ),
  });
  const read = () => state.runIfThere(readAll, { identities: [], grants: [], tokens: [] });
  return {
    async load() {
      const stored = await read();
      const loss = await mark?.load();
      if (loss !== undefined) throw new ProblemError(loss);
      return stored;
    },
    async beginAnew() {
      const stored = await read();
      await mark?.clear();
      return stored;
    },
    add: (change) => batcher.add(change),
    flush: () => batcher.flush(),
  };
}

async function readAll(db: StateQueries): Promise<StoredAccess> {
  const identities = await db.selectFrom('identity').selectAll().orderBy('created_at').execute();
  const grants = await db.selectFrom('mcp_policies').selectAll().orderBy('granted_at').execute();
  const tokens = await db.selectFrom('mcp_tokens').selectAll().execute();
  return {
    identities: identities.map(toIdentity),
    grants: grants.flatMap((row) => toGrant(row) ?? []),
    tokens: tokens.map(toToken),
  };
}

function apply(db: StateQueries, change: AccessChange): Promise<unknown> {
  switch (change.kind) {
    case 'put-identity':
      return putIdentity(db, change.stored);
    case 'drop-identity':
      return dropIdentity(db, change.id);
    case 'put-grant':
      return db.replaceInto('mcp_policies').values(policyRow(change.grant)).execute();
    case 'drop-grant':
      return db.deleteFrom('mcp_policies').where('id', '=', change.id).execute();
    case 'put-token':
      return db.replaceInto('mcp_tokens').values(tokenRow(change.token)).execute();
    case 'drop-token':
      return db.deleteFrom('mcp_tokens').where('token_id', '=', change.id).execute();
  }
}

/** Updates the row: replacing it would delete its grants too. */
function putIdentity(db: StateQueries, stored: StoredIdentity): Promise<unknown> {
  const { id, ...fields } = identityRow(stored);
  return db
    .insertInto('identity')
    .values({ id, ...fields })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(fields))
    .execute();
}

/** Deletes the dependent rows itself, in case foreign keys are not enforced. */
async function dropIdentity(db: StateQueries, id: string): Promise<void> {
  await db.deleteFrom('mcp_policies').where('agent_id', '=', id).execute();
  await db.deleteFrom('mcp_tokens').where('agent_id', '=', id).execute();
  await db.deleteFrom('identity').where('id', '=', id).execute();
}
