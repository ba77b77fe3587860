import { backoffDelay } from '../../base/backoff.ts';
import { delay } from '../../base/clock.ts';
import type { LinkContext, StreamMemory } from './contract.ts';
import { isTransient, readRetryAfter, SessionGoneError } from './http-problem.ts';
import { discard } from './http-request.ts';
import type { HttpSession } from './http-session.ts';
import { readEvents, type StreamEvent } from './response/event-stream.ts';
import { isRedirect } from './within-origin.ts';

export interface SessionStreamOptions {
  readonly context: Pick<
    LinkContext,
    'url' | 'clock' | 'signal' | 'closed' | 'sessionStream' | 'separateConnections'
  >;
  readonly session: Pick<HttpSession, 'get' | 'isForgotten' | 'respondsWithin'>;
  /** Takes the name and the data of an event. */
  readonly event: (name: string, data: string) => void;
  /** Called when the stream is open again without what the server sent in between. */
  readonly missed: () => void;
  /** Called when the stream is not available any more, never was, or will not be for minutes. */
  readonly over: () => void;
}

/** Returns what is assumed of a server that is not known yet. */
export function newStreamMemory(): StreamMemory {
  return { notBefore: 0, failures: 0, needsSeparateConnections: false };
}

interface StreamEnd {
  readonly lastEventId: string | undefined;
  readonly retry: number;
}

/**
 * The session stream, on which the server sends messages that belong to no request. Servers without one answer
 * 405. If it ends or the server is busy, it is opened again, with growing pauses while streams are short; after
 * eight short ones in a row it is left closed. If the server does not know the last position, a new stream is opened.
 *
 * A server that takes one request at a time answers nothing while the stream is open. If a message gets no response
 * for three seconds and a ping none either, the stream is closed; after the response it is opened again with a ping
 * beside it. If that gets no response, or another message has to wait in this way, it is left closed.
 *
 * A busy machine looks like such a server, so a stream that is left closed is tried once more after ten minutes, and
 * then in growing pauses of up to a day.
 */
export class SessionStream {
  readonly #options: SessionStreamOptions;
  #state: 'closed' | 'asked' | 'open' = 'closed';
  #isKept = false;
  /** Ends the stream that is asked for or open. */
  #attempt = new AbortController();
  /** True once the server has responded to something else while the stream was open. */
  #isHarmless = false;
  #isSuspected = false;
  #wasClosedForOthers: boolean;
  /** Number of messages without a response. */
  #waiting = 0;
  /** Opens the stream again that was closed for the others; undefined while it is not. */
  #resume: (() => void) | undefined;

  constructor(options: SessionStreamOptions) {
    this.#options = options;
    this.#wasClosedForOthers = options.context.sessionStream.failures > 0;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** True if messages may still come on it. */
  get isExpected(): boolean {
    return this.#state === 'asked' || this.#state === 'open';
  }

  open(): void {
    if (this.#isKept) return;
    this.#isKept = true;
    void this.#keep().finally(() => {
      this.#isKept = false;
      this.#leave();
    });
  }

  /** Waits for the response to a message, and closes the stream if that holds it up. */
  async watch(posted: Promise<Response>): Promise<Response> {
    if (this.#isHarmless) return posted;
    const responded = new AbortController();
    const { signal } = this.#attempt;
    const wasOpen = this.isOpen;
    this.#waiting += 1;
    void this.#suspect(responded.signal);
    try {
      const response = await posted;
      this.#responded(wasOpen && this.isOpen && !signal.aborted);
      return response;
    } finally {
      responded.abort();
      this.#waiting -= 1;
      this.#resume?.();
    }
  }

  async #suspect(responded: AbortSignal): Promise<void> {
    const { context } = this.#options;
    await delay(context.clock, suspicionMs, responded);
    if (responded.aborted || this.#isHarmless || this.#isSuspected || !this.isExpected) return;
    this.#isSuspected = true;
    const attempt = this.#attempt;
    if (!(await this.#respondsBeside(attempt)) && this.#waiting > 0 && !attempt.signal.aborted) {
      context.separateConnections();
      if (this.#wasClosedForOthers) this.#postpone();
      attempt.abort();
    }
    this.#isSuspected = false;
  }

  /** Resolves after a response without the stream, or at once if it is not to be opened for some time. */
  async #othersAreAnswered(): Promise<void> {
    if (this.#isPostponed) return;
    const { signal } = this.#options.context;
    this.#wasClosedForOthers = true;
    if (this.#waiting === 0) return;
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    this.#resume = undefined;
  }

  get #isPostponed(): boolean {
    const { sessionStream, clock } = this.#options.context;
    return sessionStream.notBefore > clock.uptime();
  }

  #postpone(): void {
    const { sessionStream, clock } = this.#options.context;
    sessionStream.notBefore = clock.uptime() + backoffDelay(laterTries, sessionStream.failures);
    sessionStream.failures += 1;
  }

  /** Checks that the server responds while the stream is open; otherwise leaves it closed. */
  async #prove(attempt: AbortController): Promise<void> {
    const { context } = this.#options;
    await delay(context.clock, acceptMs, attempt.signal);
    if (attempt.signal.aborted || this.#isHarmless || (await this.#respondsBeside(attempt))) return;
    if (attempt.signal.aborted || context.signal.aborted) return;
    this.#postpone();
    attempt.abort();
  }

  /** Pings beside the stream. A response proves something only if the server had taken the request for the stream. */
  async #respondsBeside(attempt: AbortController): Promise<boolean> {
    const wasOpen = this.isOpen;
    const responds = await this.#options.session.respondsWithin(pingTimeoutMs);
    this.#responded(responds && wasOpen && this.isOpen && !attempt.signal.aborted);
    return responds;
  }

  #responded(besideStream: boolean): void {
    this.#isHarmless ||= besideStream;
    if (besideStream) this.#options.context.sessionStream.failures = 0;
  }

  /** Keeps the stream open, with pauses, until the connection ends or the server turns out to have none. */
  async #keep(): Promise<void> {
    const { context, session } = this.#options;
    const { url, clock, signal } = context;
    let end: StreamEnd = { lastEventId: undefined, retry: 0 };
    let short = 0;
    let granted = false;
    for (let isFirst = !this.#isPostponed; ; isFirst = false) {
      await this.#pause(short, end.retry);
      if (signal.aborted) return;
      const attempt = new AbortController();
      this.#attempt = attempt;
      if (this.#wasClosedForOthers) void this.#prove(attempt);
      const response = await this.#ask(end.lastEventId, attempt.signal).catch(() => undefined);
      if (attempt.signal.aborted) {
        await discard(response);
        await this.#othersAreAnswered();
        continue;
      }
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
      if (!isFirst && end.lastEventId === undefined) this.#options.missed();
      granted = true;
      const since = clock.uptime();
      end = await this.#read(response.body);
      if (attempt.signal.aborted) {
        await this.#othersAreAnswered();
        continue;
      }
      short = clock.uptime() - since >= stableMs ? 1 : short + 1;
    }
  }

  /** Waits before the stream is asked for after so many short ones; nothing is expected during a long pause. */
  async #pause(short: number, retry: number): Promise<void> {
    const { sessionStream, clock, signal } = this.#options.context;
    const isLeft = this.#isPostponed || short >= maxShortStreams;
    if (isLeft) this.#leave();
    if (short > 0) {
      const again =
        short < maxShortStreams
          ? backoffDelay(backoff, short - 1)
          : backoffDelay(laterTries, short - maxShortStreams);
      await delay(clock, Math.max(retry, again), signal);
    }
    if (this.#isPostponed) await delay(clock, sessionStream.notBefore - clock.uptime(), signal);
    this.#state = 'asked';
  }

  #leave(): void {
    this.#state = 'closed';
    this.#options.over();
  }

  async #ask(lastEventId: string | undefined, ended: AbortSignal): Promise<Response> {
    const { context, session } = this.#options;
    const response = await session.get(lastEventId, AbortSignal.any([context.signal, ended]));
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
/** Milliseconds without a response after which a stream is suspected to hold it up. */
const suspicionMs = 3000;
const pingTimeoutMs = 2000;
/** Milliseconds in which a server has taken the request for the stream. */
const acceptMs = 500;
const backoff = { initial: 1000, max: 60_000, factor: 2, jitter: 0.2 } as const;
/** Pauses before a stream that was left closed is tried again. */
const laterTries = { initial: 600_000, max: 86_400_000, factor: 2, jitter: 0.2 } as const;
