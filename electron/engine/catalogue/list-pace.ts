/** Limits how often a server is listed again, however often it announces changes. */
export class ListPace {
  /** Number of consecutive lists requested soon after the previous one. */
  #consecutive = 0;
  #endedAt = Number.NEGATIVE_INFINITY;

  /** Records the end of a list request. */
  recordEnd(at: number): void {
    this.#endedAt = at;
  }

  /**
   * Returns the milliseconds to wait before the next list: none after a quiet period, increasing otherwise.
   */
  nextDelayMs(now: number): number {
    const since = now - this.#endedAt;
    if (since >= quietMs) this.#consecutive = 0;
    const pause =
      this.#consecutive === 0 ? 0 : Math.min(maxPauseMs, initialPauseMs * 2 ** (this.#consecutive - 1));
    this.#consecutive += 1;
    return Math.max(0, pause - since);
  }

  /** True if it has gone on too long to be a burst of changes. */
  get isStorm(): boolean {
    return this.#consecutive >= stormLength;
  }
}

/** Milliseconds without announced changes after which the next list is requested at once. */
const quietMs = 2_000;

const initialPauseMs = 300;
const maxPauseMs = 30_000;

/** Number of lists, reached after about ten seconds. */
const stormLength = 7;
