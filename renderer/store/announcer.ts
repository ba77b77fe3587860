import { createStore, type StoreApi } from 'zustand/vanilla';

/**
 * Next polite announcement for screen readers. `turn` changes with each message so that a repeated one is
 * read again.
 */
export type Announcer = StoreApi<{ readonly message: string; readonly turn: number }>;

export function createAnnouncer(): Announcer {
  return createStore(() => ({ message: '', turn: 0 }));
}

export function announce(store: Announcer, message: string): void {
  store.setState(({ turn }) => ({ message, turn: turn + 1 }));
}
