import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  ModernResponse,
  SlowResponses,
} from '../../../../../electron/engine/gateway/http/modern-response.ts';
import { composeResult } from '../../../../../electron/engine/jsonrpc/byte-message.ts';
import { toRaw, type WireMessage } from '../../../../../electron/engine/jsonrpc/read-message.ts';
import { UnreadResponses } from '../../../../../electron/engine/transport/http-server/http-server-stream.ts';
import { messageOf } from '../../../../../electron/engine/transport/modern/edit-message.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';

/** A response on a real socket, whose client has sent its request. */
async function respond(isRead: boolean) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const arrived = new Promise<ServerResponse>((resolve) =>
    server.once('request', (_request, response) => resolve(response)),
  );
  const client = connect(port, '127.0.0.1');
  let text = '';
  const ended = new Promise<string>((resolve) => client.once('close', () => resolve(text)));
  client.on('error', () => {});
  if (isRead) client.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  client.write('POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
  const response = await arrived;
  const unread = new UnreadResponses();
  const accepted = { json: true, events: true };
  const clock = new FakeClock();
  const slow = new SlowResponses(clock);
  const channel = new ModernResponse(response, { accepted, unread, slow });
  return {
    clock,
    response,
    unread,
    ended,
    send: (message: WireMessage) => channel.send(message),
    async [Symbol.asyncDispose]() {
      client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('[PB-DUAL-1] the response to a stateless client', () => {
  it('[EDGE-2] holds senders back while the client does not read, and ends before memory does', async () => {
    await using it = await respond(false);
    const text = 'x'.repeat(8_000_000);
    const progress = toRaw({ jsonrpc: '2.0', method: 'notifications/progress', params: { message: text } });
    for (let sent = 0; sent < 2; sent += 1) it.send(progress).catch(() => {});
    expect(it.unread.congestion).toBeDefined();
    for (let sent = 0; sent < 10; sent += 1) it.send(progress).catch(() => {});
    expect(it.response.destroyed).toBe(true);
  });

  it('does not read a result, which may be long, for its status', async () => {
    await using it = await respond(true);
    await it.send(composeResult('1', [Buffer.from('{unread}')]));
    const answer = await it.ended;
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('"result":{unread}}');
  });

  it('shows within 15 s that the request is being worked on', async () => {
    await using it = await respond(true);
    await it.clock.advance(15_000);
    await it.send(composeResult('1', [Buffer.from('{}')]));
    const answer = await it.ended;
    expect(answer).toMatch(/^content-type: text\/event-stream/m);
    expect(answer).toContain(': still working\n\n');
    expect(answer).toContain('data: {"jsonrpc":"2.0","id":1,"result":{}}');
  });

  it('[PB-PASS-1] stays one event for each message, however its JSON is spaced', async () => {
    await using it = await respond(true);
    await it.send(messageOf('{"jsonrpc":"2.0","method":"notifications/progress",\r"params":{}}\r\n'));
    await it.send(messageOf('{"jsonrpc":"2.0","id":1,\r"result":{}}\n'));
    const events = [...(await it.ended).matchAll(/^event: message\ndata: (.*)\n\n/gm)];
    expect(events.map(([, data]) => JSON.parse(data ?? ''))).toEqual([
      { jsonrpc: '2.0', method: 'notifications/progress', params: {} },
      { jsonrpc: '2.0', id: 1, result: {} },
    ]);
  });
});
