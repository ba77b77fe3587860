import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPeer } from '../../../../../electron/engine/jsonrpc/peer.ts';
import { createHttpClientTransport } from '../../../../../electron/engine/transport/http-client/http-client-transport.ts';
import { openHttpConnections } from '../../../../../electron/engine/transport/http-client/http-connections.ts';

type Cut =
  | 'before the first byte'
  | 'in the middle of its head'
  | 'in the middle of its answer'
  | 'in the middle of a stream';
const cuts: readonly Cut[] = [
  'before the first byte',
  'in the middle of its head',
  'in the middle of its answer',
  'in the middle of a stream',
];

/**
 * Starts a raw socket server that answers all requests, but closes the connection during the first of some.
 */
async function cuttingServer(cut: Cut, method: string, times: number, how: 'reset' | 'end') {
  const asked: string[] = [];
  let left = times;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      for (let end = endOf(text); end !== undefined; end = endOf(text)) {
        const request = text.slice(0, end);
        text = text.slice(end);
        answer(socket, request);
      }
    });
  });
  function answer(socket: Socket, request: string): void {
    const body = request.slice(request.indexOf('\r\n\r\n') + 4);
    if (body === '') return void socket.write('HTTP/1.1 405 No\r\ncontent-length: 0\r\n\r\n');
    const message = JSON.parse(body) as { readonly id?: number; readonly method: string };
    asked.push(message.method);
    if (message.id === undefined)
      return void socket.write('HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n');
    const reply = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { tools: [], content: [] } });
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${reply.length}\r\n\r\n`;
    if (message.method !== method || left === 0) return void socket.write(head + reply);
    left -= 1;
    const event = `: a\n\ndata: ${reply.slice(0, 12)}`;
    const starts: Readonly<Record<Cut, string>> = {
      'before the first byte': '',
      'in the middle of its head': head.slice(0, 30),
      'in the middle of its answer': head + reply.slice(0, 12),
      'in the middle of a stream': `${streamHead}${event.length.toString(16)}\r\n${event}\r\n`,
    };
    const close = () => (how === 'reset' ? socket.resetAndDestroy() : socket.end());
    if (starts[cut] === '') close();
    else socket.write(starts[cut], () => setImmediate(close));
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { asked, url: `http://127.0.0.1:${(server.address() as { readonly port: number }).port}/mcp` };
}

const streamHead = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';

/** Returns the end of the first request on a connection; undefined if it is incomplete. */
function endOf(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  return text.length >= head + 4 + length ? head + 4 + length : undefined;
}

async function connect(url: string) {
  const transport = createHttpClientTransport({ url, headers: {}, kind: 'http', isExplicit: true });
  let hasEnded = false;
  const peer = createPeer(transport, {
    request: () => Promise.reject(new Error('nothing is asked here')),
    notification: () => {},
    closed: () => {
      hasEnded = true;
    },
  });
  await peer.start();
  onTestFinished(() => peer.close());
  return { peer, ended: () => hasEnded };
}

describe.each(['reset', 'end'] as const)('a server that closes its connection by %s', (how) => {
  it.each(cuts)(
    '[NFR-R4] %s gets a call once, and the client learns that the call may have run',
    async (cut) => {
      const server = await cuttingServer(cut, 'tools/call', 1, how);
      const { peer, ended } = await connect(server.url);
      await peer.request('ping').result;
      const failure: unknown = await peer.request('tools/call', { name: 'x' }).result.catch((error) => error);
      expect(failure).toMatchObject({
        name: expect.stringMatching(/ConnectionClosedError|CutOffError/),
        sent: true,
        message: expect.stringMatching(/^The server closed the connection/),
      });
      expect(server.asked.filter((method) => method === 'tools/call')).toHaveLength(1);
      await peer.request('tools/call', { name: 'x' }).result;
      expect(ended()).toBe(false);
    },
  );

  it.each(cuts)('[PB-LIST-1] %s is asked for a list again, once', async (cut) => {
    const once = await cuttingServer(cut, 'tools/list', 1, how);
    const first = await connect(once.url);
    expect(await first.peer.request('tools/list').result).toMatchObject({ tools: [] });
    expect(once.asked).toEqual(['tools/list', 'tools/list']);

    const often = await cuttingServer(cut, 'tools/list', 5, how);
    const second = await connect(often.url);
    await expect(second.peer.request('tools/list').result).rejects.toThrow(
      /^The server closed the connection/,
    );
    expect(often.asked).toEqual(['tools/list', 'tools/list']);
    expect(second.ended()).toBe(false);
  });
});

describe('a kept connection that the server has closed', () => {
  it('[NFR-R4] while this program was busy is not used for the next request', async () => {
    const program = `
      const { parentPort, workerData: closed } = require('node:worker_threads');
      const server = require('node:net').createServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', () => {
          socket.write('HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\n\\r\\nok');
          setTimeout(() => socket.destroy(), 50);
        });
        socket.on('close', () => {
          Atomics.add(closed, 0, 1);
          Atomics.notify(closed, 0);
        });
      });
      server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;
    const closed = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(program, { eval: true, workerData: closed });
    onTestFinished(() => worker.terminate().then(() => undefined));
    const [port] = await once(worker, 'message');
    const connections = openHttpConnections();
    onTestFinished(() => connections.close());
    const url = `http://127.0.0.1:${port}/`;
    for (let time = 0; time < 3; time += 1) {
      const response = await connections.fetch(url, { method: 'POST', body: 'x' });
      expect(await response.text()).toBe('ok');
      expect(Atomics.wait(closed, 0, time, 60_000)).not.toBe('timed-out');
    }
  });
});
