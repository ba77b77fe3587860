import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { remotePeer } from '../../../../helper/remote-peer.ts';

type Respond = (body: string) => string;

const type = 'Content-Type: application/json\r\n';
const length = (body: string) => `Content-Length: ${body.length}\r\n`;
const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

const violations: readonly (readonly [string, Respond])[] = [
  [
    'sends 100 Continue unasked',
    (body) => `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n${type}${length(body)}\r\n${body}`,
  ],
  [
    'ends its lines without CR',
    (body) => `HTTP/1.1 200 OK\r\n${type}${length(body)}\r\n${body}`.replaceAll('\r', ''),
  ],
  [
    'has a control character in a header',
    (body) => `HTTP/1.1 200 OK\r\nX-Note: a\x01b\r\n${type}${length(body)}\r\n${body}`,
  ],
  [
    'states its length twice',
    (body) => `HTTP/1.1 200 OK\r\n${length(body)}${type}${length(body)}\r\n${body}`,
  ],
  [
    'states its length twice in one header, after 100 Continue',
    (body) =>
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n${type}Content-Length: ${body.length}, ${body.length}\r\n\r\n${body}`,
  ],
  [
    'states a length beside its chunks',
    (body) =>
      `HTTP/1.1 200 OK\r\n${type}Content-Length: 7\r\nTransfer-Encoding: chunked\r\n\r\n${chunked(body)}`,
  ],
];

/** Starts a raw server that writes its response by hand to requests of some methods, or to all. */
async function rawServer(respond: Respond, isOdd: (method: string) => boolean = () => true) {
  const asked: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      const body = text.slice(text.indexOf('\r\n\r\n') + 4);
      if (text.startsWith('GET')) socket.end('HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n');
      if (!body.endsWith('}')) return;
      text = '';
      const { id, method } = JSON.parse(body) as { readonly id?: number; readonly method: string };
      asked.push(method);
      const answer = JSON.stringify({ jsonrpc: '2.0', id, result: { did: method } });
      const plain = `HTTP/1.1 200 OK\r\n${type}${length(answer)}\r\n${answer}`;
      if (id === undefined) socket.write('HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n');
      else socket.write(isOdd(method) ? respond(answer) : plain);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` };
}

describe.each(violations)('a server that %s', (_name, respond) => {
  it('[NFR-R3] is greeted once more, and everything after it is sent once', async () => {
    const server = await rawServer(respond);
    await using near = await remotePeer(server.url);
    expect(await near.peer.request('initialize', {}).result).toEqual({ did: 'initialize' });
    await near.peer.notify('notifications/initialized');
    expect(await near.peer.request('tools/call', { name: 'x' }).result).toEqual({ did: 'tools/call' });
    expect(server.asked).toEqual(['initialize', 'initialize', 'notifications/initialized', 'tools/call']);
  });

  it('[NFR-R3] is asked for its era once more, and then for nothing else twice', async () => {
    const server = await rawServer(respond);
    const eraProbe = { known: undefined, isFixed: false, clientInfo: {} };
    await using near = await remotePeer(server.url, { eraProbe });
    expect(await near.peer.request('initialize', {}).result).toEqual({ did: 'initialize' });
    expect(server.asked).toEqual(['server/discover', 'server/discover', 'initialize']);
  });

  it('[NFR-R4] only in its answer to a call does not get that call again', async () => {
    const server = await rawServer(respond, (method) => method === 'tools/call');
    await using near = await remotePeer(server.url);
    await near.peer.request('initialize', {}).result;
    const failure = await near.peer.request('tools/call', { name: 'x' }).result.catch((error) => error);
    expect(failure).toMatchObject({ sent: true });
    expect(await near.peer.request('tools/call', { name: 'y' }).result).toEqual({ did: 'tools/call' });
    expect(server.asked).toEqual(['initialize', 'tools/call', 'tools/call']);
  });
});

describe('an old SSE server that ends its lines without CR', () => {
  it('[NFR-R3] is asked for its stream once more, and gets each message once', async () => {
    const asked: string[] = [];
    let stream: Socket | undefined;
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        const text = String(chunk);
        const body = text.slice(text.indexOf('\r\n\r\n') + 4);
        if (text.startsWith('GET')) {
          asked.push('GET');
          stream = socket;
          socket.write(
            'HTTP/1.1 200 OK\nContent-Type: text/event-stream\n\nevent: endpoint\ndata: /post\n\n',
          );
          return;
        }
        const { id, method } = JSON.parse(body) as { readonly id: number; readonly method: string };
        asked.push(method);
        socket.end('HTTP/1.1 202 Accepted\nContent-Length: 0\n\n');
        stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { did: method } })}\n\n`);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    await using near = await remotePeer(`http://127.0.0.1:${port}/sse`, { kind: 'sse' });
    expect(await near.peer.request('tools/call', { name: 'x' }).result).toEqual({ did: 'tools/call' });
    expect(asked).toEqual(['GET', 'GET', 'tools/call']);
    await near.peer.close();
    await expect.poll(() => stream?.destroyed).toBe(true);
  });
});
