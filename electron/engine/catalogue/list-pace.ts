/** Limits how often a server is listed again, however often it announces changes. */
export class ListPace {
  /** Number of consecutive lists requested soon after the previous one. */
  #followed = 0;
  #endedAt = Number.NEGATIVE_INFINITY;

  /** Records the end of a list request. */
  ended(at: number): void {
    this.#endedAt = at;
  }

  /**
   * Returns the milliseconds to wait before the next list: none after a quiet period, increasing otherwise.
   */
  next(now: number): number {
    const since = now - this.#endedAt;
    if (since >= quiet) this.#followed = 0;
    const pause = this.#followed === 0 ? 0 : Math.min(longestPause, firstPause * 2 ** (this.#followed - 1));
    this.#followed += 1;
    return Math.max(0, pause - since);
  }

  /** True if it has gone on too long to be a burst of changes. */
  get isStorm(): boolean {
    return this.#followed >= stormLength;
  }
}

/** Milliseconds without announced changes after which the next list is requested at once. */
const quiet = 2_000;

const firstPause = 300;
const longestPause = 30_000;

/** Number of lists, reached after about ten seconds. */
const stormLength = 7;
