import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { callThroughHub } from './client.ts';
import { callWithSdk } from './sdk-client.ts';
import type { Outcome, Revision, ScoredSet, Suite } from './suite.ts';
import { within } from './within.ts';

/**
 * Does what a scenario asks of a client: calls all tools of the server at `url`. `context` is the scenario's own, as JSON
 * text. Rejects if the server could not be used.
 */
type Client = (url: string, context: string) => Promise<void>;

/** The client scenarios: the suite plays the remote server, the hub is its client. */
export function clientSets(suite: Suite): readonly ScoredSet[] {
  const run = (client: Client, revision?: Revision): Promise<readonly Outcome[]> =>
    within(commandOf(client), ({ command }) => suite.client(command, revision));
  return [
    { name: 'sessions: the hub as the client', run: () => run(callThroughHub) },
    { name: 'stateless: the hub as the client', run: () => run(callThroughHub, '2026-07-28') },
    { name: 'sessions: the SDK’s client alone', run: () => run(callWithSdk) },
  ];
}

/**
 * Serves the command that the suite starts for each scenario: `ask.mjs` asks this process, which has all modules loaded, and
 * each time begins with a client of its own. The suite cuts a command at spaces, so none may be in a path.
 */
async function commandOf(client: Client): Promise<{ readonly command: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    answer(client, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    command: `${process.execPath} ${fileURLToPath(new URL('ask.mjs', import.meta.url))} ${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(client: Client, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { url, context }: { url: string; context: string } = JSON.parse(Buffer.concat(chunks).toString());
  const failure = await client(url, context).then(() => '', String);
  response.writeHead(failure === '' ? 200 : 500).end(failure);
}
