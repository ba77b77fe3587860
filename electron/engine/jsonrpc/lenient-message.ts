import { isDeeperThan, parseJson } from '../../../shared/json.ts';
import { createResult, readByteMessage } from './byte-message.ts';
import { type PartOffsets, parts, scanEnvelope } from './envelope.ts';
import {
  BACKSLASH,
  BROKEN,
  CLOSE_BRACKET,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  skipSpace,
  skipValue,
} from './json/json-scan.ts';
import { elementSpans, type Span } from './json/json-spans.ts';
import type { JsonRpcMessage } from './message.ts';
import { isLogRecord, looksLikeMessage, messageKind, type UncheckedEnvelope } from './message-kind.ts';
import { ObjectMessage } from './object-message.ts';
import type { MessageSource, RawMessage } from './raw-message.ts';
import { type EnvelopeRepair, type MessageSender, repairEnvelope } from './repair-envelope.ts';

/**
 * Reads a line that is not exactly one valid JSON-RPC message. Invalid envelopes are repaired while the
 * payload keeps its bytes; several messages on one line and arrays sent by a server are split. A message that
 * stays ambiguous is `invalid`. Returns an empty list if nothing was meant as a message.
 */
export function readLenientMessages(
  line: Buffer,
  sender: MessageSender,
  source?: MessageSource,
): readonly RawMessage[] {
  const bytes = sender === 'server' ? unquoted(withoutPrefix(line)) : withoutPrefix(line);
  return valuesOf(bytes, valueSpans(bytes))
    .flatMap((value) => (sender === 'server' && value[0] === OPEN_BRACKET ? elementsOf(value) : [value]))
    .map((value) => readByteMessage(value, source) ?? readLenient(value, sender, source))
    .filter(({ kind }) => kind !== 'noise');
}

/** Returns the content of a line that is a JSON text with a message in it. */
function unquoted(line: Buffer): Buffer {
  const text =
    line[0] === QUOTE && messageText.test(line.toString('latin1', 0, maxPrefixBytes)) ? line : undefined;
  const inner = text && parseJson(text.toString('utf8'));
  return typeof inner === 'string' ? Buffer.from(inner) : line;
}

const messageText = /^"\s{0,8}\{.{0,200}\\"jsonrpc\\"/;

/** Checks whether the bytes are one or more complete JSON objects or arrays, with nothing after the last. */
export function areCompleteValues(bytes: Buffer): boolean {
  const rest = withoutPrefix(bytes);
  const end = valueSpans(rest).at(-1)?.end;
  return end !== undefined && skipGap(rest, end) === rest.length;
}

/** Returns the position of the text behind the values of a line; undefined if there is none. */
export function textBehindValues(line: Buffer): number | undefined {
  const bytes = withoutPrefix(line);
  const end = valueSpans(bytes).at(-1)?.end;
  const rest = end === undefined ? bytes.length : skipGap(bytes, end);
  return rest === bytes.length ? undefined : line.length - bytes.length + rest;
}

/**
 * Returns a line without the NUL bytes and the byte order marks between its values, where JSON has none; the same
 * line if there are none.
 */
export function withoutStrayMarks(line: Buffer): Buffer {
  if (!line.includes(0) && !line.includes(byteOrderMark)) return line;
  const kept = Buffer.alloc(line.length);
  let length = 0;
  let isQuoted = false;
  let isEscaped = false;
  for (let position = 0; position < line.length; position += 1) {
    const byte = line[position] ?? 0;
    const isMark = byte === 0xef && line[position + 1] === 0xbb && line[position + 2] === 0xbf;
    if (byte === QUOTE && !isEscaped) isQuoted = !isQuoted;
    isEscaped = isQuoted && byte === BACKSLASH && !isEscaped;
    if (isMark && !isQuoted) position += 2;
    else if (byte !== 0) length = kept.writeUInt8(byte, length);
  }
  return kept.subarray(0, length);
}

const byteOrderMark = Buffer.from('\uFEFF');

/** Reads one value; its kind is `noise` if it was never meant as a message. */
export function readLenient(bytes: Buffer, sender: MessageSender, source?: MessageSource): RawMessage {
  return repairBytes(bytes, sender, source) ?? repairValue(bytes, sender);
}

/** Returns undefined if only a full parse can decide, or if the envelope cannot be repaired. */
function repairBytes(bytes: Buffer, sender: MessageSender, source?: MessageSource): RawMessage | undefined {
  const offsets = scanEnvelope(bytes);
  if (offsets?.[parts.jsonrpc] === -1 && isLogRecord(parseJson(bytes.toString('utf8')))) return undefined;
  const envelope = offsets && envelopeOf(bytes, offsets);
  if (offsets === undefined || !looksLikeMessage(envelope)) return undefined;
  const repair = repairEnvelope(envelope, sender);
  if (repair === undefined) return undefined;
  const repaired = repairedBytes(bytes, offsets, repair);
  return repair.kind === 'result' && repair.id === null
    ? createResult(repaired, null, source)
    : readByteMessage(repaired, source);
}

/** Handles duplicate members and names written with escapes. */
function repairValue(bytes: Buffer, sender: MessageSender): RawMessage {
  const value = parseJson(bytes.toString('utf8')) as UncheckedEnvelope;
  const kind = isLogRecord(value) ? 'noise' : messageKind(value);
  // Printing such a message again would exhaust the stack.
  if (kind !== 'noise' && isDeeperThan(value, maxPrintDepth))
    return new ObjectMessage(value as JsonRpcMessage, 'invalid');
  const repair = kind === 'invalid' && !Array.isArray(value) ? repairEnvelope(value, sender) : undefined;
  if (repair === undefined) return new ObjectMessage(value as JsonRpcMessage, kind);
  return new ObjectMessage(repairedValue(value, repair), repair.kind);
}

/** Maximum nesting of a message that is parsed as a whole; printing uses stack space for each level. */
const maxPrintDepth = 500;

/**
 * Strips what a program may write before its first message: a byte order mark, or terminal control sequences.
 */
export function withoutPrefix(line: Buffer): Buffer {
  const prefix = prefixes.exec(line.toString('latin1', 0, maxPrefixBytes))?.[0] ?? '';
  return line.subarray(prefix.length);
}

const maxPrefixBytes = 256;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
const prefixes = /^(?:\xef\xbb\xbf|\x00|\x1b\[[0-9;?]*[A-Za-z]|\s)+/;

/** Skips what separates messages: white space, and the NUL that some programs write after each. */
function skipGap(bytes: Buffer, at: number): number {
  let position = skipSpace(bytes, at);
  while (bytes[position] === 0) position = skipSpace(bytes, position + 1);
  return position;
}

/** Returns the consecutive JSON values, up to the first byte that does not belong to one. */
function valueSpans(bytes: Buffer): readonly Span[] {
  const spans: Span[] = [];
  let start = skipSpace(bytes, 0);
  while (bytes[start] === OPEN_BRACE || bytes[start] === OPEN_BRACKET) {
    const end = skipValue(bytes, start);
    if (end === BROKEN) break;
    spans.push({ start, end });
    start = skipGap(bytes, end);
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
function envelopeOf(bytes: Buffer, offsets: PartOffsets): UncheckedEnvelope {
  const read = (part: number) => parseBytes(partOf(bytes, offsets, part));
  const peek = (part: number) => placeholderFor(partOf(bytes, offsets, part));
  const envelope = {
    jsonrpc: read(parts.jsonrpc),
    id: read(parts.id),
    method: read(parts.method),
    params: peek(parts.params),
    result: peek(parts.result),
    error: read(parts.error),
  };
  return Object.fromEntries(Object.entries(envelope).filter(([, value]) => value !== undefined));
}

function parseBytes(bytes: Buffer | undefined): unknown {
  return bytes && JSON.parse(bytes.toString('utf8'));
}

/** Returns a placeholder of the same type for a value whose content does not matter. */
function placeholderFor(bytes: Buffer | undefined): unknown {
  if (bytes?.[0] === OPEN_BRACE) return {};
  if (bytes?.[0] !== OPEN_BRACKET) return parseBytes(bytes);
  return bytes[skipSpace(bytes, 1)] === CLOSE_BRACKET ? [] : [0];
}

function partOf(bytes: Buffer, offsets: PartOffsets, part: number): Buffer | undefined {
  return offsets[part] === -1 ? undefined : bytes.subarray(offsets[part], offsets[part + 1]);
}

/** Writes the message as it should have been sent. */
function repairedBytes(
  bytes: Buffer,
  offsets: PartOffsets,
  { kind, error, id, hasParams }: EnvelopeRepair,
): Buffer {
  const written: Buffer[] = [Buffer.from('{"jsonrpc":"2.0"')];
  const copy = (name: string, part: number) => {
    written.push(Buffer.from(`,"${name}":`), bytes.subarray(offsets[part], offsets[part + 1]));
  };
  if (id !== undefined) written.push(Buffer.from(`,"id":${id}`));
  else if (kind !== 'notification') copy('id', parts.id);
  if (kind === 'result') copy('result', parts.result);
  else if (kind !== 'failure') copy('method', parts.method);
  else if (error === undefined) copy('error', parts.error);
  else written.push(Buffer.from(`,"error":${JSON.stringify(error)}`));
  if (hasParams === true) copy('params', parts.params);
  return Buffer.concat([...written, Buffer.from('}')]);
}

function repairedValue(
  { id, method, params, result, error }: UncheckedEnvelope,
  repair: EnvelopeRepair,
): JsonRpcMessage {
  const repaired = {
    jsonrpc: '2.0',
    ...(repair.kind === 'notification' ? {} : { id: repair.id === undefined ? id : repair.id }),
    ...(repair.kind === 'request' || repair.kind === 'notification' ? { method } : {}),
    ...(repair.hasParams === true ? { params } : {}),
    ...(repair.kind === 'result' ? { result } : {}),
    ...(repair.kind === 'failure' ? { error: repair.error ?? error } : {}),
  };
  return repaired as unknown as JsonRpcMessage;
}
