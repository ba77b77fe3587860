import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ServerOrder } from '../../../../electron/engine/supervise/contract.ts';
import { ancestorsHeader, readAncestors } from '../../../../shared/model/loop.ts';
import { harness } from './harness.ts';

const token = 'secret-token-value';

/** A minimal MCP server over Streamable HTTP that wants a token and answers `headers` with what it was sent. */
async function remoteServer(port = 0) {
  const server = createServer((request, response) => void answer(request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${address.port}/mcp`, port: address.port, close };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.headers.authorization !== `Bearer ${token}`) {
    response.writeHead(401).end();
    return;
  }
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'remote', version: '1' },
    },
    headers: request.headers,
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
}

function remoteOrder(url: string, authorization = `Bearer ${token}`): ServerOrder {
  const value = { kind: 'http', explicit: true, url, headers: { authorization } } as const;
  return {
    key: 'r',
    enabled: true,
    restart: 'always',
    target: { ok: true, value },
    fingerprint: JSON.stringify(value),
    display: url,
  };
}

describe('a remote server', () => {
  it('is connected with its headers, and told who is above it since it runs on this machine', async () => {
    await using h = harness();
    const remote = await remoteServer();
    try {
      h.supervisor.apply([remoteOrder(remote.url)]);
      const { connection, pid } = await h.until('r', 'connected');
      expect(pid).toBeUndefined();
      expect(connection.handshake.serverInfo).toMatchObject({ name: 'remote' });
      const headers = (await connection.request('headers').result) as Record<string, string>;
      expect(headers['mcp-protocol-version']).toBe('2025-11-25');
      expect(readAncestors(headers[ancestorsHeader])).toEqual([h.instanceId]);
    } finally {
      await remote.close();
    }
  });

  it('needs authorization when it refuses the token', async () => {
    await using h = harness();
    const remote = await remoteServer();
    try {
      h.supervisor.apply([remoteOrder(remote.url, 'Bearer wrong-token-value')]);
      const { problem } = await h.until('r', 'needs-auth');
      expect(problem.code).toBe('server.unauthorized');
      expect(JSON.stringify(problem)).not.toContain('wrong-token-value');
      h.supervisor.apply([remoteOrder(remote.url)]);
      await h.until('r', 'connected');
    } finally {
      await remote.close();
    }
  });

  it('[NFR-R2] is tried again until it answers', async () => {
    await using h = harness();
    const { url, port, close } = await remoteServer();
    await close();
    h.supervisor.apply([remoteOrder(url)]);
    const { problem } = await h.until('r', 'disconnected', (state) => state.nextTryAt !== undefined);
    expect(problem?.code).toBe('server.unreachable');
    const remote = await remoteServer(port);
    try {
      await h.until('r', 'connected');
    } finally {
      await remote.close();
    }
  });
});
