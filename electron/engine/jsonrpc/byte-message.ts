import { noOffsets, type PartOffsets, parts, scanEnvelope, scanMeta } from './envelope.ts';
import { matches, OPEN_BRACE, QUOTE } from './json/json-scan.ts';
import type { JsonRpcErrorObject, JsonRpcId, JsonRpcMessage } from './message.ts';
import { isErrorObject, isId, type MessageKind } from './message-kind.ts';
import {
  type MessageChanges,
  type MessageSource,
  type ParamChanges,
  type ParamKey,
  RawMessage,
} from './raw-message.ts';

type Params = Readonly<Record<string, unknown>>;

/**
 * Reads one message. Returns undefined if the bytes are not a message, or if only a full parse can decide.
 */
export function readByteMessage(bytes: Buffer, source?: MessageSource): RawMessage | undefined {
  const offsets = scanEnvelope(bytes);
  if (offsets === undefined || !isVersion2(bytes, offsets)) return undefined;
  const id = readId(bytes, offsets);
  const isCall = has(offsets, parts.method);
  const kind = isCall ? callKind(bytes, offsets, id) : responseKind(bytes, offsets, id);
  const method = isCall && kind !== undefined ? readMethod(bytes, offsets) : undefined;
  return kind && new ByteMessage(bytes, kind, id, method, source, offsets);
}

/**
 * Reads a result by its start alone, for lines of our own programs, which have read all of it. Returns undefined for
 * anything else, and for a result that starts in another way.
 */
export function readResultStart(line: Buffer, source?: MessageSource): RawMessage | undefined {
  const id = resultStart.exec(line.toString('latin1', 0, MAX_START_LENGTH))?.[1];
  // A line without an end may have been cut off.
  if (id === undefined || line.at(-1) !== NEWLINE) return undefined;
  return createResult(line, JSON.parse(id), source);
}

const MAX_START_LENGTH = 256;
/** Matches ids whose JSON is plain. */
const resultStart = /^\{"jsonrpc":"2\.0","id":(0|[1-9]\d{0,14}|"[ !#-[\]-~]*"),"result":/;

/** Wraps bytes that are already known to be a result. */
export function createResult(bytes: Buffer, id: JsonRpcId | null, source?: MessageSource): RawMessage {
  return new ByteMessage(bytes, 'result', id, undefined, source);
}

/** Puts a result together from JSON, without reading it; the id is JSON as well. */
export function composeResult(idText: string, result: readonly Buffer[]): RawMessage {
  const bytes = Buffer.concat([Buffer.from(`{"jsonrpc":"2.0","id":${idText},"result":`), ...result, CLOSING]);
  const offsets = noOffsets.slice();
  const idStart = '{"jsonrpc":"2.0","id":'.length;
  const idEnd = idStart + Buffer.byteLength(idText);
  const places = [
    [parts.jsonrpc, '{"jsonrpc":'.length, '{"jsonrpc":"2.0"'.length],
    [parts.id, idStart, idEnd],
    [parts.result, idEnd + ',"result":'.length, bytes.length - CLOSING.length],
  ] as const;
  for (const [part, start, end] of places) {
    offsets[part] = start;
    offsets[part + 1] = end;
  }
  return new ByteMessage(bytes, 'result', JSON.parse(idText), undefined, undefined, offsets);
}

/** Ends the line too, so that a long list is not copied for it. */
const CLOSING = Buffer.from('}\n');

/** A message backed by its bytes, with or without a trailing newline. */
class ByteMessage extends RawMessage {
  readonly kind: MessageKind;
  readonly id: JsonRpcId | null | undefined;
  readonly method: string | undefined;
  readonly source: MessageSource | undefined;
  readonly #bytes: Buffer;
  #offsets: PartOffsets | undefined;
  /** Computes the offsets from those of the message that this one was spliced from; undefined if only a scan can. */
  readonly #derive: (() => PartOffsets) | undefined;
  #value: JsonRpcMessage | undefined;
  /** Text of `params._meta`, which is asked for several times on the way to a stateless server. */
  #meta: string | undefined;

  constructor(
    bytes: Buffer,
    kind: MessageKind,
    id: unknown,
    method: string | undefined,
    source?: MessageSource,
    offsets?: PartOffsets,
    derive?: () => PartOffsets,
  ) {
    super();
    this.#derive = derive;
    this.#bytes = bytes;
    this.kind = kind;
    // The cast is safe because the kind could only be determined with a valid id.
    this.id = id as JsonRpcId | null | undefined;
    this.method = method;
    this.source = source;
    this.#offsets = offsets;
  }

  get value(): JsonRpcMessage {
    this.#value ??= JSON.parse(this.#bytes.toString('utf8')) as JsonRpcMessage;
    return this.#value;
  }

  get params(): Params | undefined {
    return 'params' in this.value ? this.value.params : undefined;
  }

  get result(): unknown {
    return 'result' in this.value ? this.value.result : undefined;
  }

  get error(): JsonRpcErrorObject | undefined {
    return 'error' in this.value ? this.value.error : undefined;
  }

  get paramsBytes(): Buffer | undefined {
    return this.#part(parts.params);
  }

  get argumentsBytes(): Buffer | undefined {
    return this.#part(parts.arguments);
  }

  get resultBytes(): Buffer | undefined {
    return this.#part(parts.result);
  }

  get resultType(): string | undefined {
    return this.#text(parts.resultType);
  }

  get resultMeta(): string | undefined {
    return this.#text(parts.resultMeta);
  }

  get byteLength(): number {
    return this.#bytes.length;
  }

  get idText(): string {
    return this.#text(parts.id) ?? 'null';
  }

  param(member: ParamKey): unknown {
    const text = this.paramText(member);
    return text === undefined ? undefined : JSON.parse(text);
  }

  paramText(member: ParamKey): string | undefined {
    if (member !== 'meta') return this.#text(parts[member]);
    this.#meta ??= this.#text(parts.meta);
    return this.#meta;
  }

  with({ id, params = {} }: MessageChanges): RawMessage {
    const offsets = this.#offsetsOrScan;
    const replacements: Replacement[] = [];
    addReplacement(replacements, offsets, parts.id, id);
    for (const member of Object.keys(params) as (keyof ParamChanges)[])
      addReplacement(replacements, offsets, parts[member], params[member]);
    const newId = id === undefined || this.id === undefined ? this.id : JSON.parse(id);
    const bytes = splice(this.#bytes, replacements);
    const derive = () => {
      const derived = shifted(offsets, replacements);
      if (params.meta !== undefined) scanMeta(bytes, derived);
      return derived;
    };
    return new ByteMessage(bytes, this.kind, newId, this.method, undefined, undefined, derive);
  }

  line(): Buffer {
    return this.#bytes.at(-1) === NEWLINE ? this.#bytes : Buffer.concat([this.#bytes, NEWLINE_BYTES]);
  }

  #part(part: number): Buffer | undefined {
    const offsets = this.#offsetsOrScan;
    return has(offsets, part) ? this.#bytes.subarray(offsets[part], offsets[part + 1]) : undefined;
  }

  #text(part: number): string | undefined {
    const offsets = this.#offsetsOrScan;
    return has(offsets, part) ? textOf(this.#bytes, offsets, part) : undefined;
  }

  /** Messages made by splicing are scanned only if they are read again. */
  get #offsetsOrScan(): PartOffsets {
    this.#offsets ??= this.#derive?.() ?? scanEnvelope(this.#bytes);
    if (this.#offsets === undefined) throw new Error('A message was broken by splicing it');
    return this.#offsets;
  }
}

const NEWLINE = 0x0a;
const NEWLINE_BYTES = Buffer.from([NEWLINE]);

/** A text that takes the place of the bytes from `start` to `end`. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly growth: number;
}

/** Adds one in its place unless the message lacks the part. */
function addReplacement(
  replacements: Replacement[],
  offsets: PartOffsets,
  part: number,
  text: string | undefined,
): void {
  const [start = -1, end = -1] = [offsets[part], offsets[part + 1]];
  if (text === undefined || start === -1) return;
  const added = { start, end, text, growth: Buffer.byteLength(text) - (end - start) };
  const index = replacements.findIndex((other) => other.start > start);
  if (index === -1) replacements.push(added);
  else replacements.splice(index, 0, added);
}

/** Makes replacements that are in order, and ends the line if it has no end yet. */
function splice(bytes: Buffer, replacements: readonly Replacement[]): Buffer {
  const isLine = bytes.at(-1) === NEWLINE;
  let length = bytes.length + (isLine ? 0 : 1);
  for (const { growth } of replacements) length += growth;
  const spliced = Buffer.allocUnsafe(length);
  let read = 0;
  let written = 0;
  for (const { start, end, text } of replacements) {
    written += bytes.copy(spliced, written, read, start);
    written += spliced.write(text, written);
    read = end;
  }
  written += bytes.copy(spliced, written, read);
  if (!isLine) spliced[written] = NEWLINE;
  return spliced;
}

/** Offsets after replacements, of which none holds another part. */
function shifted(offsets: PartOffsets, replacements: readonly Replacement[]): number[] {
  const moved = offsets.slice();
  for (const { end, growth } of replacements)
    for (let index = 0; index < moved.length; index += 1) {
      const position = offsets[index] ?? -1;
      if (position !== -1 && end <= position) moved[index] = (moved[index] ?? 0) + growth;
    }
  return moved;
}

function has(offsets: PartOffsets, part: number): boolean {
  return offsets[part] !== -1;
}

function textOf(bytes: Buffer, offsets: PartOffsets, part: number): string {
  return bytes.toString('utf8', offsets[part], offsets[part + 1]);
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
  if (!isErrorObject(JSON.parse(textOf(bytes, offsets, parts.error)))) return undefined;
  return isId(id) || id === null || id === undefined ? 'failure' : undefined;
}

function readId(bytes: Buffer, offsets: PartOffsets): unknown {
  return has(offsets, parts.id) ? JSON.parse(textOf(bytes, offsets, parts.id)) : undefined;
}

function readMethod(bytes: Buffer, offsets: PartOffsets): string {
  return JSON.parse(textOf(bytes, offsets, parts.method));
}
