import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { left } from '../../../../electron/engine/transport/http-server-stream.ts';

it('[NFR-R3] a stream that was full again and again listens to no more than at first', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  const listeners = () =>
    response.listenerCount('drain') + response.listenerCount('finish') + response.listenerCount('close');
  const before = listeners();
  for (let round = 0; round < 5; round += 1) {
    client.pause();
    response.write(Buffer.alloc(16 * 1024 * 1024));
    const waits = left(response);
    expect(listeners()).toBeGreaterThan(before);
    client.resume();
    await waits;
  }
  expect(listeners()).toBe(before);
  client.destroy();
  await left(response);
  server.close();
});
