import { backoffDelay } from '../../base/backoff.ts';
import { delay } from '../../base/clock.ts';
import type { LinkContext } from './contract.ts';
import { isTransient, readRetryAfter, SessionGoneError } from './http-problem.ts';
import { discard } from './http-request.ts';
import type { HttpSession } from './http-session.ts';
import { readEvents, type StreamEvent } from './response/event-stream.ts';
import { isRedirect } from './within-origin.ts';

export interface SessionStreamOptions {
  readonly context: Pick<LinkContext, 'url' | 'clock' | 'signal' | 'closed'>;
  readonly session: Pick<HttpSession, 'get' | 'isForgotten'>;
  /** Takes the name and the data of an event. */
  readonly event: (name: string, data: string) => void;
  /** Called when the stream is not available any more, or never was. */
  readonly over: () => void;
}

interface StreamEnd {
  readonly lastEventId: string | undefined;
  readonly retry: number;
}

/**
 * The session stream, on which the server sends messages that belong to no request. Servers without one answer
 * 405. If it ends or the server is busy, it is opened again, with growing pauses while streams are short; after
 * eight short ones in a row it gives up. If the server does not know the last position, a new stream is opened.
 */
export class SessionStream {
  readonly #options: SessionStreamOptions;
  #state: 'unopened' | 'asked' | 'open' | 'over' = 'unopened';

  constructor(options: SessionStreamOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** True if messages may still come on it. */
  get isExpected(): boolean {
    return this.#state === 'asked' || this.#state === 'open';
  }

  open(): void {
    if (this.isExpected) return;
    this.#state = 'asked';
    void this.#keep().then(() => {
      this.#state = 'over';
      this.#options.over();
    });
  }

  async #keep(): Promise<void> {
    const { context, session } = this.#options;
    const { url, clock, signal } = context;
    let end: StreamEnd = { lastEventId: undefined, retry: 0 };
    let short = 0;
    let granted = false;
    while (short < maxShortStreams) {
      if (short > 0) await delay(clock, Math.max(end.retry, backoffDelay(backoff, short - 1)), signal);
      if (signal.aborted) return;
      const response = await this.#ask(end.lastEventId).catch(() => undefined);
      if (response === undefined) {
        short += 1;
        continue;
      }
      const { status } = response;
      if (isTransient(status) || (status === 400 && end.lastEventId !== undefined)) {
        short += 1;
        const lastEventId = status === 400 ? undefined : end.lastEventId;
        end = { lastEventId, retry: readRetryAfter(response.headers) ?? end.retry };
        continue;
      }
      if (!response.ok || isRedirect(response) || response.body === null) {
        if (granted && (await session.isForgotten({ status, answer: undefined })))
          context.closed(new SessionGoneError(url, status, true));
        return;
      }
      granted = true;
      const since = clock.uptime();
      end = await this.#read(response.body);
      short = clock.uptime() - since >= stableMs ? 1 : short + 1;
    }
  }

  async #ask(lastEventId: string | undefined): Promise<Response> {
    const { context, session } = this.#options;
    const response = await session.get(lastEventId, context.signal);
    if (!response.ok) await discard(response);
    return response;
  }

  /** Reads a stream to its end; resolves with the position to resume from. */
  async #read(body: NonNullable<Response['body']>): Promise<StreamEnd> {
    let lastEventId: string | undefined;
    let retry = 0;
    const reader = {
      event: ({ id, name, data }: StreamEvent) => {
        if (id !== undefined && id !== '') lastEventId = id;
        this.#options.event(name, data);
      },
      retry: (milliseconds: number) => {
        retry = milliseconds;
      },
    };
    this.#state = 'open';
    await readEvents(body, reader, this.#options.context.clock).catch(() => undefined);
    this.#state = 'asked';
    return { lastEventId, retry };
  }
}

/**
 * Streams that lasted this long count as healthy, however they ended; proxies often cut idle ones after a
 * minute.
 */
const stableMs = 10_000;
const maxShortStreams = 8;
const backoff = { initial: 1000, max: 60_000, factor: 2, jitter: 0.2 } as const;
