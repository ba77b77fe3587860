import {
  addChange,
  type Change,
  changeOf,
  isChanged,
  isLine,
  lengthOfLine,
  noChanges,
  splice,
  splicePart,
} from './changes.ts';
import { metaParts, noOffsets, type PartOffsets, parts, scanEnvelope, scanMeta } from './envelope.ts';
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

/**
 * A message backed by its bytes, with or without a trailing newline. Changes are kept beside the bytes, and made in
 * one go when somebody wants the line: on the way between two eras a message is changed several times.
 */
class ByteMessage extends RawMessage {
  readonly kind: MessageKind;
  readonly id: JsonRpcId | null | undefined;
  readonly method: string | undefined;
  readonly source: MessageSource | undefined;
  readonly #bytes: Buffer;
  /** In order, none inside another. */
  readonly #changes: readonly Change[];
  #offsets: PartOffsets | undefined;
  #line: Buffer | undefined;
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
    changes = noChanges,
  ) {
    super();
    this.#bytes = bytes;
    this.#changes = changes;
    this.kind = kind;
    // The cast is safe because the kind could only be determined with a valid id.
    this.id = id as JsonRpcId | null | undefined;
    this.method = method;
    this.source = source;
    this.#offsets = offsets;
  }

  get value(): JsonRpcMessage {
    this.#value ??= JSON.parse(this.line().toString('utf8')) as JsonRpcMessage;
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
    return this.#changes.length === 0 ? this.#bytes.length : lengthOfLine(this.#bytes, this.#changes);
  }

  get idText(): string {
    return this.#text(parts.id) ?? 'null';
  }

  param(member: ParamKey): unknown {
    const text = this.paramText(member);
    return text === undefined ? undefined : parsePart(text);
  }

  paramText(member: ParamKey): string | undefined {
    if (member !== 'meta') return this.#text(parts[member]);
    this.#meta ??= this.#text(parts.meta);
    return this.#meta;
  }

  with(wanted: MessageChanges): RawMessage {
    const { id, params = {} } = wanted;
    // Nothing inside of a value can be changed after the value itself.
    if (params.metaToken !== undefined && changeOf(this.#changes, parts.meta) !== undefined)
      return this.#settled().with(wanted);
    const offsets = this.#offsetsOrScan;
    const changes = [...this.#changes];
    if (id !== undefined) addChange(changes, offsets, parts.id, id);
    for (const member of Object.keys(params) as (keyof ParamChanges)[]) {
      const text = params[member];
      if (text !== undefined) addChange(changes, offsets, parts[member], text);
    }
    const newId = id === undefined || this.id === undefined ? this.id : parsePart(id);
    return new ByteMessage(this.#bytes, this.kind, newId, this.method, undefined, offsets, changes);
  }

  line(): Buffer {
    if (this.#changes.length === 0 && isLine(this.#bytes)) return this.#bytes;
    this.#line ??= splice(this.#bytes, this.#changes);
    return this.#line;
  }

  /** The same message without changes. */
  #settled(): RawMessage {
    return new ByteMessage(this.line(), this.kind, this.id, this.method, this.source);
  }

  #part(part: number): Buffer | undefined {
    const offsets = this.#offsetsOrScan;
    if (!has(offsets, part)) return undefined;
    const [start = 0, end = 0] = [offsets[part], offsets[part + 1]];
    if (!isChanged(this.#changes, start, end)) return this.#bytes.subarray(start, end);
    return splicePart(this.#bytes, this.#changes, start, end);
  }

  #text(part: number): string | undefined {
    if (this.#changes.length > 0) {
      const { text } = changeOf(this.#changes, part) ?? {};
      if (text !== undefined) return text;
      const meta = metaParts.has(part) ? changeOf(this.#changes, parts.meta) : undefined;
      if (meta !== undefined) return metaTexts(meta.text).get(part);
      return this.#part(part)?.toString('utf8');
    }
    const offsets = this.#offsetsOrScan;
    return has(offsets, part) ? textOf(this.#bytes, offsets, part) : undefined;
  }

  /** Positions in the bytes before the changes. A result that was repaired is scanned if somebody asks. */
  get #offsetsOrScan(): PartOffsets {
    this.#offsets ??= scanEnvelope(this.#bytes);
    if (this.#offsets === undefined) throw new Error('A message was broken by splicing it');
    return this.#offsets;
  }
}

/** Returns the parts of a `_meta` that takes the place of another. The last one is kept: most requests of a client have the same. */
function metaTexts(meta: string): ReadonlyMap<number, string> {
  if (lastMeta.meta !== meta) lastMeta = { meta, texts: scanMeta(meta) };
  return lastMeta.texts;
}

let lastMeta: { readonly meta: string; readonly texts: ReadonlyMap<number, string> } = {
  meta: '{}',
  texts: new Map(),
};

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
  return has(offsets, parts.id) ? parsePart(textOf(bytes, offsets, parts.id)) : undefined;
}

function readMethod(bytes: Buffer, offsets: PartOffsets): string {
  return String(parsePart(textOf(bytes, offsets, parts.method)));
}

/** Parses JSON; ids and names, which are plain numbers and texts nearly always, without the cost of a parser. */
export function parsePart(json: string): unknown {
  const first = json.charCodeAt(0);
  if (first === QUOTE && !json.includes('\\')) return json.slice(1, -1);
  return first >= DIGIT_0 && first <= DIGIT_9 ? Number(json) : JSON.parse(json);
}

const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
