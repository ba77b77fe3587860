import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Problem } from '../../shared/error/problem.ts';
import type { CommandExplanation } from '../../shared/model/server/command.ts';

/** Explanation of the program a server runs; `asking` keeps an older one while it is fetched again. */
export type Explaining =
  | { readonly kind: 'asking'; readonly before?: CommandExplanation }
  | { readonly kind: 'known'; readonly explanation: CommandExplanation }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** Open explanations by server. */
export type ExplainStore = StoreApi<{ readonly byKey: Readonly<Record<string, Explaining>> }>;

export function createExplainStore(): ExplainStore {
  return createStore(() => ({ byKey: {} }));
}

export function setExplaining(store: ExplainStore, key: string, explaining: Explaining): void {
  store.setState(({ byKey }) => ({ byKey: { ...byKey, [key]: explaining } }));
}

export function closeExplaining(store: ExplainStore, key: string): void {
  store.setState(({ byKey: { [key]: _closed, ...byKey } }) => ({ byKey }));
}

/** Returns the last known explanation, even while a newer one is being fetched. */
export function lastExplanation(explaining: Explaining | undefined): CommandExplanation | undefined {
  if (explaining?.kind === 'known') return explaining.explanation;
  return explaining?.kind === 'asking' ? explaining.before : undefined;
}
