import { useEffect, useState } from 'react';
import type { Problem } from '../../../shared/error/problem.ts';
import type { AccessView } from '../../../shared/model/access/access.ts';
import { useModel } from '../model-context.tsx';

/** State of access control; subscribed only while mounted. */
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
