/**
 * One clock for all relative times on screen: ticks once a second, only while something listens and the page
 * is visible.
 */
export interface Ticker {
  /** Time of the last tick in epoch milliseconds. */
  now(): number;
  subscribe(listener: () => void): () => void;
}

/** Functions that the ticker needs from the page. */
export interface TickerPorts {
  readonly now: () => number;
  readonly isVisible: () => boolean;
  readonly onVisibility: (listener: () => void) => () => void;
  readonly every: (milliseconds: number, run: () => void) => () => void;
}

export function createTicker(ports: TickerPorts): Ticker {
  const listeners = new Set<() => void>();
  let now = ports.now();
  let stopTimer: (() => void) | undefined;
  let stopVisibility: (() => void) | undefined;

  function tick(): void {
    now = ports.now();
    for (const listener of listeners) listener();
  }

  function adjust(): void {
    const wanted = listeners.size > 0 && ports.isVisible();
    if (wanted && stopTimer === undefined) {
      tick();
      stopTimer = ports.every(1000, tick);
    }
    if (!wanted) {
      stopTimer?.();
      stopTimer = undefined;
    }
  }

  return {
    now: () => now,
    subscribe(listener) {
      listeners.add(listener);
      stopVisibility ??= ports.onVisibility(adjust);
      adjust();
      return () => {
        listeners.delete(listener);
        adjust();
        if (listeners.size > 0) return;
        stopVisibility?.();
        stopVisibility = undefined;
      };
    },
  };
}

/** The ticker's ports in a browser page. */
export function pageTickerPorts(page: Document): TickerPorts {
  return {
    now: Date.now,
    isVisible: () => page.visibilityState === 'visible',
    onVisibility(listener) {
      page.addEventListener('visibilitychange', listener);
      return () => page.removeEventListener('visibilitychange', listener);
    },
    every(milliseconds, run) {
      const timer = setInterval(run, milliseconds);
      return () => clearInterval(timer);
    },
  };
}
