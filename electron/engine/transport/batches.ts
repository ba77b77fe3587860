import { readPieces } from '../rpc/byte-message.ts';
import { OPEN_BRACKET, skipSpace } from '../rpc/json-scan.ts';
import { elementSpans } from '../rpc/json-spans.ts';
import type { JsonRpcId } from '../rpc/message.ts';
import { isId } from '../rpc/message-kind.ts';
import { readOdd } from '../rpc/odd-message.ts';
import type { Pieces } from '../rpc/pieces.ts';
import type { MessageSource, RawMessage } from '../rpc/raw-message.ts';
import type { WireMessage } from '../rpc/read-message.ts';

/** More messages than any client is known to send in one batch, and few enough to be taken in one go. */
export const mostInBatch = 1000;

/** The answers to one batch, which leave together. */
interface Batch {
  unanswered: number;
  readonly answers: Pieces[];
}

/**
 * The batches of a client over a stream. Revision 2025-03-26 has them and those after it do not; a client that introduced
 * itself with a later one, or with none, sends an invalid message.
 */
export class Batches {
  /** By the ids of requests without an answer. */
  readonly #open = new Map<JsonRpcId, Batch>();
  #isTaken = false;

  /** The messages of a batch, byte for byte; undefined for what is none, or is not to be taken. */
  read(line: Buffer, source: MessageSource): readonly RawMessage[] | undefined {
    if (!this.#isTaken) return undefined;
    const start = skipSpace(line, 0);
    if (line[start] !== OPEN_BRACKET) return undefined;
    const spans = elementSpans(line, start, mostInBatch + 1);
    if (spans.length === 0 || spans.length > mostInBatch) return undefined;
    const messages = spans.map(({ start: from, end }) => {
      const element = [line.subarray(from, end)];
      return readPieces(element, source) ?? readOdd(element, 'client', source);
    });
    this.#begin(messages);
    return messages;
  }

  /** The client said this, in a batch or alone. A request that it takes back may have been the last of its batch. */
  heard(message: RawMessage): Pieces | undefined {
    const { method } = message;
    if (method === 'initialize') this.#isTaken = hasBatches(message.params?.protocolVersion);
    if (method !== 'notifications/cancelled' || this.#open.size === 0) return undefined;
    const id = message.params?.requestId;
    const batch = isId(id) ? this.#take(id) : undefined;
    return batch?.unanswered === 0 && batch.answers.length > 0 ? listOf(batch.answers) : undefined;
  }

  /** The line to be written for a message: itself, the last answer with all others, or none until that. */
  lineFor(message: WireMessage, line: Pieces): Pieces | undefined {
    if (this.#open.size === 0 || ('method' in message && message.method !== undefined)) return line;
    const id = 'id' in message ? message.id : undefined;
    const batch = isId(id) ? this.#take(id) : undefined;
    if (batch === undefined) return line;
    batch.answers.push(line);
    return batch.unanswered === 0 ? listOf(batch.answers) : undefined;
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

/** Each answer has a newline of its own, which would end the line. */
function listOf(answers: readonly Pieces[]): Pieces {
  const texts = answers.map((pieces) => Buffer.concat(pieces).toString('latin1').trimEnd());
  return [Buffer.from(`[${texts.join(',')}]\n`, 'latin1')];
}

function hasBatches(revision: unknown): boolean {
  return typeof revision === 'string' && revision <= '2025-03-26';
}
