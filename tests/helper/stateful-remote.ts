import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { httpServer, type TestHttpServer } from './http-server.ts';

/** A server elsewhere whose one tool counts the calls of each session. */
export interface StatefulRemote extends TestHttpServer {
  /** Names of the clients that have a session, in the order in which they came. */
  clients(): readonly string[];
}

export async function statefulRemote(): Promise<StatefulRemote> {
  const sessions = new Map<
    string,
    { readonly transport: StreamableHTTPServerTransport; server: McpServer }
  >();
  const web = await httpServer(async (request, response) => {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    const transport = known?.transport ?? (await open());
    await transport.handleRequest(request, response);
  });

  async function open(): Promise<StreamableHTTPServerTransport> {
    const server = counter();
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, { transport, server }),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await server.connect(transport as Transport);
    return transport;
  }

  return {
    ...web,
    clients: () => [...sessions.values()].map(({ server }) => server.server.getClientVersion()?.name ?? ''),
    [Symbol.asyncDispose]: web.stop,
  };
}

function counter(): McpServer {
  const server = new McpServer({ name: 'counter', version: '1.0.0' });
  let count = 0;
  server.registerTool('count', {}, () => {
    count += 1;
    return { content: [{ type: 'text', text: String(count) }] };
  });
  return server;
}
