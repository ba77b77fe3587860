import { useEffect, useState } from 'react';
import type { Problem } from '../../../shared/error/problem.ts';
import type { BreakerView } from '../../../shared/model/activity/breaker.ts';
import { useModel } from '../model-context.tsx';

/** Circuit breakers that are not closed; subscribed only while mounted. */
export type BreakersState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'known'; readonly breakers: readonly BreakerView[] }
  | { readonly kind: 'failed'; readonly problem: Problem };

export function useBreakers(): BreakersState {
  const { link } = useModel();
  const [state, setState] = useState<BreakersState>({ kind: 'loading' });
  useEffect(() => {
    let wanted = true;
    const know = (all: readonly BreakerView[]) =>
      setState({ kind: 'known', breakers: all.filter((breaker) => breaker.state !== 'closed') });
    const stop = link.on('breaker.changed', ({ breakers }) => know(breakers));
    void link.call('breaker.list', undefined).then((answer) => {
      if (!wanted) return;
      if (answer.ok) know(answer.value);
      else setState({ kind: 'failed', problem: answer.problem });
    });
    return () => {
      wanted = false;
      stop();
    };
  }, [link]);
  return state;
}
