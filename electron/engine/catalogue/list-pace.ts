/** Keeps lists that a server says have changed from following one another without rest, however often it says so. */
export class ListPace {
  /** Lists in a row that were called for soon after the one before. */
  #followed = 0;
  #endedAt = Number.NEGATIVE_INFINITY;

  /** An answer has come, or will not. */
  ended(at: number): void {
    this.#endedAt = at;
  }

  /** Milliseconds until the list that is called for now may be asked for: none after quiet, and ever more without it. */
  next(now: number): number {
    const since = now - this.#endedAt;
    if (since >= quiet) this.#followed = 0;
    const pause = this.#followed === 0 ? 0 : Math.min(longestPause, firstPause * 2 ** (this.#followed - 1));
    this.#followed += 1;
    return Math.max(0, pause - since);
  }

  /** Whether it has gone on for so long that it is no burst of changes. */
  get isStorm(): boolean {
    return this.#followed >= stormLength;
  }
}

/** Milliseconds without a word of changes after which the next is listed at once. */
const quiet = 2_000;

const firstPause = 300;
const longestPause = 30_000;

/** Lists, after some ten seconds. */
const stormLength = 7;
