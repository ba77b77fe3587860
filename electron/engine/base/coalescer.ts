import type { Clock } from './clock.ts';
import type { Disposable } from './emitter.ts';

/** Combines a burst of marks into one flush. */
export interface Coalescer extends Disposable {
  /** Schedules a flush at the end of the window, unless one is scheduled already. */
  mark(): void;
  /** Flushes now if anything was marked. */
  flush(): void;
}

/** Calls `flush` once, `milliseconds` after the first mark of a burst. */
export function createCoalescer(clock: Clock, milliseconds: number, flush: () => void): Coalescer {
  let pending: Disposable | undefined;
  const run = () => {
    if (pending === undefined) return;
    pending.dispose();
    pending = undefined;
    flush();
  };
  return {
    mark: () => {
      pending ??= clock.after(milliseconds, run);
    },
    flush: run,
    dispose: () => {
      pending?.dispose();
      pending = undefined;
    },
  };
}
