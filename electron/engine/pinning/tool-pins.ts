import type { Clock } from '../base/clock.ts';
import type { StateDb } from '../store/db/state-db.ts';
import type { StateQueries } from '../store/db/tables.ts';
import { createWriteBatcher } from '../store/db/write-batcher.ts';

declare module '../store/db/tables.ts' {
  interface StateTables {
    readonly tool_pin: ToolPinRow;
  }
}

/**
 * The decision about a tool's definitions: digests, with the approved ones separated by spaces, and the text
 * of the first.
 */
export interface ToolPinRow {
  readonly server: string;
  readonly tool: string;
  readonly approved: string | null;
  readonly approved_at: number | null;
  readonly definition: string | null;
  readonly blocked: string | null;
  readonly passed_at: number | null;
  readonly previous: string | null;
}

/** A stored decision about a tool's definition; its text is read separately, on demand. */
export interface StoredPin {
  readonly serverKey: string;
  readonly name: string;
  /** Digests, the last approved one first. */
  readonly approved: readonly string[];
  readonly approvedAt: number | undefined;
  readonly blocked: string | undefined;
  /** When the approved definition was approved automatically; undefined if a person approved it. */
  readonly passedAt: number | undefined;
}

/** Adds the text of the approved definition, built when it is written: many come while servers start. */
export interface TrustedPin extends StoredPin {
  readonly definition: () => string;
}

export interface PinTexts {
  /** Text of the approved definition. */
  readonly definition?: string | undefined;
  /** Text of the definition approved before that. */
  readonly previous?: string | undefined;
}

/** Stores decisions about definitions in `state.db`. Its promises reject like those of StateDb. */
export interface ToolPins {
  /** Does not create a database if nothing was ever stored. */
  load(): Promise<readonly StoredPin[]>;
  /** Returns the text of the approved definition. */
  definition(serverKey: string, name: string): Promise<string | undefined>;
  /** Returns the text of the definition that an automatically approved one has replaced. */
  previous(serverKey: string, name: string): Promise<string | undefined>;
  /**
   * Queues a change; it is written shortly after, like all changes below. Texts that are not given stay as
   * stored.
   */
  save(pin: StoredPin, texts?: PinTexts): void;
  /** Like {@link save} for many pins, but keeps existing decisions. */
  trust(pins: readonly TrustedPin[]): void;
  /** Deletes the decision about one tool, or about all tools of a server. */
  forget(serverKey: string, name?: string): void;
  /** Replaces the decisions about one server by those about another. */
  copy(serverKey: string, to: string): void;
  /** Writes everything queued now; resolves to whether all of it is written. */
  flush(): Promise<boolean>;
}

type Change =
  | { readonly kind: 'save'; readonly pin: StoredPin; readonly texts: PinTexts }
  | { readonly kind: 'trust'; readonly pins: readonly TrustedPin[] }
  | { readonly kind: 'forget'; readonly serverKey: string; readonly name: string | undefined }
  | { readonly kind: 'copy'; readonly serverKey: string; readonly to: string };

export function toolPins(state: StateDb, clock: Clock): ToolPins {
  const batcher = createWriteBatcher<Change>({
    clock,
    condense: (changes) => changes.slice(-maxPending),
    write: (changes) => write(state, changes),
  });
  const text = async (column: keyof PinTexts, serverKey: string, name: string) => {
    await batcher.flush();
    return state.runIfThere((db) => readText(db, column, serverKey, name), undefined);
  };
  return {
    load: () => state.runIfThere(readAll, []),
    definition: (serverKey, name) => text('definition', serverKey, name),
    previous: (serverKey, name) => text('previous', serverKey, name),
    save: (pin, texts = {}) => batcher.add({ kind: 'save', pin, texts }),
    trust: (pins) => batcher.add({ kind: 'trust', pins }, trustDelayMs),
    forget: (serverKey, name) => batcher.add({ kind: 'forget', serverKey, name }),
    copy: (serverKey, to) => batcher.add({ kind: 'copy', serverKey, to }),
    flush: () => batcher.flush(),
  };
}

/**
 * Milliseconds. New pins come while a hub starts, server by server, and creating a database would delay the
 * other servers. Until then the stored catalogue (`catalogue.json`) has them.
 */
const trustDelayMs = 2_000;

/** Limit while changes cannot be written. */
const maxPending = 20_000;

async function readAll(db: StateQueries): Promise<readonly StoredPin[]> {
  const rows = await db
    .selectFrom('tool_pin')
    .select(['server', 'tool', 'approved', 'approved_at', 'blocked', 'passed_at'])
    .execute();
  return rows.map(({ server, tool, approved, approved_at, blocked, passed_at }) => ({
    serverKey: server,
    name: tool,
    approved: approved?.split(' ') ?? [],
    approvedAt: approved_at ?? undefined,
    blocked: blocked ?? undefined,
    passedAt: passed_at ?? undefined,
  }));
}

async function readText(
  db: StateQueries,
  column: keyof PinTexts,
  serverKey: string,
  name: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('tool_pin')
    .select(column)
    .where('server', '=', serverKey)
    .where('tool', '=', name)
    .executeTakeFirst();
  return row?.[column] ?? undefined;
}

/** Deleting alone creates no database. */
function write(state: StateDb, changes: readonly Change[]): Promise<void> {
  const isStoring = changes.some(({ kind }) => kind === 'save' || kind === 'trust');
  const query = (db: StateQueries) =>
    db.transaction().execute(async (step) => {
      for (const change of changes) await apply(step, change);
    });
  return isStoring ? state.run(query) : state.runIfThere(query, undefined);
}

function apply(db: StateQueries, change: Change): Promise<unknown> {
  switch (change.kind) {
    case 'save':
      return save(db, toRow(change.pin, change.texts));
    case 'trust':
      return trust(db, change.pins);
    case 'forget':
      return forget(db, change.serverKey, change.name);
    case 'copy':
      return copy(db, change.serverKey, change.to);
  }
}

/**
 * Inserts many rows per statement: a server may have hundreds of tools, and each statement is built
 * separately.
 */
async function trust(db: StateQueries, pins: readonly TrustedPin[]): Promise<void> {
  for (let start = 0; start < pins.length; start += rowsPerStatement) {
    const rows = pins
      .slice(start, start + rowsPerStatement)
      .map((pin) => toRow(pin, { definition: pin.definition() }));
    await db
      .insertInto('tool_pin')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

const rowsPerStatement = 50;

function save(db: StateQueries, row: ToolPinRow): Promise<unknown> {
  const { server: _server, tool: _tool, definition, previous, ...decision } = row;
  const update = {
    ...decision,
    ...(definition === null ? {} : { definition }),
    ...(previous === null ? {} : { previous }),
  };
  return db
    .insertInto('tool_pin')
    .values(row)
    .onConflict((conflict) => conflict.columns(['server', 'tool']).doUpdateSet(update))
    .execute();
}

function forget(db: StateQueries, serverKey: string, name: string | undefined): Promise<unknown> {
  const ofServer = db.deleteFrom('tool_pin').where('server', '=', serverKey);
  return (name === undefined ? ofServer : ofServer.where('tool', '=', name)).execute();
}

async function copy(db: StateQueries, serverKey: string, to: string): Promise<void> {
  await forget(db, to, undefined);
  const rows = await db.selectFrom('tool_pin').selectAll().where('server', '=', serverKey).execute();
  for (const row of rows)
    await db
      .insertInto('tool_pin')
      .values({ ...row, server: to })
      .execute();
}

function toRow(pin: StoredPin, { definition, previous }: PinTexts): ToolPinRow {
  return {
    server: pin.serverKey,
    tool: pin.name,
    approved: pin.approved.length === 0 ? null : pin.approved.join(' '),
    approved_at: pin.approvedAt ?? null,
    definition: definition ?? null,
    blocked: pin.blocked ?? null,
    passed_at: pin.passedAt ?? null,
    previous: previous ?? null,
  };
}
