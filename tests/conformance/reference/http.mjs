import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

/** Streamable HTTP at `/mcp`; resolves to its URL. */
export async function serveStreamableHttp(newServer) {
  const transports = new Map();
  return await listen(async (request, response) => {
    const sessionId = request.headers['mcp-session-id'];
    const known = transports.get(sessionId);
    if (known !== undefined) return known.handleRequest(request, response);
    if (sessionId !== undefined) return void response.writeHead(404).end();
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void transports.set(id, transport),
      onsessionclosed: (id) => void transports.delete(id),
    });
    await newServer().connect(transport);
    await transport.handleRequest(request, response);
  });
}

/** HTTP with SSE, the transport before it: GET opens the stream, its first event says where to post. */
export async function serveSse(newServer) {
  const transports = new Map();
  return await listen(async (request, response) => {
    if (request.method === 'GET') {
      const transport = new SSEServerTransport('/message', response);
      transports.set(transport.sessionId, transport);
      response.once('close', () => transports.delete(transport.sessionId));
      return await newServer().connect(transport);
    }
    const { searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const transport = transports.get(searchParams.get('sessionId'));
    if (transport === undefined) response.writeHead(404).end();
    else await transport.handlePostMessage(request, response);
  });
}

async function listen(serve) {
  const server = createServer((request, response) => {
    if (!isLocal(request.headers)) return void response.writeHead(403).end('Only programs of this machine');
    serve(request, response).catch((error) => {
      console.error(error);
      response.destroy();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${server.address().port}/mcp`;
}

/** A page in a browser must not reach this server under a name of its own (DNS rebinding). */
function isLocal({ host = '', origin }) {
  const local = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;
  return local.test(host) && (origin === undefined || local.test(origin.replace(/^https?:\/\//, '')));
}
