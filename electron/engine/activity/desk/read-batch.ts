import type { ActivityRow } from '../../../../shared/model/activity.ts';
import type { MaskedJson } from '../../base/mask-json.ts';
import { memberSpans } from '../../rpc/json-spans.ts';
import type { ActivityEntry } from '../../store/state/activity.ts';
import type { BodyPart, RecordHead } from '../contract.ts';
import type { Masking, RecordMasking } from './masking.ts';

/** What is to be kept of a batch, numbered from `first` on, with nothing secret left in it. */
export function readBatch(
  heads: string,
  bodies: Uint8Array,
  masking: Masking,
  first: number,
): readonly ActivityEntry[] {
  const records: readonly RecordHead[] = JSON.parse(heads);
  const bytes = Buffer.from(bodies.buffer, bodies.byteOffset, bodies.length);
  let at = 0;
  const take = (part: BodyPart | undefined) => {
    const start = at;
    at += part?.length ?? 0;
    return part && bytes.subarray(start, at);
  };
  return records.map((record, index) => {
    const { args, result } = record;
    return toEntry(record, take(args), take(result), masking.one(), first + index);
  });
}

function toEntry(
  { args, result, ...head }: RecordHead,
  argBytes: Buffer | undefined,
  resultBytes: Buffer | undefined,
  masking: RecordMasking,
  id: number,
): ActivityEntry {
  const shownArgs = argBytes && masking.json(argumentsIn(head.method, argBytes), args?.isBeginning === true);
  const shownResult = resultBytes && masking.json(resultBytes, result?.isBeginning === true);
  const hasFailed = shownResult?.isError === true || result?.isError === true;
  const outcome = hasFailed && head.outcome === 'ok' ? 'tool-error' : head.outcome;
  return {
    row: toRow({ ...head, outcome }, shownResult, masking, id),
    arguments: shownArgs?.text,
    result: shownResult?.text,
    isCut: shownArgs?.isCut === true || shownResult?.isCut === true,
  };
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
