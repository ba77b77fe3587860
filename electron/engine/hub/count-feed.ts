import type { Clock } from '../base/clock.ts';
import { createCoalescer } from '../base/coalescer.ts';
import type { Disposable } from '../base/emitter.ts';

/** Tells of numbers that move with every call. */
export interface CountFeed extends Disposable {
  /** It may have changed. In the path of every call, so it only takes note. */
  moved(key: string): void;
}

/** Looks at what moved half a second later, and tells only what is other than it told last: most calls are over by then. */
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
