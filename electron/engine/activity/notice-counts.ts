import type { Clock } from '../base/clock.ts';
import { type Coalescer, createCoalescer } from '../base/coalescer.ts';
import type { Disposable } from '../base/emitter.ts';
import type { NewRow } from './contract.ts';

interface Counted {
  readonly at: number;
  readonly serverKey?: string;
  readonly sessionId?: string;
  readonly method: string;
  count: number;
}

/** Counts notifications that are too many to record individually: one row per kind and time span. */
export class NotificationCounts implements Disposable {
  readonly #clock: Clock;
  readonly #coalescer: Coalescer;
  #counts = new Map<string, Counted>();

  constructor(clock: Clock, report: (rows: readonly NewRow[]) => void) {
    this.#clock = clock;
    this.#coalescer = createCoalescer(clock, spanMs, () => {
      const counted = [...this.#counts.values()];
      this.#counts = new Map();
      report(counted.map(toRow));
    });
  }

  add(notice: { readonly serverKey?: string; readonly sessionId?: string; readonly method: string }): void {
    const key = `${notice.serverKey ?? ''}\n${notice.sessionId ?? ''}\n${notice.method}`;
    const counted = this.#counts.get(key);
    if (counted !== undefined) {
      counted.count += 1;
      return;
    }
    // A server may invent any number of methods.
    if (this.#counts.size >= maxKinds) return;
    this.#counts.set(key, { ...notice, at: this.#clock.now(), count: 1 });
    this.#coalescer.mark();
  }

  dispose(): void {
    this.#coalescer.flush();
    this.#coalescer.dispose();
  }
}

const spanMs = 5_000;
const maxKinds = 200;

function toRow({ at, serverKey, sessionId, method, count }: Counted): NewRow {
  return {
    at,
    kind: 'notices',
    serverKey,
    clientId: sessionId,
    method: method.slice(0, maxMethod),
    outcome: 'note',
    count,
  };
}

const maxMethod = 200;
