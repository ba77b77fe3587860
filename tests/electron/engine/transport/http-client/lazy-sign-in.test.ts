import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Peer } from '../../../../../electron/engine/jsonrpc/peer-contract.ts';
import { sendJson } from '../../../../helper/http-server.ts';
import { nobody } from '../../../../helper/nobody.ts';
import { greetedPeer, oddServer, remotePeer } from '../../../../helper/remote-peer.ts';

const outcome = (peer: Peer, method: string) =>
  peer.request(method).result.catch((error: unknown) => error) as Promise<Error>;

/** Starts a server that requires a sign-in for some methods and reports its tools, resources and prompts. */
async function lazyServer(
  wanting: readonly string[],
  {
    capabilities = { tools: {} },
    body = { error: 'kite is private' },
  }: { capabilities?: object; body?: object } = {},
) {
  return oddServer(({ id, method }, response: ServerResponse) => {
    if (wanting.includes(method)) sendJson(response, 401, body);
    else if (method === 'initialize')
      sendJson(response, 200, { jsonrpc: '2.0', id, result: { capabilities } });
    else return false;
    return true;
  });
}

const unauthorized = { problem: { code: 'server.unauthorized' } };
const said = 'This server requires a sign-in. Sign in. It said: ';

describe('[NFR-R1] [US3.2] a server without a sign-in that wants one for some of its calls', () => {
  it.each(['tools/call', 'resources/read', 'prompts/get'])(
    'fails that %s alone, in its words and with what helps, and offers the sign-in once',
    async (method) => {
      await using server = await lazyServer([method]);
      const authorization = nobody(server.url);
      await using near = await greetedPeer(server.url, { authorization });
      await near.peer.request('tools/list').result;
      for (let time = 0; time < 3; time += 1) {
        const message = `${said}kite is private.`;
        expect(await outcome(near.peer, method)).toMatchObject({ name: 'RpcError', message });
      }
      expect(authorization.offered()).toBe(1);
      expect(server.said().filter((other) => other === method)).toHaveLength(3);
      expect(await near.peer.request('other').result).toEqual({ did: 'other' });
      expect(near.ended).toEqual([]);
    },
  );

  it('keeps the code and the data of an error that it wrote as an answer', async () => {
    const error = { code: -32_001, message: 'No kite for strangers', data: { realm: 'wind' } };
    await using server = await lazyServer(['tools/call'], { body: { jsonrpc: '2.0', id: null, error } });
    await using near = await greetedPeer(server.url, { authorization: nobody(server.url) });
    await near.peer.request('tools/list').result;
    const message = `${said}No kite for strangers.`;
    expect(await outcome(near.peer, 'tools/call')).toMatchObject({ ...error, message });
    expect(near.ended).toEqual([]);
  });

  it('goes on where a call is the first thing, and neither it nor a ping is answered', async () => {
    await using server = await lazyServer(['tools/call', 'ping']);
    await using near = await greetedPeer(server.url, { authorization: nobody(server.url) });
    expect(await outcome(near.peer, 'tools/call')).toMatchObject({ name: 'RpcError' });
    expect(near.ended).toEqual([]);
  });
});

describe('[NFR-R1] a server that requires a sign-in for some calls and refuses the current one', () => {
  /** Returns a token until it is refused. */
  function once(url: string) {
    const authorization = nobody(url);
    let token: string | undefined = 'kite-token';
    const renew: typeof authorization.renew = async (...refused) => {
      token = undefined;
      return authorization.renew(...refused);
    };
    return { ...authorization, token: async () => token, renew };
  }

  it('fails that call alone, each time, with what helps, and offers the sign-in', async () => {
    await using server = await lazyServer(['tools/call']);
    const authorization = once(server.url);
    await using near = await greetedPeer(server.url, { authorization });
    await near.peer.request('tools/list').result;
    for (let time = 0; time < 2; time += 1) {
      const message = `${said}kite is private.`;
      expect(await outcome(near.peer, 'tools/call')).toMatchObject({ name: 'RpcError', message });
    }
    expect(authorization.offered()).toBe(1);
    expect(await near.peer.request('other').result).toEqual({ did: 'other' });
    expect(near.ended).toEqual([]);
  });

  it('ends the connection if lists and pings are refused too', async () => {
    const wanting: string[] = [];
    await using server = await lazyServer(wanting);
    const authorization = once(server.url);
    await using near = await greetedPeer(server.url, { authorization });
    await near.peer.request('tools/list').result;
    wanting.push('tools/list', 'tools/call', 'ping');
    expect(await outcome(near.peer, 'tools/call')).toMatchObject({ sent: false, cause: unauthorized });
    await expect.poll(() => near.ended).toMatchObject([unauthorized]);
    expect(authorization.offered()).toBe(0);
  });
});

describe('[NFR-R1] what never costs the connection by 401', () => {
  const credentials = [
    ['no sign-in', (url: string) => ({ authorization: nobody(url) })],
    ['a key in the config', () => ({ headers: { authorization: 'Bearer kite-kite-kite' } })],
  ] as const;

  describe.each(credentials)('with %s', (_what, options) => {
    it.each([
      [['resources/templates/list']],
      [['prompts/list', 'resources/list', 'resources/templates/list', 'ping']],
    ])('is a list that the server does not declare: %s', async (wanting) => {
      await using server = await lazyServer(wanting);
      const own = options(server.url);
      await using near = await greetedPeer(server.url, own);
      for (const method of wanting) {
        expect(await outcome(near.peer, method)).toMatchObject({ name: 'RpcError', data: { status: 401 } });
      }
      expect(await near.peer.request('tools/call').result).toEqual({ did: 'tools/call' });
      if ('authorization' in own) expect(own.authorization.asked).toEqual([]);
      expect(near.ended).toEqual([]);
    });

    it('is a ping', async () => {
      await using server = await lazyServer(['ping']);
      await using near = await greetedPeer(server.url, options(server.url));
      await near.peer.request('tools/list').result;
      for (let time = 0; time < 2; time += 1)
        expect(await outcome(near.peer, 'ping')).toMatchObject({ name: 'RpcError' });
      expect(near.ended).toEqual([]);
    });

    it.each(['notifications/initialized', 'notifications/cancelled'])('is %s', async (notice) => {
      await using server = await lazyServer([notice]);
      await using near = await remotePeer(server.url, options(server.url));
      await near.peer.request('initialize', {}).result;
      await expect(near.peer.notify(notice, { requestId: 99 })).rejects.toMatchObject({
        name: 'HttpStatusError',
        status: 401,
      });
      expect(await near.peer.request('tools/list').result).toEqual({ did: 'tools/list' });
      expect(near.ended).toEqual([]);
    });

    it('is the stream of the session', async () => {
      await using server = await lazyServer(['GET']);
      await using near = await greetedPeer(server.url, options(server.url));
      await expect.poll(() => server.said()).toContain('GET');
      expect(await near.peer.request('tools/call').result).toEqual({ did: 'tools/call' });
      expect(server.said().filter((method) => method === 'GET')).toHaveLength(1);
      expect(near.ended).toEqual([]);
    });
  });
});

describe('[NFR-SEC3] a server that requires a sign-in for everything', () => {
  it.each([
    ['greeting', ['initialize'], { tools: {} }, 'initialize'],
    ['tools', ['tools/list'], { tools: {}, prompts: {} }, 'tools/list'],
    ['resources', ['resources/list'], { tools: false, resources: {} }, 'resources/list'],
    ['tools, which it does not declare', ['tools/list'], {}, 'tools/list'],
  ])('is recognized by its %s, although it answers pings', async (_what, wanting, capabilities, method) => {
    await using server = await lazyServer(wanting, { capabilities });
    const authorization = nobody(server.url);
    await using near = await remotePeer(server.url, { authorization });
    const { peer } = near;
    if (method !== 'initialize') await peer.request('initialize', {}).result;
    expect(await outcome(peer, method)).toMatchObject({ sent: false, cause: unauthorized });
    await expect.poll(() => near.ended).toMatchObject([unauthorized]);
    expect([authorization.asked, authorization.offered()]).toEqual([[401], 0]);
  });

  it('is recognized by a call once nothing is answered any more', async () => {
    const wanting: string[] = [];
    await using server = await lazyServer(wanting);
    await using near = await greetedPeer(server.url, { authorization: nobody(server.url) });
    await near.peer.request('tools/list').result;
    wanting.push('tools/list', 'tools/call', 'ping');
    expect(await outcome(near.peer, 'tools/call')).toMatchObject({ sent: false, cause: unauthorized });
  });
});

describe('a key in the config with which one call is refused', () => {
  it('has to be replaced, although the lists need no key', async () => {
    await using server = await lazyServer(['tools/call']);
    await using near = await greetedPeer(server.url, { headers: { authorization: 'Bearer kite-kite-kite' } });
    await near.peer.request('tools/list').result;
    const cause = { problem: { code: 'server.key_refused' } };
    expect(await outcome(near.peer, 'tools/call')).toMatchObject({ cause });
    await expect.poll(() => near.ended).toMatchObject([cause]);
  });
});
