/** Hits that a server takes in a row; with a few more it would count as one that keeps failing, and be left alone. */
const MOST = 4;
/** Milliseconds without a hit after which a server has earned its trust back: a minute is a stable connection. */
const REST = 70_000;

/**
 * Decides which servers may be hit. By design, a server that exits again and again is retried only every few
 * minutes, which would leave the storm with few targets. `doomed` ones are hit all the same.
 */
export class HitBudget {
  #hits = new Map();
  #doomed;

  constructor(doomed) {
    this.#doomed = new Set(doomed);
  }

  /** Tells whether it may be hit now; if so, it is. */
  take(key) {
    if (this.#doomed.has(key)) return true;
    const now = Date.now();
    const before = this.#hits.get(key);
    const count = before === undefined || now - before.last > REST ? 0 : before.count;
    if (count >= MOST) return false;
    this.#hits.set(key, { count: count + 1, last: now });
    return true;
  }
}
