import type { ActivityRow } from '../../../../shared/model/activity.ts';
import { type MaskedJson, maskJson } from '../../base/mask-json.ts';
import { maskText } from '../../base/mask-text.ts';
import { memberSpans } from '../../rpc/json-spans.ts';
import type { ActivityEntry } from '../../store/state/activity.ts';
import type { Redact } from '../../supervise/redact.ts';
import type { BodyPart, RecordHead } from '../contract.ts';

/** What is to be kept of a batch, numbered from `first` on, with nothing secret left in it. */
export function readBatch(
  heads: string,
  bodies: Uint8Array,
  redact: Redact,
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
    return toEntry(record, take(args), take(result), redact, first + index);
  });
}

function toEntry(
  { args, result, ...head }: RecordHead,
  argBytes: Buffer | undefined,
  resultBytes: Buffer | undefined,
  redact: Redact,
  id: number,
): ActivityEntry {
  const shownArgs = argBytes && mask(argumentsIn(head.method, argBytes), args, redact);
  const shownResult = resultBytes && mask(resultBytes, result, redact);
  const hasFailed = shownResult?.isError === true || result?.isError === true;
  const outcome = hasFailed && head.outcome === 'ok' ? 'tool-error' : head.outcome;
  return {
    row: toRow({ ...head, outcome }, shownResult, redact, id),
    arguments: shownArgs?.text,
    result: shownResult?.text,
    isCut: shownArgs?.isCut === true || shownResult?.isCut === true,
  };
}

function mask(bytes: Buffer, part: BodyPart | undefined, redact: Redact): MaskedJson {
  return maskJson(bytes.toString('utf8'), { redact, isBeginning: part?.isBeginning === true });
}

/** What a tool or prompt was called with; of other requests, all that was said. */
function argumentsIn(method: string | undefined, bytes: Buffer): Buffer {
  if (method !== 'tools/call' && method !== 'prompts/get') return bytes;
  const span = memberSpans(bytes, 'arguments').at(-1);
  return span === undefined ? bytes : bytes.subarray(span.start, span.end);
}

/** Names are told by servers and clients, and may hold anything. */
function toRow(
  head: Omit<ActivityRow, 'id'>,
  result: MaskedJson | undefined,
  redact: Redact,
  id: number,
): ActivityRow {
  const { name, text, clientName } = head;
  const told = text ?? (head.outcome === 'tool-error' ? toldBy(result) : undefined);
  return {
    ...head,
    id,
    ...(clientName === undefined ? {} : { clientName: short(redact(clientName)) }),
    ...(name === undefined ? {} : { name: short(maskText(redact(name))) }),
    ...(told === undefined ? {} : { text: short(maskText(redact(told))) }),
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
