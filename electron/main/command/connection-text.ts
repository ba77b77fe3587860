import type { IpcInput } from '../../../shared/ipc/contract.ts';
import type { Engine } from '../../engine/engine.ts';

export type ConnectionKind = IpcInput<'app.copyConnection'>['what'];

/** Returns the text to copy so that a client can be connected to the hub. */
export async function connectionText(
  what: ConnectionKind,
  { connection, connect }: Pick<Engine, 'connection' | 'connect'>,
): Promise<string> {
  switch (what) {
    case 'url':
    case 'token':
      return connection()[what];
    case 'http-json':
      return (await connect.snippet({ id: 'other', transport: 'http' })).whole;
    case 'bridge-json':
      return (await connect.snippet({ id: 'other', transport: 'stdio' })).whole;
  }
}
