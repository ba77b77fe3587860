import { readByteMessage } from '../../jsonrpc/byte-message.ts';
import { OPEN_BRACKET, skipSpace } from '../../jsonrpc/json/json-scan.ts';
import { elementSpans } from '../../jsonrpc/json/json-spans.ts';
import { readLenient } from '../../jsonrpc/lenient-message.ts';
import type { JsonRpcId } from '../../jsonrpc/message.ts';
import { isId } from '../../jsonrpc/message-kind.ts';
import type { MessageSource, RawMessage } from '../../jsonrpc/raw-message.ts';
import type { WireMessage } from '../../jsonrpc/read-message.ts';

/** Exceeds what any known client sends in one batch, and is still small enough to process in one go. */
export const maxInBatch = 1000;

/** Answers to one batch; they are sent together. */
interface Batch {
  unanswered: number;
  readonly answers: Buffer[];
}

/**
 * Handles a client's batches on a stream. Only revision 2025-03-26 and earlier have batches; from a client of
 * a later revision, or before `initialize`, a batch is an invalid message.
 */
export class Batches {
  /** Keyed by the ids of requests that are still unanswered. */
  readonly #open = new Map<JsonRpcId, Batch>();
  #isAccepted = false;

  /**
   * Returns the messages of a batch, byte for byte; undefined if the line is not a batch or batches are not
   * accepted.
   */
  read(line: Buffer, source: MessageSource): readonly RawMessage[] | undefined {
    if (!this.#isAccepted) return undefined;
    const start = skipSpace(line, 0);
    if (line[start] !== OPEN_BRACKET) return undefined;
    const spans = elementSpans(line, start, maxInBatch + 1);
    if (spans.length === 0 || spans.length > maxInBatch) return undefined;
    const messages = spans.map(({ start: from, end }) => {
      const element = line.subarray(from, end);
      return readByteMessage(element, source) ?? readLenient(element, 'client', source);
    });
    this.#begin(messages);
    return messages;
  }

  /** Records a message from the client, alone or in a batch. Cancelling a request may complete its batch. */
  received(message: RawMessage): Buffer | undefined {
    const { method } = message;
    if (method === 'initialize') this.#isAccepted = hasBatches(message.params?.protocolVersion);
    if (method !== 'notifications/cancelled' || this.#open.size === 0) return undefined;
    const id = message.params?.requestId;
    const batch = isId(id) ? this.#take(id) : undefined;
    return batch?.unanswered === 0 && batch.answers.length > 0 ? batchLine(batch.answers) : undefined;
  }

  /**
   * Returns the line to write for a message: the message itself, the whole batch if this is its last answer,
   * or nothing while the batch is incomplete.
   */
  lineFor(message: WireMessage, line: Buffer): Buffer | undefined {
    if (this.#open.size === 0 || ('method' in message && message.method !== undefined)) return line;
    const id = 'id' in message ? message.id : undefined;
    const batch = isId(id) ? this.#take(id) : undefined;
    if (batch === undefined) return line;
    batch.answers.push(line);
    return batch.unanswered === 0 ? batchLine(batch.answers) : undefined;
  }

  #begin(messages: readonly RawMessage[]): void {
    const ids = new Set<JsonRpcId>();
    for (const { kind, id } of messages)
      if (kind === 'request' && isId(id) && !this.#open.has(id)) ids.add(id);
    const batch: Batch = { unanswered: ids.size, answers: [] };
    for (const id of ids) this.#open.set(id, batch);
  }

  #take(id: JsonRpcId): Batch | undefined {
    const batch = this.#open.get(id);
    if (batch !== undefined) batch.unanswered -= 1;
    this.#open.delete(id);
    return batch;
  }
}

/** Writes the answers, each a line of its own, as one line. */
export function batchLine(answers: readonly Buffer[]): Buffer {
  const elements = answers.flatMap((line, index) => [index === 0 ? OPENING : COMMA, withoutLineEnd(line)]);
  return Buffer.concat([...elements, CLOSING]);
}

function withoutLineEnd(line: Buffer): Buffer {
  const end = line.findLastIndex((byte) => byte > 0x20);
  return line.subarray(0, end + 1);
}

const OPENING = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSING = Buffer.from(']\n');

function hasBatches(revision: unknown): boolean {
  return typeof revision === 'string' && revision <= '2025-03-26';
}
