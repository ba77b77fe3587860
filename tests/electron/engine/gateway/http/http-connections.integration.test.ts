import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  type ConnectionLimits,
  createLimitedServer,
} from '../../../../../electron/engine/gateway/http/http-connections.ts';
import { eventually } from '../../../../helper/eventually.ts';

/** Limits that no request of a test reaches. */
const limits: ConnectionLimits = {
  headersMs: 60_000,
  requestMs: 60_000,
  checkMs: 50,
  maxConnections: 2_000,
};

async function served(more: Partial<ConnectionLimits> = {}) {
  const server = createLimitedServer(
    (request, response) => {
      request.resume();
      request.on('end', () => response.end('served'));
    },
    { ...limits, ...more },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    server,
    port,
    open: () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count))),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Talk {
  readonly socket: Socket;
  readonly heard: () => string;
  readonly closed: Promise<void>;
}

function talk(port: number, text = ''): Talk {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.on('data', (bytes) => {
    heard += bytes;
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.write(text);
  return { socket, heard: () => heard, closed };
}

const jsonOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));

describe('bad connections', () => {
  it.each([
    ['bytes that are no HTTP', 'hello\r\n\r\n', '400', 'bad_request'],
    ['another protocol', '\u0016\u0003\u0001\u0002\u0000', '400', 'bad_request'],
    ['a header without end', `GET / HTTP/1.1\r\nX: ${'x'.repeat(100_000)}`, '431', 'header_too_large'],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', '405', 'method_not_allowed'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      '400',
      'bad_request',
    ],
    [
      'two ways of telling the length',
      'POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      '400',
      'bad_request',
    ],
  ])('are answered: %s', async (_what, text, status, code) => {
    await using it = await served();
    const { heard, closed } = talk(it.port, text);
    await closed;
    expect(heard()).toContain(`HTTP/1.1 ${status} `);
    expect(jsonOf(heard())).toMatchObject({ code, error: expect.stringMatching(/\.$/) });
  });

  it('are closed when the headers or the body arrive too slowly', async () => {
    await using it = await served({ headersMs: 200, requestMs: 300 });
    const slow = [
      talk(it.port, 'GET / HTTP/1.1\r\nHost: x\r\nX-'),
      talk(it.port, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{'),
    ];
    const drip = setInterval(() => {
      for (const { socket } of slow) socket.write('a');
    }, 20);
    await Promise.all(slow.map(({ closed }) => closed));
    clearInterval(drip);
    for (const { heard } of slow) {
      expect(heard()).toContain('HTTP/1.1 408 ');
      expect(jsonOf(heard())).toMatchObject({ code: 'request_timeout' });
    }
    await eventually(async () => expect(await it.open()).toBe(0));
  });

  it('are answered with 503 if there are too many, and accepted again once others have closed', async () => {
    await using it = await served({ maxConnections: 50 });
    const many = Array.from({ length: 50 }, () => talk(it.port));
    await eventually(async () => expect(await it.open()).toBe(50));
    const more = talk(it.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await more.closed;
    expect(more.heard()).toContain('HTTP/1.1 503 ');
    expect(jsonOf(more.heard())).toMatchObject({ code: 'too_many_connections' });
    for (const { socket } of many) socket.destroy();
    await eventually(async () => expect(await it.open()).toBe(0));
    const again = await fetch(`http://127.0.0.1:${it.port}/`);
    expect(await again.text()).toBe('served');
  });
});
