import { hubErrorCodes } from '../../../../../shared/model/mcp.ts';
import type { RawMessage } from '../../../jsonrpc/raw-message.ts';
import { toRaw } from '../../../jsonrpc/read-message.ts';

type OnAnswer = (answer: RawMessage) => void;

export interface OwnRequestsOptions {
  readonly send: (request: RawMessage) => void;
  /** True once nothing can be sent. */
  readonly isClosed: () => boolean;
}

/** Requests that a translator makes by itself in the session, and the ids of all that go through it. */
export class OwnRequests {
  readonly #options: OwnRequestsOptions;
  readonly #open = new Map<number, OnAnswer>();
  #lastId = firstId;

  constructor(options: OwnRequestsOptions) {
    this.#options = options;
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  hasIssued(id = 0): boolean {
    return id > firstId && id <= this.#lastId;
  }

  /** Sends a request; the answer is an error once the connection is closed. */
  ask(method: string, params: Readonly<Record<string, unknown>>, onAnswer: OnAnswer = () => {}): void {
    const id = this.nextId();
    if (this.#options.isClosed()) {
      onAnswer(closedAnswer(id));
      return;
    }
    this.#open.set(id, onAnswer);
    this.#options.send(toRaw({ jsonrpc: '2.0', id, method, params }));
  }

  /** Returns false for an answer to a request of the client. */
  take(id: number, answer: RawMessage): boolean {
    const onAnswer = this.#open.get(id);
    if (onAnswer === undefined) return false;
    this.#open.delete(id);
    onAnswer(answer);
    return true;
  }

  /** Answers all that are open with an error. */
  close(): void {
    for (const [id, onAnswer] of this.#open) onAnswer(closedAnswer(id));
    this.#open.clear();
  }
}

/**
 * Higher than the ids that a client counts, and lower than times of day: one with a session may use the same pipe. V8
 * keeps numbers of this size in place, while larger ones are objects.
 */
const firstId = 1_000_000_000;

/** Error for a request that was not sent on, because the connection has been closed. */
export const closedError = {
  code: hubErrorCodes.draining,
  message: 'Patchbay closed the connection, and did not send this request on.',
  data: { code: 'call.draining', fix: 'Send it again in a moment.' },
} as const;

function closedAnswer(id: number): RawMessage {
  return toRaw({ jsonrpc: '2.0', id, error: closedError });
}
