import type { ConnectLine, JournalLine } from './journal-line.ts';

/** The state of one file of one client, from the journal. */
export interface Connection {
  readonly id: string;
  readonly file: string;
  /** The writes of our entry since the file was last without it, oldest first. */
  readonly writes: readonly [ConnectLine, ...ConnectLine[]];
  /** False while the outcome of the last write is unknown, because this program was killed during it. */
  readonly settled: boolean;
  readonly status: 'connected' | 'wiped' | 'changed';
  /** Time at which the status began. */
  readonly since: number;
  readonly wipes: number;
}

/** The journal's state of one client. */
export interface ClientRecord {
  readonly connections: readonly Connection[];
  readonly chosen?: string;
  readonly proof?: { readonly ok: boolean; readonly at: number; readonly tools?: number | undefined };
}

type Records = ReadonlyMap<string, ClientRecord>;

const empty: ClientRecord = { connections: [] };

/** Reduces the journal to the current state of each client. */
export function foldJournal(lines: readonly JournalLine[]): Records {
  const records = new Map<string, ClientRecord>();
  const failed = new Set(
    lines.flatMap((line) => (line.action === 'settled' && !line.ok ? [line.write] : [])),
  );
  for (const line of lines) {
    if ('write' in line && failed.has(line.write)) continue;
    records.set(line.id, withLine(records.get(line.id) ?? empty, line));
  }
  return records;
}

export function recordOf(records: Records, id: string): ClientRecord {
  return records.get(id) ?? empty;
}

function withLine(record: ClientRecord, line: JournalLine): ClientRecord {
  switch (line.action) {
    case 'connect':
      return withConnection(record, line.file, (known) => withConnect(known, line));
    case 'settled':
      return withConnection(record, line.file, (known) => known && { ...known, settled: true });
    case 'wiped':
      return withConnection(record, line.file, (known) => known && withStatus(known, 'wiped', line.at));
    case 'changed':
      return withConnection(record, line.file, (known) => known && withStatus(known, 'changed', line.at));
    case 'found-again':
      return withConnection(
        record,
        line.file,
        (known) => known && { ...known, status: 'connected', since: line.at },
      );
    case 'undo':
    case 'forgotten':
      return withConnection(record, line.file, () => undefined);
    case 'taken-out':
      return record;
    case 'put-back':
      return withConnection(record, line.file, (known) => known && withoutWrite(known, line.of));
    case 'chosen':
      return { ...record, chosen: line.file };
    case 'unchosen': {
      const { chosen: _, ...rest } = record;
      return rest;
    }
    case 'proved': {
      const { ok, at, tools } = line;
      return { ...record, proof: { ok, at, tools } };
    }
  }
}

function withConnection(
  record: ClientRecord,
  file: string,
  change: (known: Connection | undefined) => Connection | undefined,
): ClientRecord {
  const known = record.connections.find((connection) => connection.file === file);
  const next = change(known);
  const others = record.connections.filter((connection) => connection.file !== file);
  return { ...record, connections: next === undefined ? others : [...others, next] };
}

function withConnect(known: Connection | undefined, line: ConnectLine): Connection {
  return {
    id: line.id,
    file: line.file,
    writes: known === undefined ? [line] : [...known.writes, line],
    settled: false,
    status: 'connected',
    since: line.at,
    wipes: known?.wipes ?? 0,
  };
}

/** Removes a write that was undone, and keeps the others. */
function withoutWrite(known: Connection, of: string | undefined): Connection {
  const [first, ...others] = known.writes.filter(({ write }) => write !== of);
  return first === undefined ? known : { ...known, writes: [first, ...others] };
}

function withStatus(known: Connection, status: 'wiped' | 'changed', at: number): Connection {
  return { ...known, status, since: at, wipes: known.wipes + (status === 'wiped' ? 1 : 0) };
}
