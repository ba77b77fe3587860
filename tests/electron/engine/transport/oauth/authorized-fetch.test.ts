import type { RequestListener } from 'node:http';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { describe, expect, it } from 'vitest';
import { createPeer } from '../../../../../electron/engine/rpc/peer.ts';
import { createHttpClientTransport } from '../../../../../electron/engine/transport/http-client-transport.ts';
import { createAuthorizedFetch } from '../../../../../electron/engine/transport/oauth/authorized-fetch.ts';
import type { RemoteAuthorization } from '../../../../../electron/engine/transport/oauth/contract.ts';
import { signInNeeded } from '../../../../../electron/engine/transport/oauth/sign-in-problem.ts';
import { httpServer, sendJson } from '../../../../helper/http-server.ts';

/** Has these tokens to give, one after the other. */
function tokens(
  url: string,
  ...given: readonly string[]
): RemoteAuthorization & { readonly refused: string[] } {
  const refused: string[] = [];
  const left = [...given];
  return {
    refused,
    token: async () => left[0],
    renew: async (token = 'none', { status }) => {
      refused.push(`${token} ${status}`);
      left.shift();
      return left[0];
    },
    problem: (challenge, hadToken) => signInNeeded(new URL(url), challenge, hadToken),
    wanted: async (challenge) => signInNeeded(new URL(url), challenge, false),
  };
}

/** Takes the token `good` only. */
function guarded() {
  const seen: (string | undefined)[] = [];
  const listener: RequestListener = (request, response) => {
    seen.push(request.headers.authorization);
    sendJson(response, request.headers.authorization === 'Bearer good' ? 200 : 401, request.url);
  };
  return { seen, listener };
}

const unauthorized = { sent: false, cause: { problem: { code: 'server.unauthorized' } } };

describe('a request with a sign-in', () => {
  it('[NFR-SEC3] carries the token, and another one once if that is refused', async () => {
    const { seen, listener } = guarded();
    await using server = await httpServer(listener);
    const authorization = tokens(server.url, 'old', 'good');
    const authorized = createAuthorizedFetch(new URL(server.url), fetch, authorization);
    expect((await authorized(server.url, { method: 'POST', body: 'x' })).status).toBe(200);
    expect(seen).toEqual(['Bearer old', 'Bearer good']);
    expect(authorization.refused).toEqual(['old 401']);
  });

  it('rejects as not sent when there is no token, no other one, or the other one is refused too', async () => {
    const { seen, listener } = guarded();
    await using server = await httpServer(listener);
    for (const given of [[], ['old'], ['old', 'older', 'good']]) {
      const authorized = createAuthorizedFetch(new URL(server.url), fetch, tokens(server.url, ...given));
      await expect(authorized(server.url)).rejects.toMatchObject(unauthorized);
    }
    expect(seen).toEqual([undefined, 'Bearer old', 'Bearer old', 'Bearer older']);
  });

  it('[NFR-SEC3] takes no token to another origin', async () => {
    const { seen, listener } = guarded();
    await using server = await httpServer(listener);
    await using other = await httpServer(listener);
    const authorized = createAuthorizedFetch(new URL(server.url), fetch, tokens(server.url, 'good'));
    expect((await authorized(other.url)).status).toBe(401);
    expect(seen).toEqual([undefined]);
  });

  it('[AG-US1-AC3] [NFR-SEC3] works over SSE as well, and over SSE found behind an assumed http', async () => {
    const sessions = new Map<string, SSEServerTransport>();
    await using server = await httpServer(async (request, response) => {
      if (request.headers.authorization !== 'Bearer good') return sendJson(response, 401);
      const id = new URL(request.url ?? '', 'http://x').searchParams.get('sessionId');
      if (request.method === 'POST' && id === null) return sendJson(response, 405);
      if (request.method === 'POST') return sessions.get(id ?? '')?.handlePostMessage(request, response);
      const transport = new SSEServerTransport('/messages', response);
      sessions.set(transport.sessionId, transport);
      transport.onmessage = (message) => {
        if ('id' in message)
          void transport.send({ jsonrpc: '2.0', id: message.id ?? 0, result: { over: 'sse' } });
      };
      await transport.start();
    });
    const open = (kind: 'http' | 'sse', ...given: readonly string[]) => {
      const transport = createHttpClientTransport({
        url: server.url,
        headers: {},
        kind,
        explicit: false,
        authorization: tokens(server.url, ...given),
      });
      return createPeer(transport, { request: async () => ({}), notification: () => {}, closed: () => {} });
    };
    for (const kind of ['sse', 'http'] as const) {
      const peer = open(kind, 'old', 'good');
      await peer.start();
      expect(await peer.request('initialize').result).toEqual({ over: 'sse' });
      await peer.close();
    }
    await expect(open('sse', 'old').start()).rejects.toMatchObject(unauthorized.cause);
  });
});
