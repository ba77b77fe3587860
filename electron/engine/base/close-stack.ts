/** Collects resources and closes them in reverse order. A close that fails does not stop the others. */
export class CloseStack {
  #closers: (() => Promise<void> | void)[] = [];

  defer(closer: () => Promise<void> | void): void {
    this.#closers.push(closer);
  }

  /**
   * Closes everything collected so far; a second call does nothing. Rejects with the first failure, after all
   * have been closed.
   */
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
