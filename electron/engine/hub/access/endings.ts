import type { Identity } from '../../../../shared/model/access.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { AccessTables } from './access-tables.ts';
import { nextEnding } from './next-ending.ts';

export interface EndingsOptions {
  readonly tables: AccessTables;
  readonly clock: Clock;
  /** Something of what it may do has ended, or it has itself. */
  readonly changed: (identityId: string) => void;
  readonly expired: (identity: Identity) => void;
}

/** Wakes up when the next thing ends, so that lists and sessions follow; calls are judged by the time itself. */
export class Endings implements Disposable {
  readonly #options: EndingsOptions;
  #timer: Disposable | undefined;
  /** What ended until then has been told. */
  #lookedAt = Number.POSITIVE_INFINITY;

  constructor(options: EndingsOptions) {
    this.#options = options;
  }

  /** To be called after each change of the tables. */
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

/** The clock may be set meanwhile. */
const longestWait = 60 * 60_000;
