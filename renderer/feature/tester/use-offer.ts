import { useEffect, useState } from 'react';
import type { Problem } from '../../../shared/error/problem.ts';
import type { OfferedItems } from '../../../shared/model/tester.ts';
import { useModel, useServers } from '../../store/model-context.tsx';

export type OfferedItemsState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly offer: OfferedItems }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** Fetches the prompts and resources of a server, again after a reconnect or when their number changes. */
export function useOfferedItems(serverKey: string): OfferedItemsState {
  const { link } = useModel();
  const version = useServers(({ byKey }) => {
    const server = byKey[serverKey];
    return `${server?.connectedAt} ${server?.counts.prompts} ${server?.counts.resources} ${server?.cached}`;
  });
  const [state, setState] = useState<OfferedItemsState>({ kind: 'loading' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a reconnected server may offer other items
  useEffect(() => {
    let wanted = true;
    void link.call('tester.offer', { serverKey }).then((answer) => {
      if (!wanted) return;
      setState(
        answer.ok ? { kind: 'ready', offer: answer.value } : { kind: 'failed', problem: answer.problem },
      );
    });
    return () => {
      wanted = false;
    };
  }, [link, serverKey, version]);
  return state;
}
