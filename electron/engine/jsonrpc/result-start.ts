import { parsePart, readByteMessage } from './byte-message.ts';
import { createChange, isLine, splice } from './changes.ts';
import { parts } from './envelope.ts';
import { COMMA, matches, OPEN_BRACE } from './json/json-scan.ts';
import type { JsonRpcId, JsonRpcMessage } from './message.ts';
import { type MessageChanges, type MessageSource, RawMessage } from './raw-message.ts';

/**
 * Reads a result by its start alone, for lines of our own programs, which have read all of it. Returns undefined for
 * anything else, and for a result that starts in another way.
 */
export function readResultStart(line: Buffer, source?: MessageSource): RawMessage | undefined {
  const idText = resultStart.exec(line.toString('latin1', 0, maxStartLength))?.[1];
  // A line without an end may have been cut off.
  return idText === undefined || !isLine(line) ? undefined : new BegunResult(line, idText, source);
}

const maxStartLength = 256;
/** Matches ids whose JSON is plain. */
const resultStart = /^\{"jsonrpc":"2\.0","id":(0|[1-9]\d{0,14}|"[ !#-[\]-~]*"),"result":/;
const idStart = '{"jsonrpc":"2.0","id":'.length;

/** A result whose id and last member are known; the rest is read only if somebody asks for it. */
class BegunResult extends RawMessage {
  readonly kind = 'result';
  readonly id: JsonRpcId;
  readonly idText: string;
  readonly source: MessageSource | undefined;
  readonly #received: Buffer;
  /** The id as received. */
  readonly #receivedId: string;
  #line: Buffer | undefined;
  #whole: RawMessage | undefined;

  constructor(received: Buffer, receivedId: string, source?: MessageSource, idText: string = receivedId) {
    super();
    this.id = parsePart(idText) as JsonRpcId;
    this.idText = idText;
    this.source = source;
    this.#received = received;
    this.#receivedId = receivedId;
  }

  get method(): undefined {
    return undefined;
  }

  get params(): undefined {
    return undefined;
  }

  get paramsBytes(): undefined {
    return undefined;
  }

  get argumentsBytes(): undefined {
    return undefined;
  }

  get error(): undefined {
    return undefined;
  }

  get value(): JsonRpcMessage {
    return this.#read.value;
  }

  get result(): unknown {
    return this.#read.result;
  }

  get resultBytes(): Buffer | undefined {
    return this.#read.resultBytes;
  }

  get resultType(): string | undefined {
    return endsComplete(this.#received) ? '"complete"' : this.#read.resultType;
  }

  get resultMeta(): string | undefined {
    return this.#read.resultMeta;
  }

  get byteLength(): number {
    return this.#received.length + Buffer.byteLength(this.idText) - this.#receivedId.length;
  }

  param(): undefined {
    return undefined;
  }

  paramText(): undefined {
    return undefined;
  }

  with({ id }: MessageChanges): RawMessage {
    return new BegunResult(this.#received, this.#receivedId, undefined, id ?? this.idText);
  }

  line(): Buffer {
    if (this.idText === this.#receivedId) return this.#received;
    const end = idStart + this.#receivedId.length;
    this.#line ??= splice(this.#received, [createChange(parts.id, idStart, end, this.idText)]);
    return this.#line;
  }

  get #read(): RawMessage {
    this.#whole ??= readByteMessage(this.line());
    if (this.#whole === undefined) throw new Error('A result cannot be read');
    return this.#whole;
  }
}

/**
 * Tells whether the last member of a result says that it is complete, as in most of a stateless server. Inside of a text
 * the quotes would be escaped.
 */
function endsComplete(line: Buffer): boolean {
  const start = line.length - completeEnd.length;
  const before = line[start - 1];
  return matches(line, start, completeEnd) && (before === COMMA || before === OPEN_BRACE);
}

const completeEnd = '"resultType":"complete"}}\n';
