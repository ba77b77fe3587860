import { noOffsets, type PartOffsets, parts, scanEnvelope } from './envelope.ts';
import { matches } from './json-scan.ts';
import { scanPieces } from './long-scan.ts';
import type { JsonRpcErrorObject, JsonRpcId, JsonRpcMessage } from './message.ts';
import { isErrorObject, isId, type MessageKind } from './message-kind.ts';
import { joinPieces, type Pieces, slicePieces, totalBytes } from './pieces.ts';
import {
  type MessageChanges,
  type MessageSource,
  type ParamChanges,
  type ParamKey,
  RawMessage,
} from './raw-message.ts';
import { type Replacement, splice } from './splice.ts';

type Params = Readonly<Record<string, unknown>>;

/**
 * Reads one message. Returns undefined if the bytes are not a message, or if only a full parse can decide.
 */
export function readByteMessage(bytes: Buffer, source?: MessageSource): RawMessage | undefined {
  const offsets = scanEnvelope(bytes);
  return offsets && createMessage([bytes], offsets, bytes, offsets, source);
}

/** Reads a message in pieces without joining them. */
export function readPieces(pieces: Pieces, source?: MessageSource): RawMessage | undefined {
  const [only] = pieces;
  return only !== undefined && pieces.length === 1
    ? readByteMessage(only, source)
    : readLongMessage(pieces, source);
}

function readLongMessage(pieces: Pieces, source?: MessageSource): RawMessage | undefined {
  const offsets = scanPieces(pieces);
  if (offsets === undefined) return undefined;
  const excerpt = excerptOf(pieces, offsets);
  return createMessage(pieces, offsets, excerpt.bytes, excerpt.offsets, source);
}

/** Wraps pieces that are already known to be a result. */
export function createResult(pieces: Pieces, id: JsonRpcId | null, source?: MessageSource): RawMessage {
  return new ByteMessage(pieces, 'result', id, undefined, source);
}

/** The envelope of a message, joined into one buffer. */
interface Excerpt {
  readonly bytes: Buffer;
  readonly offsets: PartOffsets;
}

/** `bytes` and `near` describe an {@link Excerpt}, or the whole message. */
function createMessage(
  pieces: Pieces,
  offsets: PartOffsets,
  bytes: Buffer,
  envelopeOffsets: PartOffsets,
  source: MessageSource | undefined,
): RawMessage | undefined {
  if (!isVersion2(bytes, envelopeOffsets)) return undefined;
  const id = readId(bytes, envelopeOffsets);
  if (has(envelopeOffsets, parts.method)) {
    const kind = callKind(bytes, envelopeOffsets, id);
    return kind && new ByteMessage(pieces, kind, id, readMethod(bytes, envelopeOffsets), source, offsets);
  }
  const kind = responseKind(bytes, envelopeOffsets, id);
  return kind && new ByteMessage(pieces, kind, id, undefined, source, offsets);
}

function excerptOf(pieces: Pieces, offsets: PartOffsets): Excerpt {
  const envelopeOffsets = noOffsets.slice();
  const texts: Buffer[] = [];
  let end = 0;
  for (const part of [parts.jsonrpc, parts.id, parts.method, parts.error, parts.params, parts.result]) {
    if (!has(offsets, part)) continue;
    const isPayload = part === parts.params || part === parts.result;
    const start = offsets[part] ?? 0;
    const length = isPayload ? 1 : lengthOf(offsets, part);
    texts.push(...slicePieces(pieces, start, start + length));
    envelopeOffsets[part] = end;
    end += length;
    envelopeOffsets[part + 1] = end;
  }
  return { bytes: Buffer.concat(texts), offsets: envelopeOffsets };
}

/** A message backed by its bytes, with or without a trailing newline. */
class ByteMessage extends RawMessage {
  readonly kind: MessageKind;
  readonly id: JsonRpcId | null | undefined;
  readonly method: string | undefined;
  readonly source: MessageSource | undefined;
  readonly #pieces: Pieces;
  #offsets: PartOffsets | undefined;
  #value: JsonRpcMessage | undefined;

  constructor(
    pieces: Pieces,
    kind: MessageKind,
    id: unknown,
    method: string | undefined,
    source?: MessageSource,
    offsets?: PartOffsets,
  ) {
    super();
    this.#pieces = pieces;
    this.kind = kind;
    // The cast is safe because the kind could only be determined with a valid id.
    this.id = id as JsonRpcId | null | undefined;
    this.method = method;
    this.source = source;
    this.#offsets = offsets;
  }

  get value(): JsonRpcMessage {
    this.#value ??= JSON.parse(joinPieces(this.#pieces).toString('utf8')) as JsonRpcMessage;
    return this.#value;
  }

  get params(): Params | undefined {
    return 'params' in this.value ? this.value.params : undefined;
  }

  get result(): unknown {
    return 'result' in this.value ? this.value.result : undefined;
  }

  get paramsPieces(): Pieces | undefined {
    return this.#part(parts.params);
  }

  get argumentsPieces(): Pieces | undefined {
    return this.#part(parts.arguments);
  }

  get resultPieces(): Pieces | undefined {
    return this.#part(parts.result);
  }

  get byteLength(): number {
    return totalBytes(this.#pieces);
  }

  get error(): JsonRpcErrorObject | undefined {
    return 'error' in this.value ? this.value.error : undefined;
  }

  get idText(): string {
    const length = lengthOf(this.#offsetsOrScan, parts.id);
    // Printing a short integer, which most ids are, is faster than copying its bytes.
    const printed = typeof this.id === 'number' && length < SHORT_ID ? String(this.id) : '';
    return printed.length === length ? printed : (this.#text(parts.id) ?? 'null');
  }

  param(member: ParamKey): unknown {
    const text = this.paramText(member);
    if (text === undefined) return undefined;
    const isPlain = text.startsWith('"') && !text.includes('\\');
    return isPlain ? text.slice(1, -1) : JSON.parse(text);
  }

  paramText(member: ParamKey): string | undefined {
    return this.#text(parts[member]);
  }

  with({ id, params = {} }: MessageChanges): RawMessage {
    const replacements: Replacement[] = [];
    if (id !== undefined) this.#replace(replacements, parts.id, id);
    for (const member in params) {
      const name = member as keyof ParamChanges;
      const text = params[name];
      if (text !== undefined) this.#replace(replacements, parts[name], text);
    }
    const newId = id === undefined || this.id === undefined ? this.id : parseId(id);
    return new ByteMessage(splice(this.#pieces, replacements), this.kind, newId, this.method);
  }

  pieces(): Pieces {
    const last = this.#pieces.at(-1);
    return last?.[last.length - 1] === NEWLINE ? this.#pieces : [...this.#pieces, NEWLINE_BYTES];
  }

  #part(part: number): Pieces | undefined {
    const found = this.#offsetsOrScan;
    return has(found, part) ? slicePieces(this.#pieces, found[part] ?? 0, found[part + 1] ?? 0) : undefined;
  }

  #text(part: number): string | undefined {
    const [only] = this.#pieces;
    if (only !== undefined && this.#pieces.length === 1) return textOf(only, this.#offsetsOrScan, part);
    const pieces = this.#part(part);
    return pieces && joinPieces(pieces).toString('utf8');
  }

  #replace(replacements: Replacement[], part: number, text: string): void {
    const start = this.#offsetsOrScan[part] ?? -1;
    if (start !== -1) replacements.push({ start, end: this.#offsetsOrScan[part + 1] ?? -1, text });
  }

  /** Messages made by splicing are scanned only if they are read again. */
  get #offsetsOrScan(): PartOffsets {
    this.#offsets ??=
      this.#pieces.length === 1 ? scanEnvelope(joinPieces(this.#pieces)) : scanPieces(this.#pieces);
    if (this.#offsets === undefined) throw new Error('A message was broken by splicing it');
    return this.#offsets;
  }
}

const NEWLINE = 0x0a;
const NEWLINE_BYTES = Buffer.from([NEWLINE]);
const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const SHORT_ID = 16;

function has(offsets: PartOffsets, part: number): boolean {
  return offsets[part] !== -1;
}

function lengthOf(offsets: PartOffsets, part: number): number {
  return Number(offsets[part + 1]) - Number(offsets[part]);
}

function textOf(bytes: Buffer, offsets: PartOffsets, part: number): string | undefined {
  return has(offsets, part) ? bytes.toString('utf8', offsets[part], offsets[part + 1]) : undefined;
}

function isVersion2(bytes: Buffer, offsets: PartOffsets): boolean {
  return has(offsets, parts.jsonrpc) && matches(bytes, offsets[parts.jsonrpc] ?? 0, '"2.0"');
}

function callKind(bytes: Buffer, offsets: PartOffsets, id: unknown): MessageKind | undefined {
  if (bytes[offsets[parts.method] ?? 0] !== QUOTE) return undefined;
  if (has(offsets, parts.result) || has(offsets, parts.error)) return undefined;
  if (has(offsets, parts.params) && bytes[offsets[parts.params] ?? 0] !== OPEN_BRACE) return undefined;
  if (id === undefined) return 'notification';
  return isId(id) ? 'request' : undefined;
}

/** Returns undefined if there is both a result and an error, or neither. */
function responseKind(bytes: Buffer, offsets: PartOffsets, id: unknown): MessageKind | undefined {
  if (has(offsets, parts.result) === has(offsets, parts.error)) return undefined;
  if (has(offsets, parts.result)) return isId(id) ? 'result' : undefined;
  if (!isErrorObject(JSON.parse(textOf(bytes, offsets, parts.error) ?? 'null'))) return undefined;
  return isId(id) || id === null || id === undefined ? 'failure' : undefined;
}

/** Parses short integers by hand; everything else goes through JSON.parse. */
function readId(bytes: Buffer, offsets: PartOffsets): unknown {
  if (!has(offsets, parts.id)) return undefined;
  const start = offsets[parts.id] ?? 0;
  const end = offsets[parts.id + 1] ?? 0;
  let value = 0;
  for (let position = start; position < end && end - start < SHORT_ID; position += 1) {
    const digit = Number(bytes[position]) - 0x30;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
    if (position === end - 1) return value;
  }
  return JSON.parse(bytes.toString('utf8', start, end));
}

function parseId(text: string): JsonRpcId {
  const number = Number(text);
  return String(number) === text ? number : JSON.parse(text);
}

function readMethod(bytes: Buffer, offsets: PartOffsets): string {
  const start = offsets[parts.method] ?? 0;
  // Checked first because it is by far the most frequent method.
  if (matches(bytes, start, '"tools/call"')) return 'tools/call';
  const text = bytes.toString('utf8', start + 1, Number(offsets[parts.method + 1]) - 1);
  return text.includes('\\') ? JSON.parse(`"${text}"`) : text;
}
