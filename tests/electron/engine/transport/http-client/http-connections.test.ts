import { once } from 'node:events';
import { request as ask, createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import tls from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPeer } from '../../../../../electron/engine/jsonrpc/peer.ts';
import { createHttpClientTransport } from '../../../../../electron/engine/transport/http-client/http-client-transport.ts';
import { openHttpConnections } from '../../../../../electron/engine/transport/http-client/http-connections.ts';
import { networkError } from '../../../../../electron/engine/transport/http-client/network-error.ts';
import { ProblemError } from '../../../../../shared/error/problem.ts';
import { httpServer, readJson, sendJson } from '../../../../helper/http-server.ts';

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Starts a proxy that leads every http address to one local port; it tunnels https only. */
async function proxyTo(port: number) {
  const asked: string[] = [];
  const note = ({ method, url, headers }: IncomingMessage) =>
    asked.push(`${method} ${url} ${headers['proxy-authorization'] ?? 'unnamed'}`);
  const proxy = createHttpServer((request, response) => {
    note(request);
    const { method, headers } = request;
    const { pathname: path } = new URL(request.url ?? '');
    const target = ask({ port, host: '127.0.0.1', path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(target);
  });
  proxy.on('connect', (request, client) => {
    note(request);
    client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  return { port: await listening(proxy), asked };
}

async function failureThrough(proxy: string, url: string) {
  const connections = openHttpConnections({ HTTP_PROXY: proxy, HTTPS_PROXY: proxy });
  onTestFinished(() => connections.close());
  const error = await connections.fetch(url, { method: 'POST', body: '{}' }).catch((failure) => failure);
  const { cause, sent } = networkError(new URL(url), error);
  if (!(cause instanceof ProblemError)) throw new Error('no problem');
  return { sent, problem: cause.problem };
}

const portOf = (url: string) => Number(new URL(url).port);

describe('connections', () => {
  it('[AG-US1-AC3] reach a server through the proxy of the environment', async () => {
    await using server = await httpServer(async (request, response) => {
      if (request.method !== 'POST') return sendJson(response, 405);
      const { id, method } = (await readJson(request)) as { id: number; method: string };
      sendJson(response, 200, { jsonrpc: '2.0', id, result: { method, host: request.headers.host } });
    });
    const proxy = await proxyTo(portOf(server.url));
    const transport = createHttpClientTransport({
      url: 'http://mcp.example/mcp',
      headers: {},
      kind: 'http',
      isExplicit: true,
      env: { HTTP_PROXY: `http://ann:pass%20word@127.0.0.1:${proxy.port}` },
    });
    const peer = createPeer(transport, {
      request: async () => ({}),
      notification: () => {},
      closed: () => {},
    });
    await peer.start();
    expect(await peer.request('hello').result).toEqual({ method: 'hello', host: 'mcp.example' });
    await peer.close();
    const credentials = Buffer.from('ann:pass word').toString('base64');
    expect(new Set(proxy.asked)).toEqual(new Set([`POST http://mcp.example/mcp Basic ${credentials}`]));
  });

  it.each([407, 403, 502])('[NFR-R3] name the proxy that refuses a tunnel with %i', async (status) => {
    const proxy = createHttpServer();
    proxy.on('connect', (_request, client) => client.end(`HTTP/1.1 ${status} No\r\n\r\n`));
    const port = await listening(proxy);
    expect(await failureThrough(`http://ann:pass-word@127.0.0.1:${port}`, 'https://mcp.example/mcp')).toEqual(
      {
        sent: false,
        problem: expect.objectContaining({
          sentence: `The proxy 127.0.0.1:${port} refused the connection to mcp.example.`,
          fix: expect.stringContaining('HTTPS_PROXY'),
          cause: { code: 'proxy' },
          evidence: expect.arrayContaining([
            { label: 'error', value: expect.stringContaining(`(${status})`) },
          ]),
        }),
      },
    );
  });

  it('[NFR-R3] name the proxy that wants a sign-in for a plain request', async () => {
    const port = await listening(
      createHttpServer((_request, response) => void response.writeHead(407).end()),
    );
    const { sent, problem } = await failureThrough(`http://127.0.0.1:${port}`, 'http://mcp.example/mcp');
    expect(sent).toBe(false);
    expect(problem.sentence).toBe(`The proxy 127.0.0.1:${port} refused the connection to mcp.example.`);
  });

  it.each(['http://mcp.example/mcp', 'https://mcp.example/mcp'])(
    '[NFR-R3] name the proxy that is not there, in place of the server: %s',
    async (url) => {
      const { problem } = await failureThrough('http://ann:pass-word@127.0.0.1:1', url);
      expect(problem.sentence).toBe('The proxy 127.0.0.1:1 cannot be reached.');
      expect(JSON.stringify(problem)).not.toContain('pass-word');
    },
  );

  it('go straight to what NO_PROXY names and to this machine', async () => {
    await using server = await httpServer((_request, response) => sendJson(response, 200, 'direct'));
    const proxy = await proxyTo(portOf(server.url));
    const env = { ALL_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: 'internal.invalid' };
    const connections = openHttpConnections(env);
    onTestFinished(() => connections.close());
    expect(await (await connections.fetch(server.url)).json()).toBe('direct');
    await expect(connections.fetch('http://internal.invalid/')).rejects.toThrow();
    expect(proxy.asked).toEqual([]);
    expect(await (await connections.fetch('http://outside.invalid/')).json()).toBe('direct');
    await expect(connections.fetch('https://outside.invalid/')).rejects.toThrow();
    expect(proxy.asked).toEqual([
      'GET http://outside.invalid/ unnamed',
      'CONNECT outside.invalid:443 unnamed',
    ]);
  });

  it('say what is wrong with a proxy without showing its password', async () => {
    for (const proxy of ['socks5://ann:hush@127.0.0.1:1', 'http://ann:hush@ /']) {
      const connections = openHttpConnections({ ALL_PROXY: proxy });
      onTestFinished(() => connections.close());
      const failure: unknown = await connections.fetch('http://outside.invalid/').catch((error) => error);
      expect(String(failure)).toMatch(/proxy|proxies/);
      expect(String(failure)).not.toContain('hush');
    }
  });

  it('[NFR-SEC2] offer TLS 1.2 and 1.3 only, even where the process was told to allow less', async () => {
    const hellos: Buffer[] = [];
    const port = await listening(
      createServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', (data) => {
          hellos.push(data);
          socket.destroy();
        });
      }),
    );
    const before = tls.DEFAULT_MIN_VERSION;
    onTestFinished(() => {
      tls.DEFAULT_MIN_VERSION = before;
    });
    tls.DEFAULT_MIN_VERSION = 'TLSv1';
    const plain = tls.connect({ port, host: '127.0.0.1' });
    await once(plain, 'error');
    const connections = openHttpConnections();
    onTestFinished(() => connections.close());
    await expect(connections.fetch(`https://127.0.0.1:${port}/`)).rejects.toThrow();
    const [lax, ours] = hellos.map(offeredVersions);
    expect(lax).toContain(0x03_01);
    expect(ours).toEqual([0x03_04, 0x03_03]);
  });
});

/** Reads `supported_versions` of a ClientHello (RFC 8446, 4.2.1). */
function offeredVersions(hello: Buffer): readonly number[] {
  // Skips record and handshake headers, version and random.
  let at = 5 + 4 + 2 + 32;
  at += 1 + hello.readUInt8(at);
  at += 2 + hello.readUInt16BE(at);
  at += 1 + hello.readUInt8(at);
  const end = at + 2 + hello.readUInt16BE(at);
  for (at += 2; at < end; at += 4 + hello.readUInt16BE(at + 2)) {
    if (hello.readUInt16BE(at) !== 43) continue;
    const count = hello.readUInt8(at + 4) / 2;
    return Array.from({ length: count }, (_, index) => hello.readUInt16BE(at + 5 + 2 * index));
  }
  return [];
}
