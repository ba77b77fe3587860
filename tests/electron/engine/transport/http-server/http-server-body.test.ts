import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { readHttpBody } from '../../../../../electron/engine/transport/http-server/http-server-body.ts';
import { eventually } from '../../../../helper/eventually.ts';

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

/**
 * Starts a server that reads bodies of at most 100 bytes and answers nothing, and opens one connection to it.
 */
async function reading() {
  const told: string[] = [];
  let gone = 0;
  const server = createServer((request, response) => {
    response.on('close', () => {
      gone += 1;
    });
    readHttpBody(request, 100, {
      onBody: (body) =>
        told.push(body.ok ? `message ${body.posted.messages[0].method}` : body.refusal.message),
      onError: (error) => told.push(`failed: ${error}`),
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  opened.push(() => {
    client.destroy();
    server.close();
    server.closeAllConnections();
  });
  const head = 'POST /mcp HTTP/1.1\r\nHost: x\r\n';
  return { told, client, head, ended: () => eventually(() => expect(gone).toBe(1)) };
}

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

describe('the body of a POST', () => {
  it('[FR-012] is delivered once, also if its client disconnects before the answer', async () => {
    const { told, client, head, ended } = await reading();
    client.write(`${head}Content-Length: ${ping.length}\r\n\r\n${ping.slice(0, 9)}`);
    client.write(ping.slice(9));
    await eventually(() => expect(told).toEqual(['message ping']));
    client.destroy();
    await ended();
    expect(told).toEqual(['message ping']);
  });

  it('[FR-012] is reported once as failed if its client disconnects before the end', async () => {
    const { told, client, head, ended } = await reading();
    client.write(`${head}Content-Length: ${ping.length}\r\n\r\n${ping.slice(0, 9)}`);
    await eventually(() => expect(client.bytesWritten).toBeGreaterThan(50));
    client.end();
    await ended();
    await eventually(() => expect(told).toEqual([expect.stringContaining('failed: ')]));
  });

  it('[PB-SAFE-2] is refused once if it is too long, whatever follows', async () => {
    const { told, client, head, ended } = await reading();
    const chunk = `50\r\n${'x'.repeat(80)}\r\n`;
    client.write(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}`);
    await eventually(() => expect(told).toEqual(['The body is longer than 100 bytes']));
    client.write(chunk);
    client.destroy();
    await ended();
    expect(told).toEqual(['The body is longer than 100 bytes']);
  });
});
