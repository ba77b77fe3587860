import type { IpcInput } from '../../../shared/ipc/contract.ts';
import type { StartCommand } from '../lifecycle/launch-command.ts';

export type ConnectionKind = IpcInput<'app.copyConnection'>['what'];

export interface ConnectionFacts {
  readonly url: string;
  readonly token: string;
  readonly bridge: BridgeCommand;
}

/** The command a client starts to reach the hub. */
export interface BridgeCommand extends StartCommand {
  readonly env?: Readonly<Record<string, string>>;
}

/** What is put on the clipboard so that a client can be pointed at the hub. */
export function connectionText(what: ConnectionKind, { url, token, bridge }: ConnectionFacts): string {
  switch (what) {
    case 'url':
      return url;
    case 'token':
      return token;
    case 'http-json':
      return clientJson({ type: 'http', url, headers: { Authorization: `Bearer ${token}` } });
    case 'bridge-json':
      return clientJson({
        command: bridge.command,
        args: bridge.args,
        ...(bridge.env ? { env: bridge.env } : {}),
      });
  }
}

function clientJson(entry: object): string {
  return `${JSON.stringify({ mcpServers: { patchbay: entry } }, null, 2)}\n`;
}
