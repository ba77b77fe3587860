import { type Envelope, type Span, scanEnvelope } from './envelope.ts';
import type { JsonRpcErrorObject, JsonRpcId, JsonRpcMessage } from './message.ts';
import { isErrorObject, isId, type MessageKind } from './message-kind.ts';
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
export function readByteMessage(bytes: Buffer, source?: MessageSource): ByteMessage | undefined {
  const envelope = scanEnvelope(bytes);
  if (envelope === undefined || !isVersion2(bytes, envelope.jsonrpc)) return undefined;
  const head = envelope.method.start === -1 ? answerHead(bytes, envelope) : callHead(bytes, envelope);
  return head === undefined ? undefined : new ByteMessage(bytes, head, envelope, source);
}

interface Head {
  readonly kind: MessageKind;
  readonly id: JsonRpcId | null | undefined;
  readonly method: string | undefined;
}

/** A message that is there as bytes, with or without its newline. */
class ByteMessage extends RawMessage {
  readonly kind: MessageKind;
  readonly id: JsonRpcId | null | undefined;
  readonly method: string | undefined;
  readonly source: MessageSource | undefined;
  readonly #bytes: Buffer;
  #envelope: Envelope | undefined;
  #value: JsonRpcMessage | undefined;

  constructor(bytes: Buffer, head: Head, envelope?: Envelope, source?: MessageSource) {
    super();
    this.kind = head.kind;
    this.id = head.id;
    this.method = head.method;
    this.source = source;
    this.#bytes = bytes;
    this.#envelope = envelope;
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

  get idText(): string {
    const { start, end } = this.#spans.id;
    if (start === -1) return 'null';
    // Most ids are short integers, which are quicker printed than copied.
    const printed = typeof this.id === 'number' ? String(this.id) : '';
    return printed.length === end - start && end - start < 16
      ? printed
      : this.#bytes.toString('utf8', start, end);
  }

  param(member: Param): unknown {
    const text = this.paramText(member);
    return text === undefined ? undefined : JSON.parse(text);
  }

  paramText(member: Param): string | undefined {
    const { start, end } = this.#spans[member];
    return start === -1 ? undefined : this.#bytes.toString('utf8', start, end);
  }

  with({ id, params = {} }: Changes): RawMessage {
    const spans = this.#spans;
    const replacements: Replacement[] = [];
    if (id !== undefined) replace(replacements, spans.id, id);
    for (const member in params)
      replace(replacements, spans[member as keyof ParamChanges], params[member as keyof ParamChanges]);
    const head = {
      kind: this.kind,
      method: this.method,
      id: id === undefined || this.id === undefined ? this.id : JSON.parse(id),
    };
    return new ByteMessage(splice(this.#bytes, replacements), head);
  }

  line(): Buffer {
    if (this.#bytes[this.#bytes.length - 1] === NEWLINE) return this.#bytes;
    return Buffer.concat([this.#bytes, NEWLINES]);
  }

  /** Of a message made by splicing they are looked for only if it is read again. */
  get #spans(): Envelope {
    this.#envelope ??= scanEnvelope(this.#bytes);
    if (this.#envelope === undefined) throw new Error('A message was broken by splicing it');
    return this.#envelope;
  }
}

export type { ByteMessage };

const NEWLINE = 0x0a;
const NEWLINES = Buffer.from([NEWLINE]);

function replace(replacements: Replacement[], span: Span, text: string | undefined): void {
  if (text !== undefined && span.start !== -1) replacements.push({ span, text });
}

function isVersion2(bytes: Buffer, { start, end }: Span): boolean {
  return (
    end - start === 5 && bytes[start + 1] === 0x32 && bytes[start + 2] === 0x2e && bytes[start + 3] === 0x30
  );
}

function callHead(bytes: Buffer, { id, method, params, result, error }: Envelope): Head | undefined {
  if (bytes[method.start] !== QUOTE || result.start !== -1 || error.start !== -1) return undefined;
  if (params.start !== -1 && bytes[params.start] !== OPEN_BRACE) return undefined;
  const name = readText(bytes, method);
  if (id.start === -1) return { kind: 'notification', id: undefined, method: name };
  const read = readId(bytes, id);
  return isId(read) ? { kind: 'request', id: read, method: name } : undefined;
}

/** What has both result and error, or neither, is not judged here. */
function answerHead(bytes: Buffer, { id, result, error }: Envelope): Head | undefined {
  if ((result.start === -1) === (error.start === -1)) return undefined;
  const read = id.start === -1 ? undefined : readId(bytes, id);
  if (error.start === -1) return isId(read) ? { kind: 'result', id: read, method: undefined } : undefined;
  if (!isErrorObject(JSON.parse(bytes.toString('utf8', error.start, error.end)))) return undefined;
  const isAttributed = isId(read) || read === null || read === undefined;
  return isAttributed ? { kind: 'failure', id: read as Head['id'], method: undefined } : undefined;
}

const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;

/** Integers of up to 15 digits need no parser. */
function readId(bytes: Buffer, { start, end }: Span): unknown {
  if (end - start > 15) return JSON.parse(bytes.toString('utf8', start, end));
  let value = 0;
  for (let position = start; position < end; position += 1) {
    const digit = Number(bytes[position]) - 0x30;
    if (digit < 0 || digit > 9) return JSON.parse(bytes.toString('utf8', start, end));
    value = value * 10 + digit;
  }
  return value;
}

function readText(bytes: Buffer, { start, end }: Span): string {
  const text = bytes.toString('utf8', start + 1, end - 1);
  return text.includes('\\') ? JSON.parse(`"${text}"`) : text;
}
