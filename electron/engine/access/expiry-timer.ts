import type { Identity } from '../../../shared/model/access/access.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { AccessTables } from './access-tables.ts';
import { nextExpiry } from './next-expiry.ts';

export interface ExpiryTimerOptions {
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
export class ExpiryTimer implements Disposable {
  readonly #options: ExpiryTimerOptions;
  #timer: Disposable | undefined;
  /** Expiries up to this time have been reported. */
  #checkedAt = Number.POSITIVE_INFINITY;

  constructor(options: ExpiryTimerOptions) {
    this.#options = options;
  }

  /** Has to be called after each change of the tables. */
  schedule(): void {
    this.#timer?.dispose();
    const { clock, tables } = this.#options;
    const now = clock.now();
    // The clock may have been set back.
    this.#checkedAt = Math.min(this.#checkedAt, now);
    const next = nextExpiry(tables, this.#checkedAt);
    if (next === undefined) return;
    const wait = Math.min(Math.max(0, next - now), maxWaitMs);
    this.#timer = clock.after(wait, () => this.#check());
  }

  dispose(): void {
    this.#timer?.dispose();
  }

  #check(): void {
    const { clock, tables, changed, expired } = this.#options;
    const from = this.#checkedAt;
    const now = clock.now();
    this.#checkedAt = now;
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
const maxWaitMs = 60 * 60_000;
