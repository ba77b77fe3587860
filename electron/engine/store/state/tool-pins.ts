import type { Clock } from '../../base/clock.ts';
import type { StateDb } from './state-db.ts';
import type { StateQueries, ToolPinRow } from './tables.ts';
import { createWriteBatcher } from './write-batcher.ts';

/** A decision about a tool's definition as it is kept; the text is read apart, when somebody looks at it. */
export interface StoredPin {
  readonly serverKey: string;
  readonly name: string;
  /** Digests, the one approved last first. */
  readonly approved: readonly string[];
  readonly approvedAt: number | undefined;
  readonly blocked: string | undefined;
  /** When the approved definition went through by itself; undefined where somebody approved it. */
  readonly passedAt: number | undefined;
}

/** With the text of the definition that is approved, made when it is written: many come while servers start. */
export interface TrustedPin extends StoredPin {
  readonly definition: () => string;
}

export interface PinTexts {
  /** Text of the approved definition. */
  readonly definition?: string | undefined;
  /** Text of the definition approved before that. */
  readonly previous?: string | undefined;
}

/** Keeps what users have decided about definitions in `state.db`. Its promises reject as those of StateDb do. */
export interface ToolPins {
  /** Where nothing was ever kept, nothing is opened. */
  load(): Promise<readonly StoredPin[]>;
  /** The text of the approved definition. */
  definition(serverKey: string, name: string): Promise<string | undefined>;
  /** The text of the definition before the one that went through by itself. */
  previous(serverKey: string, name: string): Promise<string | undefined>;
  /** Takes note; it is written a moment later, as all below are. Texts that are not given stay as they are kept. */
  save(pin: StoredPin, texts?: PinTexts): void;
  /** Like {@link save} for many, each unless there is a decision already. */
  trust(pins: readonly TrustedPin[]): void;
  /** One tool, or all of a server. */
  forget(serverKey: string, name?: string): void;
  /** What is decided about one server holds for another as well, in place of what was. */
  copy(serverKey: string, to: string): void;
  /** Writes at once what was told so far; resolves to whether all of it is written. */
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
    condense: (changes) => changes.slice(-mostWaiting),
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
    trust: (pins) => batcher.add({ kind: 'trust', pins }, trustWithin),
    forget: (serverKey, name) => batcher.add({ kind: 'forget', serverKey, name }),
    copy: (serverKey, to) => batcher.add({ kind: 'copy', serverKey, to }),
    flush: () => batcher.flush(),
  };
}

/**
 * Milliseconds. It comes while a hub starts, of all servers one after the other, and making a database holds up the rest of them.
 * Until then it is known by what was listed (`catalogue.json`).
 */
const trustWithin = 2_000;

/** While they cannot be written. */
const mostWaiting = 20_000;

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

/** What keeps nothing makes no database. */
function write(state: StateDb, changes: readonly Change[]): Promise<void> {
  const isKept = changes.some(({ kind }) => kind === 'save' || kind === 'trust');
  const query = (db: StateQueries) =>
    db.transaction().execute(async (step) => {
      for (const change of changes) await apply(step, change);
    });
  return isKept ? state.run(query) : state.runIfThere(query, undefined);
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

/** Many rows a statement: a server has tools by the hundred, and each statement is built anew. */
async function trust(db: StateQueries, pins: readonly TrustedPin[]): Promise<void> {
  for (let start = 0; start < pins.length; start += rowsTogether) {
    const rows = pins
      .slice(start, start + rowsTogether)
      .map((pin) => toRow(pin, { definition: pin.definition() }));
    await db
      .insertInto('tool_pin')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

const rowsTogether = 50;

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
