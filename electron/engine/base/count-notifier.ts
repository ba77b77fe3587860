import type { Clock } from './clock.ts';
import { createCoalescer } from './coalescer.ts';
import type { Disposable } from './emitter.ts';

/** Notifies of counts that change with every call. */
export interface CountNotifier extends Disposable {
  /** Marks a count as changed. Runs for every call, so it does nothing else. */
  changed(key: string): void;
}

/** Reads marked counts half a second later and notifies only of real changes: most calls are over by then. */
export function createCountNotifier(
  clock: Clock,
  count: (key: string) => number,
  notify: (key: string) => void,
): CountNotifier {
  const notified = new Map<string, number>();
  const changed = new Set<string>();
  const coalescer = createCoalescer(clock, 500, () => {
    const keys = [...changed];
    changed.clear();
    for (const key of keys) {
      const now = count(key);
      if (now === (notified.get(key) ?? 0)) continue;
      notified.set(key, now);
      notify(key);
    }
  });
  return {
    changed(key) {
      changed.add(key);
      coalescer.mark();
    },
    dispose: () => coalescer.dispose(),
  };
}
