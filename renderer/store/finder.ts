import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Problem } from '../../shared/error/problem.ts';
import type { SearchQuery, SearchResult } from '../../shared/model/tool/search.ts';
import type { HubLink } from './model.ts';

/** State of a search. */
export type FindState =
  | { readonly kind: 'idle' }
  /** No results yet. */
  | { readonly kind: 'searching' }
  /** `asked` is the query of these results; a newer one may be in progress. */
  | { readonly kind: 'found'; readonly asked: SearchQuery; readonly result: SearchResult }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** Searches while the user types. */
export interface Finder {
  readonly state: StoreApi<FindState>;
  /** Starts a new search; without a query the results are cleared. */
  ask(query: SearchQuery | undefined): void;
}

/**
 * Creates a finder that searches on every key press. Answers may arrive in any order: one older than the
 * shown one is dropped, and so is the failure of a query that has been replaced.
 */
export function createFinder(link: HubLink): Finder {
  const state = createStore((): FindState => ({ kind: 'idle' }));
  let asked = 0;
  let shown = 0;
  function show(number: number, next: FindState): void {
    shown = number;
    state.setState(next, true);
  }
  return {
    state,
    ask(query) {
      asked += 1;
      const number = asked;
      if (query === undefined || query.query.trim() === '') return show(number, { kind: 'idle' });
      if (state.getState().kind !== 'found') state.setState({ kind: 'searching' }, true);
      void link.call('search.find', query).then((answer) => {
        if (number < shown) return;
        if (answer.ok) show(number, { kind: 'found', asked: query, result: answer.value });
        else if (number === asked) show(number, { kind: 'failed', problem: answer.problem });
      });
    },
  };
}
