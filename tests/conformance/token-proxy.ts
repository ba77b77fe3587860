import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The suite knows no tokens: this adds the hub's to every request. Of the Host header only the port is changed, to that
 * of the hub, so that the hub still sees, and refuses, a name that is not this machine's.
 */
export async function startTokenProxy(
  target: URL,
  token: string,
): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = createServer((incoming, outgoing) => forward(incoming, outgoing, target, token));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}${target.pathname}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, target: URL, token: string): void {
  const host = (incoming.headers.host ?? '').replace(/:\d+$/, '');
  const headers = { ...incoming.headers, host: `${host}:${target.port}`, authorization: `Bearer ${token}` };
  const { hostname, port, pathname } = target;
  const sent = request({ hostname, port, path: pathname, method: incoming.method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    outgoing.flushHeaders();
    answer.pipe(outgoing);
  });
  sent.on('error', () => outgoing.destroy());
  outgoing.on('close', () => sent.destroy());
  incoming.pipe(sent);
}
