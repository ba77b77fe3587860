import type { ActivityRow } from '../../../../shared/model/activity.ts';
import type { MaskedJson } from '../../base/mask-json.ts';
import { memberSpans } from '../../rpc/json-spans.ts';
import type { ActivityEntry } from '../../store/state/activity.ts';
import type { AuditEntry } from '../../store/state/audit/audit.ts';
import type { AuditHead, BodyPart, RecordHead } from '../contract.ts';
import { toAuditEntry } from './audit-entry.ts';
import type { Masking, RecordMasking } from './masking.ts';
import { isProof, proofAnswer } from './proof-answer.ts';

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
    const bodies = { params: take(record.args), result: take(record.result) };
    const shown = show(record, bodies, masking.one());
    if (record.audit?.isAlone !== true) activities.push(toActivity(shown, first + activities.length));
    if (record.audit !== undefined) audits.push(toAudit(shown, record.audit));
  }
  return { activities, audits };
}

interface Bodies {
  readonly params: Buffer | undefined;
  readonly result: Buffer | undefined;
}

/** A record with its secrets taken out. */
interface Shown extends Bodies {
  readonly record: RecordHead;
  readonly masking: RecordMasking;
  readonly outcome: ActivityRow['outcome'];
  readonly shownArgs: MaskedJson | undefined;
  readonly shownResult: MaskedJson | undefined;
  readonly text: string | undefined;
}

function show(record: RecordHead, bodies: Bodies, masking: RecordMasking): Shown {
  const { args, result, method, text } = record;
  const argBytes = bodies.params && argumentsIn(method, bodies.params);
  const shownArgs = argBytes && masking.json(argBytes, args?.isBeginning === true);
  const isPrivate = record.outcome === 'ok' && isProof(method, bodies.params);
  const seen = bodies.result && masking.json(bodies.result, result?.isBeginning === true);
  const shownResult = seen && isPrivate ? proofAnswer(seen, record.answerBytes) : seen;
  const hasFailed = shownResult?.isError === true || result?.isError === true;
  const outcome = hasFailed && record.outcome === 'ok' ? 'tool-error' : record.outcome;
  const told = text ?? (outcome === 'tool-error' ? toldBy(shownResult) : undefined);
  const shownText = told === undefined ? undefined : short(masking.text(told));
  return {
    params: bodies.params,
    result: bodies.result,
    record,
    masking,
    outcome,
    shownArgs,
    shownResult,
    text: shownText,
  };
}

function toActivity(shown: Shown, id: number): ActivityEntry {
  const { shownArgs, shownResult, outcome, text, masking } = shown;
  const { args: _args, result: _result, audit: _audit, ...head } = shown.record;
  return {
    row: toRow({ ...head, outcome }, text, masking, id),
    arguments: shownArgs?.text,
    result: shownResult?.text,
    isCut: shownArgs?.isCut === true || shownResult?.isCut === true,
  };
}

function toAudit(shown: Shown, audit: AuditHead): AuditEntry {
  const { record, params, masking, outcome, shownArgs, shownResult, text } = shown;
  // What is hashed is all of it.
  const isWhole = shownArgs?.isCut !== true || params === undefined;
  const args = isWhole
    ? shownArgs?.text
    : masking.whole(argumentsIn(record.method, params), record.args?.isBeginning === true);
  return toAuditEntry(
    { head: record, audit, outcome, params, args, result: shownResult?.text, text },
    masking,
  );
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
  told: string | undefined,
  masking: RecordMasking,
  id: number,
): ActivityRow {
  const { name, clientName, fallback } = head;
  return {
    ...head,
    id,
    ...(clientName === undefined ? {} : { clientName: short(masking.text(clientName)) }),
    ...(name === undefined ? {} : { name: short(masking.text(name)) }),
    ...(fallback === undefined ? {} : { fallback: short(masking.text(fallback)) }),
    ...(told === undefined ? {} : { text: told }),
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
