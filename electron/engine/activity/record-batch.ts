import { createHash } from 'node:crypto';
import { ByteWriter } from '../base/byte-writer.ts';
import { looksLikeErrorBytes } from '../jsonrpc/error-result.ts';
import type { CallRecord } from '../routing/contract.ts';
import type { AuditEntry } from './audit/audit.ts';
import type {
  ActivityBatch,
  CallMeasures,
  NewRow,
  RecordAudit,
  RecordedClient,
  RecordedServer,
} from './contract.ts';
import { ContentsPacker, withoutBodies } from './packed-contents.ts';
import { type CallRecording, isNamed, SharedCalls } from './shared-calls.ts';

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
 * Gathers records for the worker as a list in JSON. Bodies are copied, truncated if long, so that no call's
 * buffers are kept alive; clients, servers and what calls have in common are stored once.
 */
export class RecordBatch {
  readonly #lookup: PartyLookup;
  readonly #clients = new Map<string, RecordedClient>();
  readonly #servers = new Map<string, RecordedServer>();
  /** A list of records in JSON that is not closed yet. */
  readonly #records = new ByteWriter();
  readonly #contents = new ContentsPacker();
  readonly #shared = new SharedCalls();
  #notes: AuditEntry[] = [];
  #recordCount = 0;
  #audited = 0;
  #count = 0;
  #number = 0;

  constructor(lookup: PartyLookup) {
    this.#lookup = lookup;
  }

  get isEmpty(): boolean {
    return this.#recordCount === 0 && this.#notes.length === 0;
  }

  /** Tells whether it should be handed over now. */
  get isFull(): boolean {
    return this.#contents.byteLength > maxBytes || this.#recordCount >= maxRecords;
  }

  /** Adds a call that has nothing but its measures and bodies of its own; returns false if its bodies are too long. */
  addOrdinary(
    call: CallRecord,
    { at, milliseconds, requestBytes, answerBytes }: CallMeasures,
    { args, result }: Bodies,
    recording: CallRecording,
  ): boolean {
    if (sizeOf(args) > maxBody || sizeOf(result) > maxResultOf(recording)) return false;
    const shared = this.#shared.find(call, recording) ?? this.#share(call, recording);
    this.#write(`[${shared},${at},${milliseconds},${requestBytes},${answerBytes},${call.id}]`);
    this.#contents.add(args, result);
    if (isNamed(call)) this.#contents.addTexts();
    else this.#contents.addTexts({ name: call.name });
    this.#count += 1;
    if (recording.auditPrefix !== undefined) this.#audited += 1;
    return true;
  }

  add(row: NewRow, bodies: Bodies = {}, audit?: RecordAudit, isAuditOnly?: true): void {
    this.#addParties(row.clientId, row.serverKey);
    const { args, digested = args, result } = bodies;
    const maxResult = maxResultOf({ isAuditOnly });
    const isResultCut = result !== undefined && result.length > maxResult;
    const record = {
      ...row,
      text: undefined,
      name: isNamed(row) ? row.name : undefined,
      audit,
      isAuditOnly,
      areArgumentsCut: sizeOf(args) > maxArguments || undefined,
      isResultCut: isResultCut || undefined,
      hasFailed: (isResultCut && looksLikeErrorBytes(result)) || undefined,
    };
    this.#write(JSON.stringify(record));
    this.#contents.add(args?.subarray(0, maxArguments), result?.subarray(0, maxResult));
    this.#contents.addTexts({
      digest: audit && digested && sizeOf(args) > maxBody ? digestOf(digested) : undefined,
      text: row.text,
      name: isNamed(row) ? undefined : row.name,
    });
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
    if (this.#recordCount > 0) this.#records.addText(this.#closing);
    const [records, contents] = [this.#records.take(), this.#contents.take()];
    const taken = {
      number: this.#number,
      count: this.#count,
      audited: this.#audited,
      notes: this.#notes,
      records,
      contents,
      size: records.length + contents.bytes.length,
    };
    this.#clients.clear();
    this.#servers.clear();
    this.#shared.clear();
    this.#notes = [];
    [this.#recordCount, this.#audited, this.#count] = [0, 0, 0];
    return taken;
  }

  /** Closes the list of records. */
  get #closing(): string {
    const clients = JSON.stringify([...this.#clients]);
    const servers = JSON.stringify([...this.#servers]);
    const shared = JSON.stringify(this.#shared.records);
    return `],"shared":${shared},"clients":${clients},"servers":${servers}}\n`;
  }

  #write(json: string): void {
    this.#records.addText(this.#recordCount === 0 ? opening : ',');
    this.#records.addText(json);
    this.#recordCount += 1;
  }

  #share(call: CallRecord, recording: CallRecording): number {
    this.#addParties(call.sessionId, call.serverKey);
    return this.#shared.add(call, recording);
  }

  /** Looks up again what was not known yet. */
  #addParties(clientId: string | undefined, serverKey: string | undefined): void {
    if (clientId !== undefined && this.#clients.get(clientId)?.clientName === undefined)
      this.#clients.set(clientId, this.#lookup.client(clientId));
    if (serverKey !== undefined && this.#servers.get(serverKey)?.serverProtocol === undefined)
      this.#servers.set(serverKey, this.#lookup.server(serverKey));
  }
}

/** Returns the batch without bodies, when there is no room for them. */
export function bareBatch(batch: ActivityBatch): ActivityBatch {
  const contents = withoutBodies(batch.contents);
  return { ...batch, contents, size: batch.records.length + contents.bytes.length, isPartial: true };
}

const opening = '{"records":[';
/** Small enough that handing over a batch does not hold up a call. */
const maxRecords = 200;
const maxBytes = 1024 * 1024;

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

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes.subarray(0, maxDigested)).digest('hex');
}

function sizeOf(body: Buffer | undefined): number {
  return body?.length ?? 0;
}

function maxResultOf({ isAuditOnly }: Pick<CallRecording, 'isAuditOnly'>): number {
  return isAuditOnly ? maxSummarized : maxBody;
}
