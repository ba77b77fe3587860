import { useEffect, useState } from 'react';
import { useStore } from 'zustand/react';
import type { Problem } from '../../../shared/error/problem.ts';
import type { ClientDetail, ClientWeight, KnownClient } from '../../../shared/model/client/client-detail.ts';
import { useModel } from '../model-context.tsx';

export type ClientDetailState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly problem: Problem }
  | { readonly kind: 'known'; readonly detail: ClientDetail };

/** Fetches the detail again whenever the client or the catalogue changes. */
export function useClientDetail(id: string): ClientDetailState {
  const { link, mirrors } = useModel();
  const [state, setState] = useState<ClientDetailState>({ kind: 'loading' });
  const client = useStore(mirrors.clients, (clients) => clients.find((one) => one.id === id));
  const revision = useStore(mirrors.hub, (hub) => hub?.revision);
  const profiles = useStore(mirrors.profiles, (view) => view);
  // biome-ignore lint/correctness/useExhaustiveDependencies: fetches again when any of these changes
  useEffect(() => {
    let wanted = true;
    void link.call('client.detail', { id }).then((answer) => {
      if (!wanted) return;
      setState(
        answer.ok ? { kind: 'known', detail: answer.value } : { kind: 'failed', problem: answer.problem },
      );
    });
    return () => {
      wanted = false;
    };
  }, [link, id, client, revision, profiles]);
  return state;
}

export type ClientWeightState =
  | { readonly kind: 'counting' }
  | { readonly kind: 'failed'; readonly problem: Problem }
  | { readonly kind: 'known'; readonly weight: ClientWeight };

/** Estimates the tokens of a client's tools; again when the tools change. */
export function useClientWeight({ id, tools, compact }: ClientDetail): ClientWeightState {
  const { link } = useModel();
  const [state, setState] = useState<ClientWeightState>({ kind: 'counting' });
  const names = [compact.tools, ...tools.map(({ wireName }) => wireName)].join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the joined names represent the tools
  useEffect(() => {
    let wanted = true;
    void link.call('client.weigh', { id }).then((answer) => {
      if (!wanted) return;
      setState(
        answer.ok ? { kind: 'known', weight: answer.value } : { kind: 'failed', problem: answer.problem },
      );
    });
    return () => {
      wanted = false;
    };
  }, [link, id, names]);
  return state;
}

/**
 * Returns clients that called tools recently and are not connected; fetched again as clients connect and
 * disconnect.
 */
export function useKnownClients(): readonly KnownClient[] {
  const { link, mirrors } = useModel();
  const count = useStore(mirrors.clients, (clients) => clients.length);
  const [known, setKnown] = useState<readonly KnownClient[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: fetches again when a client connects or disconnects
  useEffect(() => {
    let wanted = true;
    void link.call('client.known', undefined).then((answer) => {
      if (wanted && answer.ok) setKnown(answer.value.clients);
    });
    return () => {
      wanted = false;
    };
  }, [link, count]);
  return known;
}
