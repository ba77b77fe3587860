import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';

/**
 * The suite speaks HTTP only: this puts Streamable HTTP before a program on stdio, one process a session. Messages pass
 * as they are; what the program says of its own accord goes on the stream of the latest request that is open, since
 * stdio does not tell what it belongs to.
 */
export async function startStdioShim(
  command: string,
  args: readonly string[],
): Promise<{ readonly url: string } & AsyncDisposable> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sessionId = request.headers['mcp-session-id'];
    const known = typeof sessionId === 'string' ? sessions.get(sessionId) : undefined;
    if (sessionId !== undefined && known === undefined) return void response.writeHead(404).end();
    const session = known ?? (await openSession(command, args, port, sessions));
    await session.handleRequest(request, response);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      await Promise.all([...sessions.values()].map((session) => session.close()));
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function openSession(
  command: string,
  args: readonly string[],
  port: number,
  sessions: Map<string, StreamableHTTPServerTransport>,
): Promise<StreamableHTTPServerTransport> {
  const program = new StdioClientTransport({ command, args: [...args], stderr: 'ignore' });
  const front: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, front),
    enableDnsRebindingProtection: true,
    allowedHosts: [`localhost:${port}`, `127.0.0.1:${port}`],
    allowedOrigins: [`http://localhost:${port}`, `http://127.0.0.1:${port}`],
  });
  relay(front, program);
  await program.start();
  await front.start();
  return front;
}

function relay(front: StreamableHTTPServerTransport, program: StdioClientTransport): void {
  const open = new Set<RequestId>();
  front.onmessage = (message) => {
    if ('method' in message && 'id' in message) open.add(message.id);
    void program.send(message);
  };
  program.onmessage = (message: JSONRPCMessage) => {
    const latest = [...open].at(-1);
    if (!('method' in message) && message.id !== undefined) open.delete(message.id);
    const options = 'method' in message && latest !== undefined ? { relatedRequestId: latest } : {};
    front.send(message, options).catch(() => {});
  };
  front.onclose = () => void program.close();
  program.onclose = () => void front.close();
}
