import { backoffDelay } from '../base/backoff.ts';
import { type Clock, delay } from '../base/clock.ts';

/**
 * Decides when a stream that a server keeps ending may be opened again. The SDK opens it again a second later, for
 * ever; here the wait grows with each short-lived stream, and after eight in a row there are no more attempts.
 */
export interface StreamGuard {
  /** Resolves when the stream may be opened; with false if it should not be opened any more. */
  admit(signal?: AbortSignal): Promise<boolean>;
  /** A stream was opened; to be called when it has ended. */
  opened(): () => void;
  /** Whether this server has ever granted a stream. */
  readonly granted: boolean;
}

/** A stream that lived this long counts as healthy, however it ended; proxies commonly cut idle ones after a minute. */
const STABLE_MS = 10_000;
const SHORT_STREAMS = 8;
const BACKOFF = { initial: 1000, max: 60_000, factor: 2, jitter: 0.2 };

export function createStreamGuard(clock: Clock): StreamGuard {
  let short = 0;
  let granted = false;
  return {
    async admit(signal) {
      if (short >= SHORT_STREAMS) return false;
      if (short > 0) await delay(clock, backoffDelay(BACKOFF, short - 1), signal);
      return true;
    },
    opened() {
      granted = true;
      const since = clock.now();
      return () => {
        short = clock.now() - since >= STABLE_MS ? 0 : short + 1;
      };
    },
    get granted() {
      return granted;
    },
  };
}
