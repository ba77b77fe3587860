import { backoffDelay } from '../../base/backoff.ts';
import { type Clock, delay } from '../../base/clock.ts';
import type { JsonRpcId } from '../../rpc/message.ts';
import { isTransient, readRetryAfter, SessionGoneError } from '../http-problem.ts';
import { isRedirect } from './within-origin.ts';

export interface SessionStreamOptions {
  readonly url: URL;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  open(lastEventId: string | undefined): Promise<Response>;
  /** Reads a stream to its end; resolves with the position to resume from. */
  read(response: Response): Promise<StreamEnd>;
  /** Returns true if the server no longer knows the session, after it refused the stream with this status. */
  isForgotten(status: number): Promise<boolean>;
  onSessionGone(reason: SessionGoneError): void;
}

export interface StreamEnd {
  readonly lastEventId: string | undefined;
  readonly retry: number;
  readonly relatedTo?: JsonRpcId;
}

/**
 * Keeps the session stream open, on which the server sends messages that belong to no request. Servers
 * without one answer 405. If the stream ends or the server is busy, it is opened again, with growing pauses
 * while streams are short; after eight short ones in a row it gives up. If the server does not know the last
 * position, a new stream is opened.
 */
export async function keepSessionStream(options: SessionStreamOptions): Promise<void> {
  const { clock, signal } = options;
  let end: StreamEnd = { lastEventId: undefined, retry: 0 };
  let short = 0;
  let granted = false;
  while (short < maxShortStreams) {
    if (short > 0) await delay(clock, Math.max(end.retry, backoffDelay(backoff, short - 1)), signal);
    if (signal.aborted) return;
    const response = await options.open(end.lastEventId).catch(() => undefined);
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
      if (granted && (await options.isForgotten(status)))
        options.onSessionGone(new SessionGoneError(options.url, status, true));
      return;
    }
    granted = true;
    const since = clock.uptime();
    end = await options.read(response);
    short = clock.uptime() - since >= stableMs ? 1 : short + 1;
  }
}

/**
 * Streams that lasted this long count as healthy, however they ended; proxies often cut idle ones after a
 * minute.
 */
const stableMs = 10_000;
const maxShortStreams = 8;
const backoff = { initial: 1000, max: 60_000, factor: 2, jitter: 0.2 } as const;
