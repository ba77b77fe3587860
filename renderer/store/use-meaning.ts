import { useEffect, useState } from 'react';
import type { MeaningState } from '../../shared/model/search.ts';
import { useModel } from './model-context.tsx';

/** How far meaning is; only followed while somebody looks, and undefined before it is known. */
export function useMeaning(): MeaningState | undefined {
  const { link } = useModel();
  const [state, setState] = useState<MeaningState>();
  useEffect(() => {
    let wanted = true;
    const stop = link.on('meaning.changed', setState);
    void link.call('search.meaning', undefined).then((answer) => {
      // What was pushed meanwhile is fresher; settings that cannot be read are told by the page.
      if (wanted && answer.ok) setState((now) => now ?? answer.value);
    });
    return () => {
      wanted = false;
      stop();
    };
  }, [link]);
  return state;
}
