import { useEffect, useState } from 'react';
import type { Problem } from '../../../shared/error/problem.ts';
import type { ConnectClient } from '../../../shared/model/client/connect.ts';
import { useModel } from '../model-context.tsx';

/** Clients on this machine; subscribed only while mounted. */
export type ConnectClientsState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'known'; readonly clients: readonly ConnectClient[] }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** Looks for clients when first mounted, by checking for files; reads none of them. */
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
