import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LabelledTool } from './read-data.ts';

/** The servers of a set, each as an MCP server of its own at `/<key>`, over streamable HTTP on this machine. */
export interface CorpusServer {
  /** As `mcp.json` has them. */
  readonly entries: Readonly<Record<string, { readonly type: 'http'; readonly url: string }>>;
  close(): void;
}

export async function serveCorpus(tools: readonly LabelledTool[], port = 0): Promise<CorpusServer> {
  const keys = [...new Set(tools.map(({ document }) => document.serverKey))];
  const offers = new Map(
    keys.map((key) => [
      key,
      tools.filter(({ document }) => document.serverKey === key).map(({ item }) => item),
    ]),
  );
  const server = createServer((request, response) => {
    const key = decodeURIComponent((request.url ?? '/').slice(1));
    void answer(key, offers.get(key), request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    entries: Object.fromEntries(
      keys.map((key) => [key, { type: 'http', url: `${base}/${encodeURIComponent(key)}` }]),
    ),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(
  key: string,
  tools: readonly unknown[] | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (tools === undefined) return void response.writeHead(404).end();
  // Nothing is ever said unasked.
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const { id, method } = JSON.parse(await textOf(request)) as { id?: unknown; method?: string };
  if (id === undefined) return void response.writeHead(202).end();
  const results: Readonly<Record<string, unknown>> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: key, version: '1.0.0' },
    },
    'tools/list': { tools },
    ping: {},
  };
  const result = results[method ?? ''];
  const outcome = result === undefined ? { error: { code: -32601, message: 'Unknown method' } } : { result };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
