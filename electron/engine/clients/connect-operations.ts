import type { OperationHandlers } from '../base/operation-handlers.ts';
import type { Connector } from './contract.ts';

/**
 * `clientConnected` registers a client that a person has connected, so that it works from its first call on.
 */
export function connectOperations(connector: Connector, clientConnected: (name: string) => Promise<void>) {
  return {
    'connect.list': async () => ({ clients: await connector.list() }),
    'connect.setFile': ({ id, file }) => connector.setFile(id, file),
    'connect.preview': ({ id }) => connector.preview(id),
    'connect.apply': async ({ id, previewId }) => {
      const files = await connector.apply(id, previewId);
      // If this fails, the client becomes known with its first connection.
      await clientConnected(id).catch(() => undefined);
      return { files };
    },
    'connect.prove': ({ id }) => connector.prove(id),
    'connect.quitClient': async ({ id }) => ({ quit: await connector.quitClient(id) }),
    'connect.undo': async ({ id }) => ({ files: await connector.undo(id) }),
    'connect.accept': ({ id }) => connector.accept(id),
    'connect.journal': async () => ({ records: await connector.journal() }),
    'connect.snippet': async (wish) => (await connector.snippet(wish)).shown,
    'connect.wholeSnippet': async (wish) => ({ text: (await connector.snippet(wish)).whole }),
    'connect.bundleFile': async () => ({ file: await connector.bundleFile() }),
  } satisfies Partial<OperationHandlers>;
}
