import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ActivityRow } from '../../../../shared/model/activity/activity.ts';
import type { MaskedJson } from '../../base/mask-json.ts';
import { memberSpans } from '../../jsonrpc/json/json-spans.ts';
import type { ActivityEntry } from '../../store/state/activity.ts';
import type { AuditEntry } from '../../store/state/audit/audit.ts';
import type { ActivityWorkerInput, RecordHead } from '../contract.ts';
import { digestLength } from '../record-batch.ts';
import { auditId, known, recordFlags, recordRow, rowWidth } from '../record-row.ts';
import { summaryLength, toAuditEntry } from './audit-entry.ts';
import { connectionTestNote, isConnectionTest } from './connection-test.ts';
import type { MaskedArguments, MaskedBody, Masking } from './masking.ts';
import { ShownHead } from './shown-head.ts';

/** Entries of a batch, ready to be stored. */
export interface ReadBatch {
  readonly activities: readonly ActivityEntry[];
  readonly audits: readonly AuditEntry[];
}

type Batch = Pick<
  Extract<ActivityWorkerInput, { readonly kind: 'add' }>,
  'heads' | 'rows' | 'bodies' | 'isPartial'
>;

/**
 * Reads a batch into entries with all secrets masked; activity is numbered from `first`. Lets what is due in
 * this thread happen after each portion.
 */
export async function readBatch(batch: Batch, masking: Masking, first: number): Promise<ReadBatch> {
  const heads = (JSON.parse(batch.heads) as readonly RecordHead[]).map(
    (head) => new ShownHead(head, masking),
  );
  const bodies = new Bodies(batch);
  const activities: ActivityEntry[] = [];
  const audits: AuditEntry[] = [];
  for (let start = 0; start < batch.rows.length; start += rowWidth) {
    if (start > 0 && start % (portion * rowWidth) === 0) await nextTurn();
    const numbers = batch.rows.subarray(start, start + rowWidth);
    const head = heads[numbers[recordRow.head] ?? 0];
    if (head === undefined) throw new Error('a record has no head');
    const record = { head, numbers, flags: numbers[recordRow.flags] ?? 0, ...bodies.next(numbers) };
    const isAuditOnly = (record.flags & recordFlags.auditOnly) !== 0;
    const shown = maskRecord(record, masking, isAuditOnly);
    if (!isAuditOnly) {
      const activity = toActivity(shown, masking, first + activities.length);
      activities.push(batch.isPartial ? { ...activity, isCut: true } : activity);
    }
    const { audit } = head.head;
    const number = known(numbers[recordRow.number]);
    if (audit === undefined || number === undefined) continue;
    audits.push(toAuditEntry(shown, auditId(audit, number), masking, batch.isPartial));
  }
  return { activities, audits };
}

/** Records per portion. */
const portion = 50;

/** Reads the bodies of one record after the other. */
class Bodies {
  readonly #bytes: Buffer;
  readonly #isGone: boolean;
  #at = 0;

  constructor({ bodies, isPartial }: Batch) {
    this.#bytes = Buffer.from(bodies.buffer, bodies.byteOffset, bodies.length);
    this.#isGone = isPartial === true;
  }

  next(numbers: Float64Array): RecordBodies {
    const isDigested = ((numbers[recordRow.flags] ?? 0) & recordFlags.argsDigested) !== 0;
    const params = this.#take(numbers[recordRow.args] ?? -1);
    const digest = isDigested ? this.#take(digestLength) : undefined;
    return { params, digest, result: this.#take(numbers[recordRow.result] ?? -1) };
  }

  #take(length: number): Buffer | undefined {
    if (length < 0 || this.#isGone) return undefined;
    const start = this.#at;
    this.#at += length;
    return this.#bytes.subarray(start, this.#at);
  }
}

interface RecordBodies {
  readonly params: Buffer | undefined;
  /** Digest of the arguments if they are long. */
  readonly digest: Buffer | undefined;
  readonly result: Buffer | undefined;
}

interface Record extends RecordBodies {
  readonly head: ShownHead;
  readonly numbers: Float64Array;
  readonly flags: number;
}

/** A record with its secrets masked. */
export interface ShownRecord {
  readonly head: ShownHead;
  readonly numbers: Float64Array;
  /** As sent. */
  readonly params: Buffer | undefined;
  readonly digest: Buffer | undefined;
  readonly outcome: ActivityRow['outcome'];
  readonly shownArgs: MaskedArguments | undefined;
  readonly shownResult: MaskedBody | undefined;
  readonly text: string | undefined;
  /** Secrets found in it. */
  readonly found: readonly string[];
}

function maskRecord(
  { head, numbers, flags, params, digest, result }: Record,
  masking: Masking,
  isAuditOnly: boolean,
): ShownRecord {
  const { method, text } = head.head;
  const isBeginning = (flags & recordFlags.argsTruncated) !== 0;
  const shownArgs = params && masking.arguments(argumentsIn(method, params), isBeginning);
  const secrets = shownArgs?.found ?? none;
  const resultBegins = (flags & recordFlags.resultTruncated) !== 0;
  const masked =
    result &&
    (isAuditOnly
      ? masking.summary(result, resultBegins, secrets, summaryLength)
      : masking.result(result, resultBegins, secrets));
  const isPrivate = head.head.outcome === 'ok' && isConnectionTest(method, params);
  const answerBytes = known(numbers[recordRow.answerBytes]);
  const shownResult = masked && {
    ...(isPrivate
      ? connectionTestNote(masked, answerBytes)
      : isBeginning
        ? unsearchedAnswer(masked)
        : masked),
    found: masked.found,
  };
  const found = shownResult?.found ?? secrets;
  const hasFailed = shownResult?.isError === true || (flags & recordFlags.resultFailed) !== 0;
  const outcome = hasFailed && head.head.outcome === 'ok' ? 'tool-error' : head.head.outcome;
  const message = text ?? (outcome === 'tool-error' ? failureText(masked) : undefined);
  const shownText =
    message === undefined ? undefined : isBeginning ? unsearchedText : short(masking.text(message, found));
  return { head, numbers, params, digest, outcome, shownArgs, shownResult, text: shownText, found };
}

const none: readonly string[] = [];

function toActivity(shown: ShownRecord, masking: Masking, id: number): ActivityEntry {
  const { shownArgs, shownResult } = shown;
  return {
    row: toRow(shown, masking, id),
    arguments: shownArgs?.text,
    result: shownResult?.text,
    isCut: shownArgs?.isCut === true || shownResult?.isCut === true,
  };
}

/** Returns the arguments of a tool or prompt call; for other requests, all of their params. */
function argumentsIn(method: string | undefined, bytes: Buffer): Buffer {
  if (method !== 'tools/call' && method !== 'prompts/get') return bytes;
  const span = memberSpans(bytes, 'arguments').at(-1);
  return span === undefined ? bytes : bytes.subarray(span.start, span.end);
}

/** Names and messages come from servers and clients and may contain anything. */
function toRow(
  { head: shown, numbers, outcome, text, found }: ShownRecord,
  masking: Masking,
  id: number,
): ActivityRow {
  const { audit: _audit, clientName, fallback, ...head } = shown.head;
  const name = shown.name(found);
  const [milliseconds, requestBytes, answerBytes] = [
    known(numbers[recordRow.milliseconds]),
    known(numbers[recordRow.requestBytes]),
    known(numbers[recordRow.answerBytes]),
  ];
  return {
    ...head,
    id,
    at: numbers[recordRow.at] ?? 0,
    outcome,
    ...(milliseconds === undefined ? {} : { milliseconds }),
    ...(requestBytes === undefined ? {} : { requestBytes }),
    ...(answerBytes === undefined ? {} : { answerBytes }),
    ...(clientName === undefined ? {} : { clientName: short(masking.text(clientName, found)) }),
    ...(name === undefined ? {} : { name: short(name) }),
    ...(fallback === undefined ? {} : { fallback: short(masking.text(fallback, found)) }),
    ...(text === undefined ? {} : { text }),
  };
}

/** Replaces an answer that may repeat secrets from the unread end of the arguments. */
const unsearchedText =
  '(not stored: the arguments are too long to search for secrets that the answer may repeat)';

function unsearchedAnswer(answer: MaskedBody): MaskedJson {
  return { ...answer, text: JSON.stringify(unsearchedText), isCut: true };
}

/** Returns the first text of a failed tool's result. */
function failureText(result: MaskedJson | undefined): string | undefined {
  const value: unknown = result === undefined ? undefined : JSON.parse(result.text);
  const content =
    typeof value === 'object' && value !== null && 'content' in value ? value.content : undefined;
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  const isText = typeof first === 'object' && first !== null && 'text' in first;
  return isText && typeof first.text === 'string' ? first.text : undefined;
}

const maxText = 500;

function short(text: string): string {
  return text.length <= maxText ? text : `${text.slice(0, maxText)}…`;
}
