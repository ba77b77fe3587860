import type { IpcCallName, IpcInput, IpcOutput } from '../../../shared/ipc/contract.ts';
import type { ConnectClient } from '../../../shared/model/client/connect.ts';
import { sampleConnectClients, sampleConnectPreview, sampleConnectProof } from './sample-connect.ts';

type ConnectCall = Extract<IpcCallName, `connect.${string}`>;
type ConnectHandlers = {
  [N in ConnectCall]: (input: IpcInput<N>) => IpcOutput<N> | Promise<IpcOutput<N>>;
};

/** Fakes the clients of a machine: connecting one works and is announced. */
export function fakeConnect(push: (clients: readonly ConnectClient[]) => void): ConnectHandlers {
  let clients = sampleConnectClients;
  const change = (id: string, changed: Partial<ConnectClient>) => {
    clients = clients.map((client) => (client.id === id ? { ...client, ...changed } : client));
    push(clients);
  };
  const filesOf = (id: string) => clients.find((client) => client.id === id)?.files ?? [];
  return {
    'connect.list': () => ({ clients }),
    'connect.locate': ({ id }) => {
      const file = { file: '/home/ada/elsewhere/config.json', exists: true, chosen: true };
      change(id, { status: 'found', files: [{ ...file, status: 'found' }] });
      return { chosen: true };
    },
    'connect.forgetFile': ({ id }) => {
      change(id, { status: 'not-found', files: [] });
      return undefined;
    },
    'connect.preview': ({ id }) => {
      const preview = sampleConnectPreview(id, filesOf(id));
      const isConnected = clients.some((client) => client.id === id && client.status === 'connected');
      if (!isConnected) return preview;
      return { ...preview, files: filesOf(id).map(({ file }) => ({ kind: 'unchanged', file })) };
    },
    'connect.apply': ({ id }) => {
      change(id, { status: 'connected', since: Date.now(), canUndo: true });
      return {
        files: filesOf(id).map(({ file }) => ({
          kind: 'written',
          file,
          write: 'w1',
          backup: `${file}.backup`,
        })),
      };
    },
    'connect.prove': ({ id }) => {
      const proof = sampleConnectProof(filesOf(id)[0]?.file ?? '');
      change(id, { proof: { ok: true, at: proof.at, tools: 42 } });
      return proof;
    },
    'connect.quitClient': () => ({ quit: true }),
    'connect.undo': ({ id }) => {
      change(id, { status: 'found', canUndo: false });
      return { files: filesOf(id).map(({ file }) => ({ kind: 'restored', file })) };
    },
    'connect.accept': ({ id }) => {
      change(id, { status: 'found', canUndo: false });
      return undefined;
    },
    'connect.journal': () => ({ records: [] }),
    'connect.snippet': ({ transport }) => ({
      text:
        transport === 'stdio'
          ? '{ "command": "/home/ada/.patchbay/bin/patchbay-bridge" }'
          : '{ "type": "http", "url": "http://127.0.0.1:7420/mcp", "headers": { "Authorization": "Bearer •••" } }',
      language: 'json',
    }),
    'connect.copySnippet': () => undefined,
    'connect.openBundle': () => undefined,
  };
}
