import type { RequestListener } from 'node:http';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { describe, expect, it } from 'vitest';
import { createPeer } from '../../../../../electron/engine/jsonrpc/peer.ts';
import { createHttpClientTransport } from '../../../../../electron/engine/transport/http-client/http-client-transport.ts';
import { createAuthorizedFetch } from '../../../../../electron/engine/transport/oauth/authorized-fetch.ts';
import type { RemoteAuthorization } from '../../../../../electron/engine/transport/oauth/contract.ts';
import { signInNeeded } from '../../../../../electron/engine/transport/oauth/sign-in-problem.ts';
import { httpServer, sendJson } from '../../../../helper/http-server.ts';

/** Provides these tokens, one after the other. */
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
    diagnose: async (challenge) => signInNeeded(new URL(url), challenge, false),
  };
}

/** Accepts only the token `good`. */
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

  const signIn = 'Bearer resource_metadata="https://acme.example/.well-known/oauth-protected-resource"';
  const failure = (code: number) => ({ jsonrpc: '2.0', id: 1, error: { code, message: 'Who?' } });

  /** Answers the first request and later ones as given, and the rest with success. */
  async function asks(answers: readonly (readonly [number, object, string?])[], ...given: readonly string[]) {
    const left = [...answers];
    await using server = await httpServer((_, response) => {
      const [status, body, header = signIn] = left.shift() ?? [200, {}];
      response.setHeader('www-authenticate', header);
      sendJson(response, status, body);
    });
    const authorization = tokens(server.url, ...given);
    const authorized = createAuthorizedFetch(new URL(server.url), fetch, authorization);
    const outcomes: unknown[] = [];
    for (const _ of answers) {
      outcomes.push(
        await authorized(server.url, { method: 'POST', body: 'x' }).then(
          async (response) => [response.status, await response.json()],
          (error: { readonly cause: { readonly problem: object } }) => error.cause.problem,
        ),
      );
    }
    return { outcomes, refused: authorization.refused };
  }

  it.each([
    [403, {}],
    [403, { error: 'forbidden' }],
    [400, { error: 'invalid_request' }],
    [200, failure(-32001)],
    [200, failure(-32600)],
    [400, failure(-32000)],
  ])(
    'is refused for want of a sign-in by %i (%j) too, where that says where to sign in',
    async (status, body) => {
      const { outcomes } = await asks([[status, body]]);
      expect(outcomes[0]).toMatchObject({ sentence: 'This server requires a sign-in.' });
      const signedIn = await asks([[status, body]], 'good', 'other');
      expect(signedIn).toEqual({ outcomes: [[status, body]], refused: [] });
    },
  );

  it.each([
    [403, {}],
    [400, failure(-32600)],
    [200, failure(-32001)],
  ])('takes its token for dead by a greeting refused by %i (%j) that says so', async (status, body) => {
    const { refused } = await asks([[status, body, `${signIn}, error="invalid_token"`]], 'old', 'new');
    expect(refused).toEqual(['old 401']);
  });

  it.each([
    [200, { jsonrpc: '2.0', id: 1, result: {} }],
    [200, failure(-32602)],
    [500, {}],
  ])('keeps its token after %i (%j), whatever the header says', async (status, body) => {
    const answer = [status, body, `${signIn}, error="invalid_token"`] as const;
    const { outcomes, refused } = await asks([answer], 'good', 'other');
    expect({ outcomes, refused }).toEqual({ outcomes: [[status, body]], refused: [] });
  });

  it.each([
    [200, { jsonrpc: '2.0', id: 1, result: {} }],
    [200, failure(-32602)],
    [400, failure(-32601)],
    [404, {}],
    [500, {}],
  ])('is not by %i (%j)', async (status, body) => {
    const { outcomes } = await asks([[status, body]]);
    expect(outcomes[0]).toEqual([status, body]);
  });

  it('is not refused by such an answer once the server has accepted a sign-in, but by 403 without a token', async () => {
    const answers = [
      [200, { result: {} }],
      [200, failure(-32001)],
      [400, {}],
      [403, {}],
    ] as const;
    const { outcomes } = await asks(answers);
    expect(outcomes.slice(0, 3)).toEqual(answers.slice(0, 3));
    expect(outcomes[3]).toMatchObject({ sentence: 'This server requires a sign-in.' });
    const signedIn = await asks(answers, 'good', 'other');
    expect(signedIn.outcomes).toEqual(answers);
    expect(signedIn.refused).toEqual([]);
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
        isExplicit: false,
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
