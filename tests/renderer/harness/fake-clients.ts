import type { IpcCallName, IpcInput, IpcOutput } from '../../../shared/ipc/contract.ts';
import type { ClientView } from '../../../shared/model/client/client.ts';
import { sampleDetail, sampleKnown, sampleWeight } from './sample-client-detail.ts';

type ClientCall = Extract<IpcCallName, `client.${string}`>;
type ClientHandlers = { [N in ClientCall]: (input: IpcInput<N>) => IpcOutput<N> };

/** Fakes the hub's client details. */
export function fakeClients(
  clients: () => readonly Pick<ClientView, 'id' | 'name' | 'compact'>[],
): ClientHandlers {
  const detailOf = (id: string) => {
    const client = clients().find((one) => one.id === id);
    // Codex is not connected and has compact mode.
    const compact = client === undefined ? 'client' : client.compact;
    return sampleDetail(id, client?.name ?? id.replace('known:', ''), compact);
  };
  return {
    'client.detail': ({ id }) => detailOf(id),
    'client.weigh': ({ id }) => sampleWeight(detailOf(id)),
    'client.notify': () => undefined,
    'client.known': () => ({ clients: sampleKnown() }),
  };
}
