import type { ActivityRow } from '../../../../shared/model/activity.ts';
import type { MaskedJson } from '../../base/mask-json.ts';
import { memberSpans } from '../../rpc/json-spans.ts';
import type { ActivityEntry } from '../../store/state/activity.ts';
import type { AuditEntry } from '../../store/state/audit/audit.ts';
import type { BodyPart, RecordHead } from '../contract.ts';
import { toAuditEntry } from './audit-entry.ts';
import type { Masking, RecordMasking } from './masking.ts';

/** What is to be kept of a batch. */
export interface ReadBatch {
  readonly activities: readonly ActivityEntry[];
  readonly audits: readonly AuditEntry[];
}

/** What is to be kept of a batch, activity numbered from `first` on, with nothing secret left in it. */
export function readBatch(heads: string, bodies: Uint8Array, masking: Masking, first: number): ReadBatch {
  const records: readonly RecordHead[] = JSON.parse(heads);
  const bytes = Buffer.from(bodies.buffer, bodies.byteOffset, bodies.length);
  let at = 0;
  const take = (part: BodyPart | undefined) => {
    const start = at;
    at += part?.length ?? 0;
    return part && bytes.subarray(start, at);
  };
  const activities: ActivityEntry[] = [];
  const audits: AuditEntry[] = [];
  for (const record of records) {
    const bodies = { args: take(record.args), result: take(record.result) };
    const read = readRecord(record, bodies, masking.one(), first + activities.length);
    if (record.audit?.isAlone !== true) activities.push(read.activity);
    if (read.audit !== undefined) audits.push(read.audit);
  }
  return { activities, audits };
}

interface Bodies {
  readonly args: Buffer | undefined;
  readonly result: Buffer | undefined;
}

function readRecord(record: RecordHead, bodies: Bodies, masking: RecordMasking, id: number) {
  const { args, result, audit, ...head } = record;
  const argBytes = bodies.args && argumentsIn(head.method, bodies.args);
  const isBeginning = args?.isBeginning === true;
  const shownArgs = argBytes && masking.json(argBytes, isBeginning);
  const shownResult = bodies.result && masking.json(bodies.result, result?.isBeginning === true);
  const hasFailed = shownResult?.isError === true || result?.isError === true;
  const outcome = hasFailed && head.outcome === 'ok' ? 'tool-error' : head.outcome;
  const row = toRow({ ...head, outcome }, shownResult, masking, id);
  const activity: ActivityEntry = {
    row,
    arguments: shownArgs?.text,
    result: shownResult?.text,
    isCut: shownArgs?.isCut === true || shownResult?.isCut === true,
  };
  if (audit === undefined) return { activity };
  // What is hashed is all of it.
  const whole =
    shownArgs?.isCut === true && argBytes ? masking.whole(argBytes, isBeginning) : shownArgs?.text;
  const known = { head: record, audit, outcome, params: bodies.args, args: whole, result: shownResult?.text };
  return { activity, audit: toAuditEntry({ ...known, text: row.text }, masking) };
}

/** What a tool or prompt was called with; of other requests, all that was said. */
function argumentsIn(method: string | undefined, bytes: Buffer): Buffer {
  if (method !== 'tools/call' && method !== 'prompts/get') return bytes;
  const span = memberSpans(bytes, 'arguments').at(-1);
  return span === undefined ? bytes : bytes.subarray(span.start, span.end);
}

/** Names and messages are told by servers and clients, and may hold anything. */
function toRow(
  head: Omit<ActivityRow, 'id'>,
  result: MaskedJson | undefined,
  masking: RecordMasking,
  id: number,
): ActivityRow {
  const { name, text, clientName, fallback } = head;
  const told = text ?? (head.outcome === 'tool-error' ? toldBy(result) : undefined);
  return {
    ...head,
    id,
    ...(clientName === undefined ? {} : { clientName: short(masking.text(clientName)) }),
    ...(name === undefined ? {} : { name: short(masking.text(name)) }),
    ...(fallback === undefined ? {} : { fallback: short(masking.text(fallback)) }),
    ...(told === undefined ? {} : { text: short(masking.text(told)) }),
  };
}

/** The first words of a tool that failed. */
function toldBy(result: MaskedJson | undefined): string | undefined {
  const value: unknown = result === undefined ? undefined : JSON.parse(result.text);
  const content =
    typeof value === 'object' && value !== null && 'content' in value ? value.content : undefined;
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  const isText = typeof first === 'object' && first !== null && 'text' in first;
  return isText && typeof first.text === 'string' ? first.text : undefined;
}

const longest = 500;

function short(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}
