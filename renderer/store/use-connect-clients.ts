import { useEffect, useState } from 'react';
import type { Problem } from '../../shared/error/problem.ts';
import type { ConnectClient } from '../../shared/model/connect.ts';
import { useModel } from './model-context.tsx';

/** The clients of this machine; only followed while somebody looks. */
export type ConnectClientsState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'known'; readonly clients: readonly ConnectClient[] }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** Looked for when it is first wanted, by asking for files; nothing of theirs is read. */
export function useConnectClients(): ConnectClientsState {
  const { link } = useModel();
  const [state, setState] = useState<ConnectClientsState>({ kind: 'loading' });
  useEffect(() => {
    let wanted = true;
    const stop = link.on('connect.changed', ({ clients }) => setState({ kind: 'known', clients }));
    void link.call('connect.list', undefined).then((answer) => {
      if (!wanted) return;
      setState(
        answer.ok
          ? { kind: 'known', clients: answer.value.clients }
          : { kind: 'failed', problem: answer.problem },
      );
    });
    return () => {
      wanted = false;
      stop();
    };
  }, [link]);
  return state;
}
