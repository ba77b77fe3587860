import { useEffect, useState } from 'react';
import type { SemanticSearchState } from '../../shared/model/search.ts';
import { useModel } from './model-context.tsx';

/** Returns the state of semantic search; undefined until known. Subscribed only while mounted. */
export function useSemanticSearchState(): SemanticSearchState | undefined {
  const { link } = useModel();
  const [state, setState] = useState<SemanticSearchState>();
  useEffect(() => {
    let wanted = true;
    const stop = link.on('meaning.changed', setState);
    void link.call('search.meaning', undefined).then((answer) => {
      // A pushed state is newer; the page reports unreadable settings.
      if (wanted && answer.ok) setState((now) => now ?? answer.value);
    });
    return () => {
      wanted = false;
      stop();
    };
  }, [link]);
  return state;
}
