import { type Clock, delay } from '../../base/clock.ts';
import type { JsonRpcId } from '../../rpc/message.ts';
import { toOwnId } from '../../rpc/message-kind.ts';
import type { RawMessage } from '../../rpc/raw-message.ts';
import { openBody } from './body.ts';
import { maxMessageLength } from './contract.ts';
import { discard } from './http-request.ts';
import { readMessages, readWhole } from './read-body.ts';

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
      if (body.form !== 'json') return void (await body.cancel());
      const messages = readMessages(await readWhole(body, maxMessageLength, this.#clock));
      return messages.find((message) => isAnswer(message) && toOwnId(message.id) === id);
    } catch {
      return undefined;
    }
  }
}

function isAnswer({ kind }: RawMessage): boolean {
  return kind === 'result' || kind === 'failure';
}

const streamGraceMs = 1000;
