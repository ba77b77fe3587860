import { type Places, parts, scanEnvelope } from './envelope.ts';
import { matches } from './json-scan.ts';
import type { JsonRpcErrorObject, JsonRpcId, JsonRpcMessage } from './message.ts';
import { isErrorObject, isId, type MessageKind } from './message-kind.ts';
import { cut, joined, type Pieces, sizeOf } from './pieces.ts';
import {
  type Changes,
  type MessageSource,
  type Param,
  type ParamChanges,
  RawMessage,
} from './raw-message.ts';
import { type Replacement, splice } from './splice.ts';

type Params = Readonly<Record<string, unknown>>;

/** The message that these bytes are; undefined if they are none, or one that only a full parse may judge. */
export function readByteMessage(bytes: Buffer, source?: MessageSource): RawMessage | undefined {
  const places = scanEnvelope(bytes);
  if (places === undefined || !isVersion2(bytes, places)) return undefined;
  const id = readId(bytes, places);
  if (has(places, parts.method)) {
    const kind = callKind(bytes, places, id);
    return kind && new ByteMessage([bytes], kind, id, readMethod(bytes, places), source, places);
  }
  const kind = answerKind(bytes, places, id);
  return kind && new ByteMessage([bytes], kind, id, undefined, source, places);
}

/** The result that these pieces are known to be. */
export function resultFrom(pieces: Pieces, id: JsonRpcId, source?: MessageSource): RawMessage {
  return new ByteMessage(pieces, 'result', id, undefined, source);
}

/** A message that is there as bytes, with or without its newline. */
class ByteMessage extends RawMessage {
  readonly kind: MessageKind;
  readonly id: JsonRpcId | null | undefined;
  readonly method: string | undefined;
  readonly source: MessageSource | undefined;
  #pieces: Pieces;
  #places: Places | undefined;
  #value: JsonRpcMessage | undefined;

  constructor(
    pieces: Pieces,
    kind: MessageKind,
    id: unknown,
    method: string | undefined,
    source?: MessageSource,
    places?: Places,
  ) {
    super();
    this.#pieces = pieces;
    this.kind = kind;
    // What else it may be has been ruled out together with the kind.
    this.id = id as JsonRpcId | null | undefined;
    this.method = method;
    this.source = source;
    this.#places = places;
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

  get paramsPieces(): Pieces | undefined {
    return this.#part(parts.params);
  }

  get argumentsPieces(): Pieces | undefined {
    return this.#part(parts.arguments);
  }

  get resultPieces(): Pieces | undefined {
    return this.#part(parts.result);
  }

  get size(): number {
    return sizeOf(this.#pieces);
  }

  get error(): JsonRpcErrorObject | undefined {
    return 'error' in this.value ? this.value.error : undefined;
  }

  get idText(): string {
    const length = lengthOf(this.#found, parts.id);
    // Most ids are short integers, which are quicker printed than copied.
    const printed = typeof this.id === 'number' && length < SHORT_ID ? String(this.id) : '';
    return printed.length === length ? printed : (textOf(this.#bytes, this.#found, parts.id) ?? 'null');
  }

  param(member: Param): unknown {
    const text = this.paramText(member);
    if (text === undefined) return undefined;
    const isPlain = text.startsWith('"') && !text.includes('\\');
    return isPlain ? text.slice(1, -1) : JSON.parse(text);
  }

  paramText(member: Param): string | undefined {
    return textOf(this.#bytes, this.#found, parts[member]);
  }

  with({ id, params = {} }: Changes): RawMessage {
    const replacements: Replacement[] = [];
    if (id !== undefined) this.#replace(replacements, parts.id, id);
    for (const member in params) {
      const name = member as keyof ParamChanges;
      const text = params[name];
      if (text !== undefined) this.#replace(replacements, parts[name], text);
    }
    const newId = id === undefined || this.id === undefined ? this.id : parseId(id);
    return new ByteMessage(splice(this.#bytes, replacements), this.kind, newId, this.method);
  }

  pieces(): Pieces {
    const last = this.#pieces.at(-1);
    return last?.[last.length - 1] === NEWLINE ? this.#pieces : [...this.#pieces, NEWLINES];
  }

  /** In one piece, which only a message made by splicing is not, and that is seldom read again. */
  get #bytes(): Buffer {
    const [first] = this.#pieces;
    if (this.#pieces.length === 1 && first !== undefined) return first;
    const bytes = joined(this.#pieces);
    this.#pieces = [bytes];
    return bytes;
  }

  #part(part: number): Pieces | undefined {
    const found = this.#found;
    return has(found, part) ? cut(this.#pieces, found[part] ?? 0, found[part + 1] ?? 0) : undefined;
  }

  #replace(replacements: Replacement[], part: number, text: string): void {
    const start = this.#found[part] ?? -1;
    if (start !== -1) replacements.push({ start, end: this.#found[part + 1] ?? -1, text });
  }

  /** In a message made by splicing, places are looked for only if it is read again. */
  get #found(): Places {
    this.#places ??= scanEnvelope(this.#bytes);
    if (this.#places === undefined) throw new Error('A message was broken by splicing it');
    return this.#places;
  }
}

const NEWLINE = 0x0a;
const NEWLINES = Buffer.from([NEWLINE]);
const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const SHORT_ID = 16;

function has(places: Places, part: number): boolean {
  return places[part] !== -1;
}

function lengthOf(places: Places, part: number): number {
  return Number(places[part + 1]) - Number(places[part]);
}

function textOf(bytes: Buffer, places: Places, part: number): string | undefined {
  return has(places, part) ? bytes.toString('utf8', places[part], places[part + 1]) : undefined;
}

function isVersion2(bytes: Buffer, places: Places): boolean {
  return has(places, parts.jsonrpc) && matches(bytes, places[parts.jsonrpc] ?? 0, '"2.0"');
}

function callKind(bytes: Buffer, places: Places, id: unknown): MessageKind | undefined {
  if (bytes[places[parts.method] ?? 0] !== QUOTE) return undefined;
  if (has(places, parts.result) || has(places, parts.error)) return undefined;
  if (has(places, parts.params) && bytes[places[parts.params] ?? 0] !== OPEN_BRACE) return undefined;
  if (id === undefined) return 'notification';
  return isId(id) ? 'request' : undefined;
}

/** What has both result and error, or neither, is not judged here. */
function answerKind(bytes: Buffer, places: Places, id: unknown): MessageKind | undefined {
  if (has(places, parts.result) === has(places, parts.error)) return undefined;
  if (has(places, parts.result)) return isId(id) ? 'result' : undefined;
  if (!isErrorObject(JSON.parse(textOf(bytes, places, parts.error) ?? 'null'))) return undefined;
  return isId(id) || id === null || id === undefined ? 'failure' : undefined;
}

/** Short integers need no parser. */
function readId(bytes: Buffer, places: Places): unknown {
  if (!has(places, parts.id)) return undefined;
  const start = places[parts.id] ?? 0;
  const end = places[parts.id + 1] ?? 0;
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

function readMethod(bytes: Buffer, places: Places): string {
  const start = places[parts.method] ?? 0;
  // By far the most frequent one.
  if (matches(bytes, start, '"tools/call"')) return 'tools/call';
  const text = bytes.toString('utf8', start + 1, Number(places[parts.method + 1]) - 1);
  return text.includes('\\') ? JSON.parse(`"${text}"`) : text;
}
