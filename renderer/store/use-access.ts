import { useEffect, useState } from 'react';
import type { Problem } from '../../shared/error/problem.ts';
import type { AccessView } from '../../shared/model/access.ts';
import { useModel } from './model-context.tsx';

/** What is known of who may call what; only followed while somebody looks. */
export type AccessState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'known'; readonly view: AccessView }
  | { readonly kind: 'failed'; readonly problem: Problem };

export function useAccess(): AccessState {
  const { link } = useModel();
  const [state, setState] = useState<AccessState>({ kind: 'loading' });
  useEffect(() => {
    let wanted = true;
    const stop = link.on('access.changed', (view) => setState({ kind: 'known', view }));
    void link.call('access.get', undefined).then((answer) => {
      if (!wanted) return;
      setState(
        answer.ok ? { kind: 'known', view: answer.value } : { kind: 'failed', problem: answer.problem },
      );
    });
    return () => {
      wanted = false;
      stop();
    };
  }, [link]);
  return state;
}
