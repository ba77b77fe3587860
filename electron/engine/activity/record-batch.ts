import type { RawMessage } from '../rpc/raw-message.ts';
import type { AuditEntry } from '../store/state/audit/audit.ts';
import type { AuditHead, BodyPart, DeskInput, NewRow, RecordHead } from './contract.ts';

/** What went one way: the bytes, or how to come by them where a message was never any. */
export type Body = Buffer | undefined;

/** Records on their way to the desk: heads as JSON, bodies in one buffer, long ones cut by bytes. Nothing is parsed. */
export class RecordBatch {
  readonly #heads: RecordHead[] = [];
  readonly #bodies: Buffer[] = [];
  readonly #notes: AuditEntry[] = [];
  #size = 0;
  #audited = 0;

  add(head: NewRow, args?: Body, result?: Body, audit?: AuditHead): void {
    if (audit !== undefined) this.#audited += 1;
    const longest = audit === undefined ? longestBody : longestArguments;
    const longestResult = audit?.isAlone === true ? longestSummarized : longestBody;
    // It was made for this. To spread it takes longer than all the rest.
    const parts = { args: this.#part(args, longest), result: this.#part(result, longestResult, true), audit };
    this.#heads.push(Object.assign(head, parts));
  }

  note(notes: readonly AuditEntry[]): void {
    this.#notes.push(...notes);
    this.#audited += notes.length;
  }

  /** A buffer of its own, which can change hands. */
  toInput(): Extract<DeskInput, { readonly kind: 'add' }> {
    const bodies = new Uint8Array(this.#size);
    let at = 0;
    for (const body of this.#bodies) {
      bodies.set(body, at);
      at += body.length;
    }
    const count = this.#heads.filter(({ kind }) => kind === 'call' || kind === 'question').length;
    return {
      kind: 'add',
      count,
      audited: this.#audited,
      notes: this.#notes,
      heads: JSON.stringify(this.#heads),
      bodies,
    };
  }

  #part(body: Body, longest: number, isResult = false): BodyPart | undefined {
    if (body === undefined) return undefined;
    const kept = body.length <= longest ? body : body.subarray(0, longest);
    this.#bodies.push(kept);
    this.#size += kept.length;
    if (kept === body) return { length: kept.length };
    const isError = isResult && errorAtEnd.test(body.toString('latin1', body.length - endLength));
    return { length: kept.length, isBeginning: true, ...(isError ? { isError } : {}) };
  }
}

/** Bytes of a body that are looked at. */
const longestBody = 64 * 1024;
/** Their digest is that of all of them, within reason. */
const longestArguments = 1024 * 1024;
/** What the beginning of a result is told from: the end of a cut string may be half a secret, and is left out. */
const longestSummarized = 8 * 1024;
const endLength = 256;
const errorAtEnd = /"isError"\s*:\s*true/;

/** The params of a request as bytes. */
export function paramsOf(message: RawMessage): Body {
  return message.paramsBytes ?? jsonOf(message.params);
}

/** The result of an answer, or its error, as bytes. */
export function resultOf(answer: RawMessage): Body {
  return answer.resultBytes ?? jsonOf(answer.kind === 'failure' ? answer.error : answer.result);
}

export function jsonOf(value: unknown): Body {
  return value === undefined ? undefined : Buffer.from(JSON.stringify(value));
}
