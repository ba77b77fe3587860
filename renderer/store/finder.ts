import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Problem } from '../../shared/error/problem.ts';
import type { SearchQuery, SearchResult } from '../../shared/model/search.ts';
import type { HubLink } from './model.ts';

/** What is known of what was asked for. */
export type FindState =
  | { readonly kind: 'idle' }
  /** Nothing has been found yet. */
  | { readonly kind: 'searching' }
  /** `asked` is what was found; something newer may be under way. */
  | { readonly kind: 'found'; readonly asked: SearchQuery; readonly result: SearchResult }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** Searches while somebody types. */
export interface Finder {
  readonly state: StoreApi<FindState>;
  /** Asks for something else; without anything to ask for, what was found is forgotten. */
  ask(query: SearchQuery | undefined): void;
}

/**
 * Every key press asks at once. Answers may come in any order: one that is older than what is shown is dropped, and so is the
 * failure of a question that has been replaced.
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
