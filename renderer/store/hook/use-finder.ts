import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import type { SearchQuery } from '../../../shared/model/tool/search.ts';
import { createFinder, type FindState } from '../finder.ts';
import { useModel } from '../model-context.tsx';

/**
 * Returns search results while the user types, and again when the tools change. Rendering is deferred so that
 * it never delays typing.
 */
export function useFinder(query: SearchQuery | undefined): {
  readonly state: FindState;
  readonly again: () => void;
} {
  const model = useModel();
  const finder = useMemo(() => createFinder(model.link), [model]);
  const [tries, setTries] = useState(0);
  const tools = useStore(model.mirrors.tools, (all) => all);
  const text = query === undefined ? undefined : JSON.stringify(query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: fetches again for other tools and on request
  useEffect(() => {
    finder.ask(text === undefined ? undefined : (JSON.parse(text) as SearchQuery));
  }, [finder, text, tools, tries]);
  const state = useDeferredValue(useStore(finder.state, (found) => found));
  const again = useCallback(() => setTries((before) => before + 1), []);
  return { state, again };
}
