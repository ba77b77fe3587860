import type { AccessChange, AccessStore } from '../../store/state/access-store.ts';

/** What has changed and the disk was not told yet, in order. */
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
   * Changes that would come about in the same way again: they open no database, and wait for the next one that has to be
   * written, or for {@link settle}.
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

  /** What waits is written a moment later. */
  settle(): void {
    for (const change of this.#later.splice(0)) this.#store.add(change);
  }

  /** Resolves when all of it is on disk; false where it cannot be. */
  saved(): Promise<boolean> {
    this.settle();
    return this.#store.flush();
  }
}
