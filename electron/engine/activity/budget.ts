/** A token bucket: so many at once, and so many per second after that. */
export class Budget {
  readonly #burst: number;
  readonly #perMillisecond: number;
  #left: number;
  #since = 0;

  constructor({ burst, perSecond }: { readonly burst: number; readonly perSecond: number }) {
    this.#burst = burst;
    this.#perMillisecond = perSecond / 1_000;
    this.#left = burst;
  }

  /** Takes one, if there is one left at this time. */
  take(now: number): boolean {
    if (now > this.#since) {
      this.#left = Math.min(this.#burst, this.#left + (now - this.#since) * this.#perMillisecond);
      this.#since = now;
    }
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
