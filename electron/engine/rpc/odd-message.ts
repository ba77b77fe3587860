import { parseJson } from '../../../shared/json.ts';
import { readPieces, resultFrom } from './byte-message.ts';
import { type Places, parts, scanEnvelope } from './envelope.ts';
import { BROKEN, CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET, skipSpace, skipValue } from './json-scan.ts';
import { elementSpans, type Span } from './json-spans.ts';
import { scanPieces } from './long-scan.ts';
import { type Mend, mendEnvelope, type Speaker } from './mend-envelope.ts';
import type { JsonRpcMessage } from './message.ts';
import { isMeantAsMessage, type LooseEnvelope, messageKind } from './message-kind.ts';
import { ObjectMessage } from './object-message.ts';
import { cut, joined, type Pieces } from './pieces.ts';
import type { MessageSource, RawMessage } from './raw-message.ts';

/**
 * Reads a line that is not exactly one valid JSON-RPC message. Invalid envelopes are repaired while the
 * payload keeps its bytes; several messages on one line and arrays sent by a server are split. A message that
 * stays ambiguous is `invalid`. Returns an empty list if nothing was meant as a message.
 */
export function readOddMessages(
  line: Buffer,
  speaker: Speaker,
  source?: MessageSource,
): readonly RawMessage[] {
  const bytes = withoutPrefix(line);
  return valuesOf(bytes, valueSpans(bytes))
    .flatMap((value) => (speaker === 'server' && value[0] === OPEN_BRACKET ? elementsOf(value) : [value]))
    .map((value) => readPieces([value], source) ?? readOdd([value], speaker, source))
    .filter(({ kind }) => kind !== 'noise');
}

/** Checks whether the bytes are one or more complete JSON objects or arrays, with nothing after the last. */
export function areWholeValues(bytes: Buffer): boolean {
  const rest = withoutPrefix(bytes);
  const end = valueSpans(rest).at(-1)?.end;
  return end !== undefined && skipSpace(rest, end) === rest.length;
}

/** Reads one value; its kind is `noise` if it was never meant as a message. */
export function readOdd(pieces: Pieces, speaker: Speaker, source?: MessageSource): RawMessage {
  return mendBytes(pieces, speaker, source) ?? mendValue(joined(pieces), speaker);
}

/** Returns undefined if only a full parse can decide, or if the envelope cannot be repaired. */
function mendBytes(pieces: Pieces, speaker: Speaker, source?: MessageSource): RawMessage | undefined {
  const places = pieces.length === 1 ? scanEnvelope(joined(pieces)) : scanPieces(pieces);
  const envelope = places && envelopeOf(pieces, places);
  if (places === undefined || !isMeantAsMessage(envelope)) return undefined;
  const mend = mendEnvelope(envelope, speaker);
  if (mend === undefined) return undefined;
  const mended = mendedPieces(pieces, places, mend);
  return mend.kind === 'result' && mend.id === null
    ? resultFrom(mended, null, source)
    : readPieces(mended, source);
}

/** Handles duplicate members and names written with escapes. */
function mendValue(bytes: Buffer, speaker: Speaker): RawMessage {
  const value = parseJson(bytes.toString('utf8')) as LooseEnvelope;
  const kind = messageKind(value);
  const mend = kind === 'invalid' && !Array.isArray(value) ? mendEnvelope(value, speaker) : undefined;
  if (mend === undefined) return new ObjectMessage(value as JsonRpcMessage, kind);
  return new ObjectMessage(mendedValue(value, mend), mend.kind);
}

/**
 * Strips what a program may write before its first message: a byte order mark, or terminal control sequences.
 */
export function withoutPrefix(line: Buffer): Buffer {
  const prefix = prefixes.exec(line.toString('latin1', 0, longestPrefix))?.[0] ?? '';
  return line.subarray(prefix.length);
}

const longestPrefix = 256;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
const prefixes = /^(?:\xef\xbb\xbf|\x00|\x1b\[[0-9;?]*[A-Za-z]|\s)+/;

/** Returns the consecutive JSON values, up to the first byte that does not belong to one. */
function valueSpans(bytes: Buffer): readonly Span[] {
  const spans: Span[] = [];
  let start = skipSpace(bytes, 0);
  while (bytes[start] === OPEN_BRACE || bytes[start] === OPEN_BRACKET) {
    const end = skipValue(bytes, start);
    if (end === BROKEN) break;
    spans.push({ start, end });
    start = skipSpace(bytes, end);
  }
  return spans;
}

function valuesOf(bytes: Buffer, spans: readonly Span[]): readonly Buffer[] {
  return spans.map(({ start, end }) => bytes.subarray(start, end));
}

function elementsOf(array: Buffer): readonly Buffer[] {
  return valuesOf(array, elementSpans(array, 0));
}

/** Parses the envelope; payload members are replaced by placeholders of the same type. */
function envelopeOf(pieces: Pieces, places: Places): LooseEnvelope {
  const read = (part: number) => whole(partOf(pieces, places, part));
  const glance = (part: number) => firstOf(partOf(pieces, places, part));
  const envelope = {
    jsonrpc: read(parts.jsonrpc),
    id: read(parts.id),
    method: read(parts.method),
    params: glance(parts.params),
    result: glance(parts.result),
    error: read(parts.error),
  };
  return Object.fromEntries(Object.entries(envelope).filter(([, value]) => value !== undefined));
}

function whole(bytes: Buffer | undefined): unknown {
  return bytes && JSON.parse(bytes.toString('utf8'));
}

/** Returns a placeholder of the same type for a value whose content does not matter. */
function firstOf(bytes: Buffer | undefined): unknown {
  if (bytes?.[0] === OPEN_BRACE) return {};
  if (bytes?.[0] !== OPEN_BRACKET) return whole(bytes);
  return bytes[skipSpace(bytes, 1)] === CLOSE_BRACKET ? [] : [0];
}

function partOf(pieces: Pieces, places: Places, part: number): Buffer | undefined {
  const start = places[part] ?? -1;
  return start === -1 ? undefined : joined(cut(pieces, start, places[part + 1] ?? start));
}

/** Writes the message as it should have been sent. */
function mendedPieces(pieces: Pieces, places: Places, { kind, error, id, hasParams }: Mend): Pieces {
  const written: Buffer[] = [Buffer.from('{"jsonrpc":"2.0"')];
  const keep = (name: string, part: number) => {
    written.push(Buffer.from(`,"${name}":`), ...cut(pieces, places[part] ?? 0, places[part + 1] ?? 0));
  };
  if (id !== undefined) written.push(Buffer.from(`,"id":${id}`));
  else if (kind !== 'notification') keep('id', parts.id);
  if (kind === 'result') keep('result', parts.result);
  else if (kind !== 'failure') keep('method', parts.method);
  else if (error === undefined) keep('error', parts.error);
  else written.push(Buffer.from(`,"error":${JSON.stringify(error)}`));
  if (hasParams === true) keep('params', parts.params);
  return [...written, Buffer.from('}')];
}

function mendedValue({ id, method, params, result, error }: LooseEnvelope, mend: Mend): JsonRpcMessage {
  const mended = {
    jsonrpc: '2.0',
    ...(mend.kind === 'notification' ? {} : { id: mend.id === undefined ? id : mend.id }),
    ...(mend.kind === 'request' || mend.kind === 'notification' ? { method } : {}),
    ...(mend.hasParams === true ? { params } : {}),
    ...(mend.kind === 'result' ? { result } : {}),
    ...(mend.kind === 'failure' ? { error: mend.error ?? error } : {}),
  };
  return mended as unknown as JsonRpcMessage;
}
