import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../../electron/engine/base/clock.ts';
import { probe } from '../../../../../electron/engine/servers/health/health-probe.ts';
import { openHttpConnections } from '../../../../../electron/engine/transport/http-client/http-connections.ts';
import { eventually } from '../../../../helper/eventually.ts';
import { createPingable } from '../../../../helper/health.ts';

/** Starts an HTTP server and counts its open connections. */
async function listen(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/health`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

async function ask(url: string, options: { timeout?: number; env?: Record<string, string> } = {}) {
  const http = openHttpConnections(options.env);
  const { connection, asked } = createPingable();
  const outcome = await probe({
    connection,
    url,
    isRemote: false,
    fetch: async () => http.fetch,
    clock: systemClock,
    timeout: options.timeout ?? 60_000,
  });
  await http.close();
  expect(asked).toEqual([]);
  return outcome;
}

describe('a check by URL', () => {
  it('[AG-US5-AC2] is good for every 2xx answer, and for no other', async () => {
    const statuses: readonly number[] = [200, 204, 404, 503];
    for (const status of statuses) {
      await using server = await listen((_, response) => response.writeHead(status).end('a body'));
      expect(await ask(server.url)).toMatchObject(
        status < 300
          ? { kind: 'good', by: 'url' }
          : { kind: 'missed', by: 'url', reason: `it answered with HTTP ${status}` },
      );
    }
  });

  it('sends a login in the address as what it is', async () => {
    const logins: unknown[] = [];
    await using server = await listen(({ headers }, response) => {
      logins.push(headers.authorization);
      response.end();
    });
    await ask(server.url.replace('//', '//me:hunter2@'));
    expect(logins).toEqual([`Basic ${Buffer.from('me:hunter2').toString('base64')}`]);
  });

  it('[AG-US5-AC2] follows no redirect: what it leads to is another server', async () => {
    let elsewhere = 0;
    await using other = await listen((_, response) => {
      elsewhere++;
      response.end();
    });
    await using server = await listen((_, response) =>
      response.writeHead(302, { location: other.url }).end(),
    );
    expect(await ask(server.url)).toMatchObject({ kind: 'missed', reason: 'it answered with HTTP 302' });
    expect(elsewhere).toBe(0);
  });

  it('[AG-US5-AC8] is missed without an answer in time, and leaves no request behind', async () => {
    let gone = 0;
    await using server = await listen((request) => {
      request.socket.on('close', () => gone++);
    });
    expect(await ask(server.url, { timeout: 50 })).toEqual({
      kind: 'missed',
      by: 'url',
      reason: 'no answer within 0.05 s',
    });
    await eventually(() => expect(gone).toBe(1));
  });

  it('reads no body, however long it is', async () => {
    let gone = 0;
    await using server = await listen((request, response) => {
      request.socket.on('close', () => gone++);
      response.writeHead(200);
      const more = () => {
        while (response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    });
    expect(await ask(server.url)).toMatchObject({ kind: 'good' });
    await eventually(() => expect(gone).toBe(1));
  });

  it('says why there is no connection without naming the address, which may hold a secret', async () => {
    const outcome = await ask('http://127.0.0.1:1/health?token=hunter2');
    expect(outcome).toEqual({ kind: 'missed', by: 'url', reason: expect.stringMatching(/^no connection/) });
    expect(JSON.stringify(outcome)).not.toContain('hunter2');
  });

  it('goes through the proxy that the environment names', async () => {
    const tunnels: string[] = [];
    await using proxy = await listen((_, response) => response.end());
    proxy.server.on('connect', (request, socket) => {
      tunnels.push(String(request.url));
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    const outcome = await ask('https://health.example/', { env: { HTTPS_PROXY: new URL(proxy.url).origin } });
    expect(outcome).toMatchObject({ kind: 'missed', by: 'url' });
    expect(tunnels).toEqual(['health.example:443']);
  });
});
