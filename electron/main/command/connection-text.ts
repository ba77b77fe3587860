import type { IpcInput } from '../../../shared/ipc/contract.ts';
import type { Hub } from '../../engine/engine.ts';

export type ConnectionKind = IpcInput<'app.copyConnection'>['what'];

/** Returns the text to copy so that a client can be connected to the hub. */
export async function connectionText(
  what: ConnectionKind,
  hub: Pick<Hub, 'connection' | 'run'>,
): Promise<string> {
  switch (what) {
    case 'url':
    case 'token':
      return hub.connection()[what];
    case 'http-json':
      return (await hub.run('connect.wholeSnippet', { id: 'other', transport: 'http' })).text;
    case 'bridge-json':
      return (await hub.run('connect.wholeSnippet', { id: 'other', transport: 'stdio' })).text;
  }
}
