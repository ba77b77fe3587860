import type { AccessChange, AccessStore } from '../store/state/access-store.ts';

/** Changes that have not been passed to the store yet, in order. */
export class UnsavedChanges {
  readonly #store: Pick<AccessStore, 'add' | 'flush'>;
  #pending: AccessChange[] = [];
  #isDeferring = false;

  constructor(store: Pick<AccessStore, 'add' | 'flush'>) {
    this.#store = store;
  }

  add(change: AccessChange): void {
    this.#pending.push(change);
    if (!this.#isDeferring) this.queuePending();
  }

  /**
   * Runs a change that would happen again in the same way if lost. It does not open the database on its own:
   * it waits for the next change that has to be written, or for {@link saved}.
   */
  deferSaving<T>(change: () => T): T {
    const before = this.#isDeferring;
    this.#isDeferring = true;
    try {
      return change();
    } finally {
      this.#isDeferring = before;
    }
  }

  /** Passes pending changes to the store, which writes them shortly after. */
  queuePending(): void {
    for (const change of this.#pending.splice(0)) this.#store.add(change);
  }

  /** Resolves when everything is on disk; to false if that is impossible. */
  saved(): Promise<boolean> {
    this.queuePending();
    return this.#store.flush();
  }
}
