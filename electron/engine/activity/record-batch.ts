import { createHash } from 'node:crypto';
import { joinPieces, type Pieces, slicePieces, totalBytes } from '../jsonrpc/json/pieces.ts';
import type { RawMessage } from '../jsonrpc/raw-message.ts';
import type { CallRecord } from '../routing/contract.ts';
import type { AuditEntry } from '../store/state/audit/audit.ts';
import type { ActivityWorkerInput, AuditHead, NewRow, RecordHead } from './contract.ts';
import { recordFlags, recordRow, rowWidth } from './record-row.ts';

/** Bytes sent in one direction. */
export type Body = Pieces | undefined;

/**
 * Records on their way to the worker: shared parts once, as JSON; the rest as numbers and bytes, truncated if
 * long. Nothing is parsed, no object is created per call, and no call's buffers are kept alive.
 */
export class RecordBatch {
  #heads: RecordHead[] = [];
  #rows = new Float64Array(initialRows * rowWidth);
  #length = 0;
  #bodies = new Uint8Array(initialBodies);
  #size = 0;
  #notes: AuditEntry[] = [];
  #audited = 0;
  #count = 0;
  #number = 0;

  get isEmpty(): boolean {
    return this.#length === 0 && this.#notes.length === 0;
  }

  /** Whether it should be handed over now. */
  get isFull(): boolean {
    return this.#size > maxBytes || this.#length >= maxCalls * rowWidth;
  }

  /** Adds a head for later records; returns its index in this batch. */
  addHead(head: RecordHead): number {
    return this.#heads.push(head) - 1;
  }

  /** `number`: see {@link recordRow}. */
  addCall(head: number, call: CallRecord, number: number, isAuditOnly: boolean): void {
    const { request, answer, error, startedAt, endedAt = startedAt, humanWaitMs } = call;
    const args = paramsOf(request);
    const digested = request.argumentsPieces ?? args;
    const result = error === undefined ? answer && resultOf(answer) : jsonOf(error.toObject());
    const row = this.#row(head, startedAt, number, isAuditOnly);
    this.#rows[row + recordRow.milliseconds] = Math.max(0, endedAt - startedAt - humanWaitMs);
    this.#rows[row + recordRow.requestBytes] = request.byteLength ?? lengthOf(args);
    this.#rows[row + recordRow.answerBytes] = answer?.byteLength ?? lengthOf(result);
    this.#addBodies(row, { args, digested, result });
    this.#count += 1;
  }

  /** Adds a record that shares nothing with others. */
  add(record: NewRow, bodies: Bodies = {}, audit?: AuditOf): void {
    const { at, milliseconds, requestBytes, answerBytes, ...head } = record;
    const index = this.addHead({ ...head, audit: audit && auditHead(audit) });
    const row = this.#row(index, at, audit?.number ?? Number.NaN, audit?.isAlone === true);
    this.#rows[row + recordRow.milliseconds] = milliseconds ?? Number.NaN;
    this.#rows[row + recordRow.requestBytes] = requestBytes ?? Number.NaN;
    this.#rows[row + recordRow.answerBytes] = answerBytes ?? Number.NaN;
    this.#addBodies(row, { digested: bodies.args, ...bodies });
    if (record.kind === 'call' || record.kind === 'question') this.#count += 1;
  }

  note(note: AuditEntry): void {
    this.#notes.push(note);
    this.#audited += 1;
  }

  /** Returns everything in buffers of its own, which can be transferred, and empties the batch. */
  take(): Extract<ActivityWorkerInput, { readonly kind: 'add' }> {
    this.#number += 1;
    const taken = {
      kind: 'add',
      number: this.#number,
      count: this.#count,
      audited: this.#audited,
      notes: this.#notes,
      heads: JSON.stringify(this.#heads),
      rows: this.#rows.slice(0, this.#length),
      bodies: this.#bodies.slice(0, this.#size),
    } as const;
    this.#empty();
    return taken;
  }

  #empty(): void {
    [this.#heads, this.#notes] = [[], []];
    [this.#length, this.#size, this.#audited, this.#count] = [0, 0, 0, 0];
    // Frees what a flood has allocated.
    if (this.#rows.length > initialRows * rowWidth) this.#rows = new Float64Array(initialRows * rowWidth);
    if (this.#bodies.length > maxReusedBytes) this.#bodies = new Uint8Array(initialBodies);
  }

  #row(head: number, at: number, number: number, isAuditOnly: boolean): number {
    const row = this.#length;
    if (row + rowWidth > this.#rows.length) this.#rows = grown(this.#rows, row * 2);
    this.#length += rowWidth;
    this.#rows[row + recordRow.head] = head;
    this.#rows[row + recordRow.at] = at;
    this.#rows[row + recordRow.number] = number;
    this.#rows[row + recordRow.flags] = isAuditOnly ? recordFlags.auditOnly : 0;
    if (!Number.isNaN(number)) this.#audited += 1;
    return row;
  }

  #addBodies(row: number, { args, digested, result }: Bodies): void {
    this.#addArguments(row, args, digested);
    const flags = this.#rows[row + recordRow.flags] ?? 0;
    const maxResult = (flags & recordFlags.auditOnly) === 0 ? maxBody : maxSummarized;
    this.#rows[row + recordRow.result] = this.#addBody(result, maxResult);
    if (lengthOf(result) <= maxResult) return;
    this.#flag(row, recordFlags.resultTruncated);
    if (endsAsError(result)) this.#flag(row, recordFlags.resultFailed);
  }

  #addArguments(row: number, args: Body, digested: Body): void {
    this.#rows[row + recordRow.args] = this.#addBody(args, maxArguments);
    if (lengthOf(args) > maxArguments) this.#flag(row, recordFlags.argsTruncated);
    if (lengthOf(args) <= maxBody) return;
    if (digested === undefined || Number.isNaN(this.#rows[row + recordRow.number])) return;
    this.#flag(row, recordFlags.argsDigested);
    this.#addBody([digestOf(digested)], digestLength);
  }

  #flag(row: number, flag: number): void {
    this.#rows[row + recordRow.flags] = (this.#rows[row + recordRow.flags] ?? 0) | flag;
  }

  #addBody(body: Body, maxLength: number): number {
    if (body === undefined) return -1;
    const length = Math.min(totalBytes(body), maxLength);
    const end = this.#size + length;
    if (end > this.#bodies.length) this.#bodies = grownBytes(this.#bodies, end * 2);
    for (const piece of body) {
      if (this.#size === end) break;
      const part = piece.length <= end - this.#size ? piece : piece.subarray(0, end - this.#size);
      this.#bodies.set(part, this.#size);
      this.#size += part.length;
    }
    return length;
  }
}

export interface Bodies {
  readonly args?: Body;
  /** The audit log stores the digest of this if the arguments are long. */
  readonly digested?: Body;
  readonly result?: Body;
}

interface AuditOf {
  readonly prefix: string;
  readonly number: number;
  readonly isAlone?: true | undefined;
  readonly agent?: string | undefined;
  readonly decision?: AuditHead['decision'];
}

function auditHead({ prefix, agent, decision }: AuditOf): AuditHead {
  return { prefix, agent, ...(decision === undefined ? {} : { decision }) };
}

const maxCalls = 256;
const maxBytes = 1024 * 1024;
const initialRows = 288;
const initialBodies = 64 * 1024;
const maxReusedBytes = 256 * 1024;

/** Bytes of a body that are examined. */
const maxBody = 64 * 1024;
/** Bytes of arguments that are examined: more, since the answer may repeat a secret from their end. */
const maxArguments = 256 * 1024;
/** Bytes of arguments that are digested, as written, when they are longer than a body may be. */
const maxDigested = 1024 * 1024;
export const digestLength = 32;
/**
 * Bytes that the summary of a result is made from: a string that is cut off may end with half a secret, and
 * is left out.
 */
const maxSummarized = 8 * 1024;
const endLength = 256;
const errorAtEnd = /"isError"\s*:\s*true/;

function endsAsError(result: Body): boolean {
  const size = lengthOf(result);
  return errorAtEnd.test(joinPieces(slicePieces(result ?? [], size - endLength, size)).toString('latin1'));
}

function digestOf(pieces: Pieces): Buffer {
  const digest = createHash('sha256');
  for (const piece of slicePieces(pieces, 0, maxDigested)) digest.update(piece);
  return digest.digest();
}

function lengthOf(body: Body): number {
  return body === undefined ? 0 : totalBytes(body);
}

function grown(rows: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(length);
  larger.set(rows);
  return larger;
}

function grownBytes(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(bytes);
  return larger;
}

/** Returns the params of a request as bytes. */
export function paramsOf(message: RawMessage): Body {
  return message.paramsPieces ?? jsonOf(message.params);
}

/** Returns the result of an answer, or its error, as bytes. */
export function resultOf(answer: RawMessage): Body {
  return answer.resultPieces ?? jsonOf(answer.kind === 'failure' ? answer.error : answer.result);
}

export function jsonOf(value: unknown): Body {
  return value === undefined ? undefined : [Buffer.from(JSON.stringify(value))];
}
