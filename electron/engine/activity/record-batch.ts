import { createHash } from 'node:crypto';
import type { AuditEntry } from './audit/audit.ts';
import type {
  ActivityBatch,
  NewRow,
  RecordAudit,
  RecordContents,
  RecordedClient,
  RecordedServer,
} from './contract.ts';

/** Bodies of a record, as sent. */
export interface Bodies {
  readonly args?: Buffer | undefined;
  /** The audit log stores the digest of this if the arguments are long; the arguments by default. */
  readonly digested?: Buffer | undefined;
  readonly result?: Buffer | undefined;
}

/** Looks up who takes part in a call. */
export interface PartyLookup {
  readonly client: (sessionId: string) => RecordedClient;
  readonly server: (serverKey: string) => RecordedServer;
}

/**
 * Gathers records for the worker, each as a line of JSON. Bodies are copied, truncated if long, so that no
 * call's buffers are kept alive; clients and servers are looked up and stored once.
 */
export class RecordBatch {
  readonly #lookup: PartyLookup;
  readonly #clients = new Map<string, RecordedClient>();
  readonly #servers = new Map<string, RecordedServer>();
  #lines: string[] = [];
  #contents: RecordContents[] = [];
  #notes: AuditEntry[] = [];
  #size = 0;
  #audited = 0;
  #count = 0;
  #number = 0;

  constructor(lookup: PartyLookup) {
    this.#lookup = lookup;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0 && this.#notes.length === 0;
  }

  /** Tells whether it should be handed over now. */
  get isFull(): boolean {
    return this.#size > maxBytes || this.#lines.length >= maxRecords;
  }

  add(row: NewRow, bodies: Bodies = {}, audit?: RecordAudit, isAuditOnly?: true): void {
    this.#addParties(row);
    const { args, digested = args, result } = bodies;
    const maxResult = isAuditOnly ? maxSummarized : maxBody;
    const isResultCut = result !== undefined && result.length > maxResult;
    // A name that no server has given may contain anything.
    const isNamed = row.serverKey !== undefined && row.method !== 'resources/read';
    // Spread syntax with members after it costs 8 µs a call: V8 builds a dictionary.
    const record = Object.assign({}, row, {
      text: undefined,
      name: isNamed ? row.name : undefined,
      audit,
      isAuditOnly,
      areArgumentsCut: (args?.length ?? 0) > maxArguments || undefined,
      isResultCut: isResultCut || undefined,
      hasFailed: (isResultCut && endsAsError(result)) || undefined,
    });
    const contents = {
      args: args?.toString('utf8', 0, maxArguments),
      digest: audit && digested && (args?.length ?? 0) > maxBody ? digestOf(digested) : undefined,
      result: result?.toString('utf8', 0, maxResult),
      text: row.text,
      name: isNamed ? undefined : row.name,
    };
    this.#lines.push(JSON.stringify(record));
    this.#contents.push(contents);
    this.#size += recordBytes + sizeOf(contents);
    if (audit !== undefined) this.#audited += 1;
    if (row.kind === 'call' || row.kind === 'question') this.#count += 1;
  }

  note(note: AuditEntry): void {
    this.#notes.push(note);
    this.#audited += 1;
  }

  /** Returns everything gathered so far, and empties the batch. */
  take(): ActivityBatch {
    this.#number += 1;
    const clients = JSON.stringify([...this.#clients]);
    const servers = JSON.stringify([...this.#servers]);
    const taken = {
      number: this.#number,
      count: this.#count,
      audited: this.#audited,
      notes: this.#notes,
      records: `{"clients":${clients},"servers":${servers},"records":[${this.#lines.join(',')}]}`,
      contents: this.#contents,
      size: this.#size,
    };
    this.#clients.clear();
    this.#servers.clear();
    [this.#lines, this.#contents, this.#notes] = [[], [], []];
    [this.#size, this.#audited, this.#count] = [0, 0, 0];
    return taken;
  }

  /** Looks up again what was not known yet. */
  #addParties({ clientId, serverKey }: NewRow): void {
    if (clientId !== undefined && this.#clients.get(clientId)?.clientName === undefined)
      this.#clients.set(clientId, this.#lookup.client(clientId));
    if (serverKey !== undefined && this.#servers.get(serverKey)?.serverProtocol === undefined)
      this.#servers.set(serverKey, this.#lookup.server(serverKey));
  }
}

/** Returns the batch without bodies, when there is no room for them. */
export function withoutBodies(batch: ActivityBatch): ActivityBatch {
  const contents = batch.contents.map(({ text, name }) => ({ text, name }));
  const bodies = batch.contents.reduce((sum, each) => sum + sizeOf(each), 0);
  return { ...batch, contents, size: batch.size - bodies, isPartial: true };
}

/** Small enough that handing over a batch does not hold up a call. */
const maxRecords = 200;
const maxBytes = 1024 * 1024;
/** Approximate bytes of a record without its bodies. */
const recordBytes = 256;

/** Bytes of a body that are examined. */
const maxBody = 64 * 1024;
/** Bytes of arguments that are examined: more, since the answer may repeat a secret from their end. */
const maxArguments = 256 * 1024;
/** Bytes of arguments that are digested, as written, when they are longer than a body may be. */
const maxDigested = 1024 * 1024;
/**
 * Bytes that the summary of a result is made from: a string that is cut off may end with half a secret, and
 * is left out.
 */
const maxSummarized = 8 * 1024;
const endLength = 256;
const errorAtEnd = /"isError"\s*:\s*true/;

function endsAsError(result: Buffer): boolean {
  return errorAtEnd.test(result.toString('latin1', result.length - endLength));
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes.subarray(0, maxDigested)).digest('hex');
}

function sizeOf({ args, result }: RecordContents): number {
  return (args?.length ?? 0) + (result?.length ?? 0);
}
