import { ConnectionClosedError } from '../../../../electron/engine/jsonrpc/message.ts';
import type { RawMessage } from '../../../../electron/engine/jsonrpc/raw-message.ts';
import { toRaw } from '../../../../electron/engine/jsonrpc/read-message.ts';
import type {
  Connection,
  SupervisedServer,
  Supervisor,
} from '../../../../electron/engine/servers/contract.ts';

/**
 * Calls a tool and returns its text. Does what the router does: uses the connection named by the state, waits
 * if there is none, and retries once if the request was certainly not sent.
 */
export async function clientCall(
  supervisor: Supervisor,
  key: string,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const server = supervisor.servers.get(key);
  if (server === undefined) throw new Error(`There is no server ${key}`);
  const params = { name, arguments: args, _meta: { progressToken: 'p' } };
  const message = toRaw({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const first = connectionOf(server) ?? (await server.connection(60_000));
  try {
    return textOf(await first.forward(message, {}).result);
  } catch (error) {
    if (!(error instanceof ConnectionClosedError) || error.sent) throw error;
    const second = await server.connection(60_000);
    return textOf(await second.forward(message, {}).result);
  }
}

/** Calls in a loop until it is stopped, and yields the answers; rejects if a call fails. */
export function keepCalling(supervisor: Supervisor, key: string, name: string) {
  const answers: string[] = [];
  let isOver = false;
  const done = (async () => {
    while (!isOver) answers.push(await clientCall(supervisor, key, name));
  })();
  done.catch(() => undefined);
  return {
    answers,
    async stop(): Promise<readonly string[]> {
      isOver = true;
      await done;
      return answers;
    },
  };
}

export function connectionOf({ state }: SupervisedServer): Connection | undefined {
  return 'connection' in state ? state.connection : undefined;
}

function textOf({ result }: RawMessage): string {
  return (result as { content: { text: string }[] }).content[0]?.text ?? '';
}
