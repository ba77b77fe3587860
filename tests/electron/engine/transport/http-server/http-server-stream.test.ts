import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { UnreadResponses } from '../../../../../electron/engine/transport/http-server/http-server-stream.ts';

it('[NFR-R3] a stream that fills repeatedly, with many that wait for it, adds no listeners', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  const listeners = () =>
    response.listenerCount('drain') + response.listenerCount('finish') + response.listenerCount('close');
  const before = listeners();
  const unread = new UnreadResponses();
  for (let round = 0; round < 5; round += 1) {
    client.pause();
    response.write(Buffer.alloc(16 * 1024 * 1024));
    const waits = Promise.all(Array.from({ length: 50 }, () => unread.whenFlushed(response)));
    expect(listeners()).toBe(before + 3);
    expect(unread.congestion).toBeDefined();
    client.resume();
    await waits;
  }
  expect(listeners()).toBe(before);
  client.destroy();
  expect(unread.congestion).toBeUndefined();
  await unread.whenFlushed(response);
  server.close();
});

it('[NFR-R3] a client that reads none of many answers holds senders back once, and loses them when they are too many', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const unread = new UnreadResponses();
  const congestions = new Set<Promise<void> | undefined>();
  const responses: ServerResponse[] = [];
  const answer = async () => {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
    client.pause();
    client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
    responses.push(response);
    response.end(Buffer.alloc(32 * 1024 * 1024));
    void unread.whenFlushed(response);
    if (unread.congestion !== undefined) congestions.add(unread.congestion);
  };
  for (let count = 0; count < 6; count += 1) await answer();
  expect(congestions.size).toBe(1);
  expect(responses.every(({ destroyed }) => !destroyed)).toBe(true);
  for (let count = 0; count < 6; count += 1) await answer();
  expect(congestions.size).toBe(1);
  expect(responses.slice(0, 8).every(({ destroyed }) => destroyed)).toBe(true);
  server.closeAllConnections();
  server.close();
});
