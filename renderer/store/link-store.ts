import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Problem } from '../../shared/error/problem.ts';

/** The window's connection to the engine. */
export type LinkState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'lost'; readonly problem: Problem };

export type LinkStore = StoreApi<{ readonly state: LinkState }>;

export function createLinkStore(): LinkStore {
  return createStore(() => ({ state: { kind: 'loading' } as LinkState }));
}
