import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Peer } from '../../../../../electron/engine/jsonrpc/peer-contract.ts';
import { sendJson } from '../../../../helper/http-server.ts';
import { nobody } from '../../../../helper/nobody.ts';
import { greetedPeer, oddServer } from '../../../../helper/remote-peer.ts';

const outcome = (peer: Peer, method: string) =>
  peer.request(method).result.catch((error: unknown) => error) as Promise<Error>;

/** Starts a server with sessions that misbehaves for `methods` on command. */
async function turning(
  refuse: (response: ServerResponse, id: unknown) => void,
  methods: readonly string[] = ['tools/list', 'tools/call'],
) {
  let isTurned = false;
  const server = await oddServer(({ id, method }, response) => {
    if (!isTurned || !methods.includes(method)) return false;
    refuse(response, id);
    return true;
  });
  return Object.assign(server, {
    turn: () => {
      isTurned = true;
    },
  });
}

const asEvent = (response: ServerResponse, body: unknown) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`data: ${JSON.stringify(body)}\n\n`);
};
const asJson = (response: ServerResponse, body: unknown) => sendJson(response, 200, body);
const forms = [
  ['JSON', asJson],
  ['an event', asEvent],
] as const;

describe('[NFR-R2] a forgotten session that a server reports with HTTP 200', () => {
  const failure = (id: unknown, code: number) => ({ jsonrpc: '2.0', id, error: { code, message: 'no' } });

  describe.each(forms)('as %s', (_form, send) => {
    it.each([-32001, -32600])('ends by error %s, and the call did not run', async (code) => {
      await using server = await turning((response, id) => send(response, failure(id, code)));
      await using near = await greetedPeer(server.url);
      await near.peer.request('tools/list').result;
      server.turn();
      const outcomes = await Promise.all([
        outcome(near.peer, 'tools/call'),
        outcome(near.peer, 'tools/call'),
      ]);
      expect(outcomes[0]).toMatchObject({ name: 'ConnectionClosedError', sent: false });
      await expect.poll(() => near.ended).toMatchObject([{ name: 'SessionGoneError' }]);
    });

    it('ends by error -32000, which the caller gets since the call may have run', async () => {
      await using server = await turning((response, id) => send(response, failure(id, -32_000)));
      await using near = await greetedPeer(server.url);
      await near.peer.request('tools/list').result;
      server.turn();
      expect(await outcome(near.peer, 'tools/call')).toMatchObject({ name: 'RpcError', code: -32_000 });
      await expect.poll(() => near.ended).toMatchObject([{ name: 'SessionGoneError' }]);
    });

    it('survives an error about the call', async () => {
      for (const code of [-32_001, -32_000, -32_600, -32_603]) {
        await using server = await turning(
          (response, id) => send(response, failure(id, code)),
          ['tools/call', 'ping'],
        );
        await using near = await greetedPeer(server.url);
        await near.peer.request('tools/list').result;
        server.turn();
        for (const method of ['tools/call', 'ping', 'tools/call']) {
          expect(await outcome(near.peer, method)).toMatchObject({ name: 'RpcError', code, message: 'no' });
        }
        expect(near.ended).toEqual([]);
      }
    });
  });

  it.each([
    [-32_603, 'Session not found'],
    [-32_002, 'Session expired'],
    [-32_602, 'Invalid session ID'],
    [404, 'No such session'],
    [-32_002, 'Server not initialized'],
  ])('ends by error %s if it says so: %s', async (code, message) => {
    const gone = (id: unknown) => ({ jsonrpc: '2.0', id, error: { code, message } });
    await using server = await turning((response, id) => asJson(response, gone(id)));
    await using near = await greetedPeer(server.url);
    await near.peer.request('tools/list').result;
    server.turn();
    expect(await outcome(near.peer, 'tools/call')).toMatchObject({
      name: 'ConnectionClosedError',
      sent: false,
    });
    await expect.poll(() => near.ended).toMatchObject([{ name: 'SessionGoneError' }]);
  });

  it('survives a tool that has lost a session of its own', async () => {
    const gone = (id: unknown) => ({ jsonrpc: '2.0', id, error: { code: -32_603, message: 'No session' } });
    await using server = await turning((response, id) => asJson(response, gone(id)), ['tools/call']);
    await using near = await greetedPeer(server.url);
    await near.peer.request('tools/list').result;
    server.turn();
    expect(await outcome(near.peer, 'tools/call')).toMatchObject({ name: 'RpcError', code: -32_603 });
    expect(near.ended).toEqual([]);
  });

  it('is not verified with a request that never had a result', async () => {
    await using server = await turning((response, id) => asJson(response, failure(id, -32_600)));
    await using near = await greetedPeer(server.url);
    server.turn();
    expect(await outcome(near.peer, 'tools/list')).toMatchObject({ code: -32_600 });
    expect(await outcome(near.peer, 'tools/call')).toMatchObject({ code: -32_600 });
    expect(near.ended).toEqual([]);
  });

  it.each([
    ['nothing', 'application/json', ''],
    ['a page', 'text/html', '<title>Gone</title>'],
    ['JSON that is no answer', 'application/json', '{"error":"session not found"}'],
    ['an event that is no answer', 'text/event-stream', 'event: error\ndata: session not found\n\n'],
  ])('and %s ends; the call counts as lost', async (_what, type, text) => {
    await using server = await turning(
      (response) => void response.writeHead(200, { 'content-type': type }).end(text),
    );
    await using near = await greetedPeer(server.url);
    await near.peer.request('tools/list').result;
    server.turn();
    expect(await outcome(near.peer, 'tools/call')).toMatchObject({
      name: 'ConnectionClosedError',
      sent: true,
    });
    await expect.poll(() => near.ended).toMatchObject([{ name: 'SessionGoneError' }]);
  });
});

describe('[NFR-R2] a forgotten session that a server reports in a way of its own', () => {
  it.each([
    [202, 'sent: true', {}],
    [204, 'sent: true', {}],
    [302, 'sent: false', { location: '/login' }],
  ])('by HTTP %s ends, the call %s', async (status, sent, headers) => {
    await using server = await turning((response) => void response.writeHead(status, headers).end());
    await using near = await greetedPeer(server.url);
    await near.peer.request('tools/list').result;
    server.turn();
    expect(await outcome(near.peer, 'tools/call')).toMatchObject({
      name: 'ConnectionClosedError',
      sent: sent === 'sent: true',
    });
    await expect.poll(() => near.ended).toMatchObject([{ name: 'SessionGoneError' }]);
  });
});

describe('[NFR-R2] [PB-LIST-1] a list that is refused by HTTP 404', () => {
  const refuse = (response: ServerResponse) => sendJson(response, 404, { error: 'Not found' });

  it('ends a session that its server has forgotten, and no other', async () => {
    for (const isForgotten of [true, false]) {
      const methods = ['prompts/list', ...(isForgotten ? ['tools/list'] : [])];
      await using server = await turning(refuse, methods);
      await using near = await greetedPeer(server.url);
      await near.peer.request('tools/list').result;
      server.turn();
      const name = isForgotten ? 'ConnectionClosedError' : 'RpcError';
      expect(await outcome(near.peer, 'prompts/list')).toMatchObject({ name });
      if (isForgotten) await expect.poll(() => near.ended).toMatchObject([{ name: 'SessionGoneError' }]);
      else expect(near.ended).toEqual([]);
    }
  });
});

describe('[NFR-R2] [NFR-SEC3] a session with a sign-in of which 401 refuses', () => {
  const refuse = (response: ServerResponse) => sendJson(response, 401, { error: 'not for you' });

  async function signedIn(methods?: readonly string[]) {
    const server = await turning(refuse, methods);
    const renewed: string[] = [];
    const authorization = {
      ...nobody(server.url),
      token: async () => `token-${renewed.length}`,
      renew: async (token: string | undefined) => {
        renewed.push(String(token));
        return `token-${renewed.length}`;
      },
    };
    const near = await greetedPeer(server.url, { authorization });
    await near.peer.request('tools/list').result;
    server.turn();
    return { near, server, renewed };
  }

  it('one call alone: it is repeated with a new token, then fails, and all others continue', async () => {
    const { near, server, renewed } = await signedIn(['tools/call']);
    await using _server = server;
    await using _near = near;
    const refused = await outcome(near.peer, 'tools/call');
    expect(refused).toMatchObject({ name: 'RpcError', message: expect.stringContaining('not for you') });
    expect(renewed).toEqual(['token-0']);
    expect(server.said().filter((method) => method === 'tools/call')).toHaveLength(2);
    expect(await near.peer.request('tools/list').result).toEqual({ did: 'tools/list' });
    expect(near.ended).toEqual([]);
  });

  it('everything: the session ends', async () => {
    const { near, server } = await signedIn(['tools/list', 'tools/call', 'ping']);
    await using _server = server;
    await using _near = near;
    expect(await outcome(near.peer, 'tools/call')).toMatchObject({
      sent: false,
      cause: { problem: { code: 'server.unauthorized' } },
    });
    await expect.poll(() => near.ended).toHaveLength(1);
  });
});

describe('[NFR-R2] a session without a sign-in that is refused by 401', () => {
  const refuse = (response: ServerResponse) => sendJson(response, 401, { error: 'invalid session' });

  it('ends, so that a new one is tried before the user is asked to sign in', async () => {
    await using server = await turning(refuse);
    const authorization = nobody(server.url);
    await using near = await greetedPeer(server.url, { authorization });
    await near.peer.request('tools/list').result;
    server.turn();
    expect(await outcome(near.peer, 'tools/call')).toMatchObject({
      sent: false,
      cause: { name: 'SessionGoneError' },
    });
    await expect.poll(() => near.ended).toMatchObject([{ name: 'SessionGoneError' }]);
    expect(authorization.asked).toEqual([]);
  });

  it('needs a sign-in where nothing was answered in it', async () => {
    await using server = await turning(refuse, ['tools/list', 'tools/call', 'ping']);
    const authorization = nobody(server.url);
    await using near = await greetedPeer(server.url, { authorization });
    server.turn();
    const unauthorized = { problem: { code: 'server.unauthorized' } };
    expect(await outcome(near.peer, 'tools/call')).toMatchObject({ sent: false, cause: unauthorized });
    await expect.poll(() => near.ended).toMatchObject([unauthorized]);
    expect(authorization.asked).toEqual([401]);
  });

  it('needs a sign-in where the greeting is refused', async () => {
    await using server = await turning(refuse, ['initialize']);
    server.turn();
    const authorization = nobody(server.url);
    await expect(greetedPeer(server.url, { authorization })).rejects.toMatchObject({
      cause: { problem: { code: 'server.unauthorized' } },
    });
    expect(authorization.asked).toEqual([401]);
  });
});
