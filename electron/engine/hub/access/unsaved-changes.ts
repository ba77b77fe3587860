import type { AccessChange, AccessStore } from '../../store/state/access-store.ts';

/** Changes that have not been passed to the store yet, in order. */
export class UnsavedChanges {
  readonly #store: Pick<AccessStore, 'add' | 'flush'>;
  #later: AccessChange[] = [];
  #isLight = false;

  constructor(store: Pick<AccessStore, 'add' | 'flush'>) {
    this.#store = store;
  }

  add(change: AccessChange): void {
    this.#later.push(change);
    if (!this.#isLight) this.settle();
  }

  /**
   * Runs a change that would happen again in the same way if lost. It does not open the database on its own:
   * it waits for the next change that has to be written, or for {@link settle}.
   */
  lightly<T>(change: () => T): T {
    const before = this.#isLight;
    this.#isLight = true;
    try {
      return change();
    } finally {
      this.#isLight = before;
    }
  }

  /** Passes pending changes to the store, which writes them shortly after. */
  settle(): void {
    for (const change of this.#later.splice(0)) this.#store.add(change);
  }

  /** Resolves when everything is on disk; to false if that is impossible. */
  saved(): Promise<boolean> {
    this.settle();
    return this.#store.flush();
  }
}
