import type { IpcCallName, IpcInput, IpcOutput } from '../../../shared/ipc/contract.ts';
import { sampleDetail, sampleKnown, sampleWeight } from './sample-client-detail.ts';

type ClientCall = Extract<IpcCallName, `client.${string}`>;
type ClientHandlers = { [N in ClientCall]: (input: IpcInput<N>) => IpcOutput<N> };

/** What a made-up hub knows of its clients. */
export function fakeClients(
  names: () => readonly { readonly id: string; readonly name: string }[],
): ClientHandlers {
  const nameOf = (id: string) => names().find((client) => client.id === id)?.name ?? id.replace('known:', '');
  return {
    'client.detail': ({ id }) => sampleDetail(id, nameOf(id)),
    'client.weigh': ({ id }) => sampleWeight(sampleDetail(id, nameOf(id))),
    'client.notify': () => undefined,
    'client.known': () => ({ clients: sampleKnown() }),
  };
}
