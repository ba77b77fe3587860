import { describe, expect, it } from 'vitest';
import { withCookies } from '../../../../../electron/engine/transport/http-client/cookies.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { sendJson } from '../../../../helper/http-server.ts';
import { greetedPeer, oddServer } from '../../../../helper/remote-peer.ts';

/**
 * Requests each address in turn, answers the first with these cookies, and returns the cookies that each was
 * sent.
 */
async function sentTo(
  set: readonly string[],
  addresses: readonly string[],
  { own, wait = 0 }: { readonly own?: string; readonly wait?: number } = {},
): Promise<readonly (string | null)[]> {
  const clock = new FakeClock();
  const sent: (string | null)[] = [];
  const fetch = withCookies(async (_url, init) => {
    sent.push(new Headers(init?.headers).get('cookie'));
    const headers = new Headers();
    if (sent.length === 1) for (const cookie of set) headers.append('set-cookie', cookie);
    return new Response(null, { headers });
  }, clock);
  const init = own === undefined ? {} : { headers: { cookie: own } };
  await fetch('https://mcp.example/a/mcp', init);
  await clock.advance(wait);
  for (const address of addresses) await fetch(address, init);
  return sent.slice(1);
}

const here = 'https://mcp.example/a/mcp';

describe('[NFR-R1] cookies that a remote server sets', () => {
  it('lead every request of a session to the replica that began it', async () => {
    let turn = 0;
    const replicas = [new Set<string>(), new Set<string>()];
    await using server = await oddServer(({ id, method }, response, { headers }) => {
      const at = Number(/LB=([01])/.exec(headers.cookie ?? '')?.[1] ?? turn++ % 2);
      const common = { 'set-cookie': `LB=${at}; Path=/; HttpOnly` };
      const result = { jsonrpc: '2.0', id, result: {} };
      if (method === 'initialize') {
        replicas[at]?.add(`s${at}`);
        sendJson(response, 200, result, { ...common, 'mcp-session-id': `s${at}` });
      } else {
        const isKnown = replicas[at]?.has(String(headers['mcp-session-id'])) === true;
        sendJson(response, isKnown ? 200 : 404, result, common);
      }
      return true;
    });
    await using near = await greetedPeer(server.url);
    for (let call = 0; call < 3; call += 1) await near.peer.request('tools/call').result;
    await near.peer.close();
    expect(server.seen.slice(1).every(({ headers }) => headers.cookie === 'LB=0')).toBe(true);
    expect(server.seen.map(({ verb }) => verb)).toContain('GET');
    expect(server.seen.at(-1)?.verb).toBe('DELETE');
    await using other = await greetedPeer(server.url);
    expect(other.ended).toEqual([]);
    expect(
      server.seen.find(({ method, headers }) => method === 'initialize' && headers.cookie !== undefined),
    ).toBe(undefined);
  });

  it.each([
    [
      'the path they name',
      ['x=1; Path=/a'],
      [here, 'https://mcp.example/a', 'https://mcp.example/ab'],
      ['x=1', 'x=1', null],
    ],
    [
      'the folder of the address',
      ['x=1'],
      ['https://mcp.example/a/other', 'https://mcp.example/'],
      ['x=1', null],
    ],
    ['the longest path first', ['x=1; Path=/', 'y=2; Path=/a/'], [here], ['y=2; x=1']],
    [
      'the same origin only',
      ['x=1; Path=/'],
      ['https://www.mcp.example/', 'https://mcp.example:444/', 'http://mcp.example/'],
      [null, null, null],
    ],
    [
      'their own domain',
      ['x=1; Domain=.example', 'y=2; Domain=other.example', 'z=3; Domain=mcp.example'],
      [here],
      ['x=1; z=3'],
    ],
    ['https where they are secure', ['x=1; Secure'], [here], ['x=1']],
    [
      'nobody once they are deleted',
      ['x=1', 'y=2', 'x=; Max-Age=0', 'y=; Expires=Thu, 01 Jan 1970 00:00:00 GMT'],
      [here],
      [null],
    ],
    ['the same name with its last value', ['x=1', 'x=2'], [here], ['x=2']],
    ['nobody without a name', ['novalue', '=x'], [here], [null]],
    ['nobody where they are too long', [`x=${'1'.repeat(5000)}`, 'y=2'], [here], ['y=2']],
    ['their reader as they are written', ['x="a b,c"; Path=nowhere', 'y=a=b'], [here], ['y=a=b; x="a b,c"']],
  ])('go to %s', async (_to, set, addresses, sent) => {
    expect(await sentTo(set, addresses)).toEqual(sent);
  });

  it('end when they say so', async () => {
    expect(await sentTo(['x=1; Max-Age=60', 'y=2; Max-Age=3600'], [here], { wait: 61_000 })).toEqual(['y=2']);
  });

  it('are sent with those of the config, and replace one of the same name', async () => {
    expect(await sentTo(['x=1'], [here], { own: 'team=red; x=old' })).toEqual(['team=red; x=1']);
  });

  it('[NFR-R4] are no more than fifty for an origin', async () => {
    const [sent] = await sentTo(
      Array.from({ length: 200 }, (_, index) => `c${index}=1`),
      [here],
    );
    expect(sent?.split('; ')).toHaveLength(50);
    expect(sent).toContain('c199=1');
  });

  it('[NFR-SEC1] are not sent over http where they are secure', async () => {
    await using server = await oddServer((_body, response) => {
      response.setHeader('set-cookie', ['plain=1; Path=/', 'LB=0; Path=/; Secure; SameSite=None']);
      return false;
    });
    await using near = await greetedPeer(server.url);
    expect(near.ended).toEqual([]);
    expect(server.seen[1]?.headers.cookie).toBe('plain=1');
  });
});
