import { useEffect, useState } from 'react';
import type { Problem } from '../../../shared/error/problem.ts';
import type { SecretsView } from '../../../shared/model/hub/secret.ts';
import { useModel } from '../model-context.tsx';

/** State of the vault; subscribed only while mounted. */
export type SecretsState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'known'; readonly view: SecretsView }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** Returns names, uses and times of the secrets, never values. */
export function useSecrets(): SecretsState {
  const { link } = useModel();
  const [state, setState] = useState<SecretsState>({ kind: 'loading' });
  useEffect(() => {
    let wanted = true;
    const stop = link.on('secrets.changed', (view) => setState({ kind: 'known', view }));
    void link.call('secret.list', undefined).then((answer) => {
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
