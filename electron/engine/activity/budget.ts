/** A token bucket: so many at once, and so many per second after that. */
export class Budget {
  readonly #most: number;
  readonly #perMillisecond: number;
  #left: number;
  #since = 0;

  constructor({ most, perSecond }: { readonly most: number; readonly perSecond: number }) {
    this.#most = most;
    this.#perMillisecond = perSecond / 1_000;
    this.#left = most;
  }

  /** Takes one, if there is one left at this time. */
  take(now: number): boolean {
    if (now > this.#since) {
      this.#left = Math.min(this.#most, this.#left + (now - this.#since) * this.#perMillisecond);
      this.#since = now;
    }
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
