import type { Identity } from '../../../../shared/model/access.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { AccessTables } from './access-tables.ts';
import { nextEnding } from './next-ending.ts';

export interface EndingsOptions {
  readonly tables: AccessTables;
  readonly clock: Clock;
  /** Called when a right of the identity, or the identity itself, has expired. */
  readonly changed: (identityId: string) => void;
  readonly expired: (identity: Identity) => void;
}

/**
 * Wakes up at the next expiry, so that lists and sessions are updated; calls themselves are checked against
 * the clock.
 */
export class Endings implements Disposable {
  readonly #options: EndingsOptions;
  #timer: Disposable | undefined;
  /** Expiries up to this time have been reported. */
  #lookedAt = Number.POSITIVE_INFINITY;

  constructor(options: EndingsOptions) {
    this.#options = options;
  }

  /** Has to be called after each change of the tables. */
  schedule(): void {
    this.#timer?.dispose();
    const { clock, tables } = this.#options;
    const now = clock.now();
    // The clock may have been set back.
    this.#lookedAt = Math.min(this.#lookedAt, now);
    const next = nextEnding(tables, this.#lookedAt);
    if (next === undefined) return;
    const wait = Math.min(Math.max(0, next - now), longestWait);
    this.#timer = clock.after(wait, () => this.#passed());
  }

  dispose(): void {
    this.#timer?.dispose();
  }

  #passed(): void {
    const { clock, tables, changed, expired } = this.#options;
    const from = this.#lookedAt;
    const now = clock.now();
    this.#lookedAt = now;
    const hasEnded = (at: number | undefined) => at !== undefined && at > from && at <= now;
    for (const identity of tables.identities()) {
      const { id } = identity;
      const parts = [identity, ...tables.grants(id), ...tables.tokens(id)];
      if (parts.some(({ expiresAt }) => hasEnded(expiresAt))) changed(id);
      if (hasEnded(identity.expiresAt)) expired(identity);
    }
    this.schedule();
  }
}

/** Wakes up at least this often, because the clock may be changed in between. */
const longestWait = 60 * 60_000;
