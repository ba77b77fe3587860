import { backoffDelay } from '../../base/backoff.ts';
import { type Clock, delay } from '../../base/clock.ts';
import type { JsonRpcId } from '../../rpc/message.ts';
import { SessionGoneError } from '../http-problem.ts';
import { isRedirect } from './within-origin.ts';

export interface SessionStreamOptions {
  readonly url: URL;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  open(lastEventId: string | undefined): Promise<Response>;
  /** Reads a stream to its end; resolves with where it can be taken up again. */
  read(response: Response): Promise<StreamEnd>;
  over(reason: SessionGoneError): void;
}

export interface StreamEnd {
  readonly lastEventId: string | undefined;
  readonly retry: number;
  readonly relatedTo?: JsonRpcId;
}

/**
 * Keeps the session's own stream open, on which the server says what belongs to no request. Servers without one answer
 * 405. One that ends it is returned to, each time later if its streams are short; after eight in a row no more.
 */
export async function keepSessionStream(options: SessionStreamOptions): Promise<void> {
  const { clock, signal } = options;
  let end: StreamEnd = { lastEventId: undefined, retry: 0 };
  let short = 0;
  let granted = false;
  while (short < shortStreams) {
    if (short > 0) await delay(clock, Math.max(end.retry, backoffDelay(backoff, short - 1)), signal);
    if (signal.aborted) return;
    const response = await options.open(end.lastEventId).catch(() => undefined);
    if (response === undefined) {
      short += 1;
      continue;
    }
    if (!response.ok || isRedirect(response) || response.body === null) {
      if (response.status === 404 && granted) options.over(new SessionGoneError(options.url));
      return;
    }
    granted = true;
    const since = clock.uptime();
    end = await options.read(response);
    short = clock.uptime() - since >= stableMilliseconds ? 1 : short + 1;
  }
}

/** A stream that lived this long counts as healthy, however it ended; proxies commonly cut idle ones after a minute. */
const stableMilliseconds = 10_000;
const shortStreams = 8;
const backoff = { initial: 1000, max: 60_000, factor: 2, jitter: 0.2 } as const;
