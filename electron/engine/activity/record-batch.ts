import { createHash } from 'node:crypto';
import type { AuditEntry } from './audit/audit.ts';
import type { ActivityBatch, ActivityRecord, NewRow, RecordAudit, RecordBody } from './contract.ts';

/** Bodies of a record, as sent. */
export interface Bodies {
  readonly args?: Buffer | undefined;
  /** The audit log stores the digest of this if the arguments are long; the arguments by default. */
  readonly digested?: Buffer | undefined;
  readonly result?: Buffer | undefined;
}

/**
 * Gathers records for the worker. Bodies are copied, truncated if long, so that no call's buffers are kept
 * alive.
 */
export class RecordBatch {
  #records: ActivityRecord[] = [];
  #notes: AuditEntry[] = [];
  #size = 0;
  #audited = 0;
  #count = 0;
  #number = 0;

  get isEmpty(): boolean {
    return this.#records.length === 0 && this.#notes.length === 0;
  }

  /** Tells whether it should be handed over now. */
  get isFull(): boolean {
    return this.#size > maxBytes || this.#records.length >= maxRecords;
  }

  add(row: NewRow, bodies: Bodies = {}, audit?: RecordAudit, isAuditOnly = false): void {
    const { args, digested = args, result } = bodies;
    const record = {
      ...row,
      args: args && beginningOf(args, maxArguments),
      digest: audit && digested && (args?.length ?? 0) > maxBody ? digestOf(digested) : undefined,
      result: result && resultPart(result, isAuditOnly ? maxSummarized : maxBody),
      audit,
      isAuditOnly: isAuditOnly ? (true as const) : undefined,
    };
    this.#records.push(record);
    this.#size += recordBytes + lengthOfText(record.args) + lengthOfText(record.result);
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
    const taken = {
      number: this.#number,
      count: this.#count,
      audited: this.#audited,
      notes: this.#notes,
      records: this.#records,
      size: this.#size,
    };
    [this.#records, this.#notes] = [[], []];
    [this.#size, this.#audited, this.#count] = [0, 0, 0];
    return taken;
  }
}

/** Returns the batch without bodies, when there is no room for them. */
export function withoutBodies(batch: ActivityBatch): ActivityBatch {
  const records = batch.records.map(({ args: _args, digest: _digest, result: _result, ...record }) => record);
  const bodies = batch.records.reduce(
    (sum, { args, result }) => sum + lengthOfText(args) + lengthOfText(result),
    0,
  );
  return { ...batch, records, size: batch.size - bodies, isPartial: true };
}

/** Small enough that handing over a batch does not hold up a call. */
const maxRecords = 100;
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

function beginningOf(body: Buffer, maxLength: number): RecordBody {
  const text = body.toString('utf8', 0, maxLength);
  return body.length > maxLength ? { text, isBeginning: true } : { text };
}

function resultPart(result: Buffer, maxLength: number): RecordBody {
  const part = beginningOf(result, maxLength);
  return part.isBeginning && endsAsError(result) ? { ...part, isError: true } : part;
}

function endsAsError(result: Buffer): boolean {
  return errorAtEnd.test(result.toString('latin1', result.length - endLength));
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes.subarray(0, maxDigested)).digest('hex');
}

function lengthOfText(body: RecordBody | undefined): number {
  return body === undefined ? 0 : body.text.length;
}
