/** Collects what has been opened and closes it in reverse; one failing close does not keep the rest open. */
export class CloseStack {
  #closers: (() => Promise<void> | void)[] = [];

  defer(closer: () => Promise<void> | void): void {
    this.#closers.push(closer);
  }

  /** Closes everything collected so far; a second call closes nothing again. Rejects with the first failure, at the end. */
  async close(): Promise<void> {
    const closers = this.#closers.reverse();
    this.#closers = [];
    const failures: unknown[] = [];
    for (const closer of closers) {
      try {
        await closer();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
