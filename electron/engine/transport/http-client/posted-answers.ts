import { type Clock, delay } from '../../base/clock.ts';
import type { JsonRpcId } from '../../jsonrpc/message.ts';
import { toOwnId } from '../../jsonrpc/message-kind.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import { maxMessageLength } from './contract.ts';
import { discard } from './http-request.ts';
import { type Body, openBody } from './response/body.ts';
import { readEvents, type StreamEvent } from './response/event-stream.ts';
import { readEventData, readMessages, readWhole } from './response/read-body.ts';

/**
 * Reads answers from the body of the POST, for servers of the older transport that do not send them on the
 * stream. The first answer shows the way: one in a body is held back for a moment in case it also arrives on
 * the stream.
 */
export class PostedAnswers {
  readonly #clock: Clock;
  #channel: 'unknown' | 'stream' | 'body' = 'unknown';

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records a message that arrived on the stream. */
  received(message: RawMessage): void {
    if (this.#channel === 'unknown' && isAnswer(message)) this.#channel = 'stream';
  }

  /** Reads the answer to this request from the body; never rejects. */
  async take(response: Response, id: JsonRpcId, deliver: (answer: RawMessage) => void): Promise<void> {
    if (this.#channel === 'stream') return discard(response);
    const answer = await this.#answerIn(response, id);
    if (answer !== undefined && this.#channel === 'unknown') await delay(this.#clock, streamGraceMs);
    if (answer === undefined || this.#channelIs('stream')) return;
    this.#channel = 'body';
    deliver(answer);
  }

  /** Reads the field again: the stream may have delivered something in the meantime. */
  #channelIs(way: 'stream'): boolean {
    return this.#channel === way;
  }

  async #answerIn(response: Response, id: JsonRpcId): Promise<RawMessage | undefined> {
    try {
      const body = await openBody(response);
      if (body.form === 'events') return await answerInEvents(body, id, this.#clock);
      if (body.form !== 'json') return void (await body.cancel());
      const messages = readMessages(await readWhole(body, maxMessageLength, this.#clock));
      return messages.find((message) => isAnswerTo(id, message));
    } catch {
      return undefined;
    }
  }
}

/** Reads events up to the answer; a stream may stay open after it. */
function answerInEvents(
  { chunks, cancel }: Body,
  id: JsonRpcId,
  clock: Clock,
): Promise<RawMessage | undefined> {
  return new Promise((resolve, reject) => {
    const event = ({ data }: StreamEvent) => {
      const answer = readEventData(data).find((message) => isAnswerTo(id, message));
      if (answer === undefined) return;
      resolve(answer);
      void cancel();
    };
    readEvents(chunks, { event, retry: () => {} }, clock).then(() => resolve(undefined), reject);
  });
}

function isAnswerTo(id: JsonRpcId, message: RawMessage): boolean {
  return isAnswer(message) && toOwnId(message.id) === id;
}

export function isAnswer({ kind }: RawMessage): boolean {
  return kind === 'result' || kind === 'failure';
}

/** Milliseconds in which the stream may still bring an answer. */
export const streamGraceMs = 1000;
