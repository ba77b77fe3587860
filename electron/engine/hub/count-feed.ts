import type { Clock } from '../base/clock.ts';
import { createCoalescer } from '../base/coalescer.ts';
import type { Disposable } from '../base/emitter.ts';

/** Notifies of counts that change with every call. */
export interface CountFeed extends Disposable {
  /** Marks a count as changed. Runs for every call, so it does nothing else. */
  moved(key: string): void;
}

/** Reads marked counts half a second later and notifies only of real changes: most calls are over by then. */
export function createCountFeed(
  clock: Clock,
  count: (key: string) => number,
  tell: (key: string) => void,
): CountFeed {
  const told = new Map<string, number>();
  const moved = new Set<string>();
  const coalescer = createCoalescer(clock, 500, () => {
    const keys = [...moved];
    moved.clear();
    for (const key of keys) {
      const now = count(key);
      if (now === (told.get(key) ?? 0)) continue;
      told.set(key, now);
      tell(key);
    }
  });
  return {
    moved(key) {
      moved.add(key);
      coalescer.mark();
    },
    dispose: () => coalescer.dispose(),
  };
}
