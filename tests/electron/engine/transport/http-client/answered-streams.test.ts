import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { beginEvents } from '../../../../helper/http-server.ts';
import { greetedPeer, oddServer } from '../../../../helper/remote-peer.ts';

const grace = 5000;

/** Opens the session stream and sends something on it. */
function grant(response: ServerResponse): void {
  beginEvents(response);
  response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/own' })}\n\n`);
}

interface Habits {
  /** Status of the session stream: 200 opens one. */
  readonly own?: number;
  /** The call that is not answered. */
  readonly first?: string;
}

/** Answers each call on a stream that stays open. */
async function lingering({ own = 200, first = '' }: Habits = {}) {
  const open = new Map<string, ServerResponse>();
  const server = await oddServer(({ id, method }, response, { verb }) => {
    if (verb === 'GET') {
      if (own === 200) grant(response);
      else response.writeHead(own).end();
      return true;
    }
    if (!method?.startsWith('call')) return false;
    beginEvents(response);
    open.set(method, response);
    response.on('close', () => open.delete(method));
    const answer = `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { did: method } })}\n\n`;
    if (method !== first) response.write(answer);
    return true;
  });
  const clock = new FakeClock();
  const near = await greetedPeer(server.url, { clock });
  await expect.poll(() => server.said()).toContain('GET');
  if (own === 200) await expect.poll(() => near.heard).toContain('notifications/own');
  return {
    ...near,
    clock,
    open: () => [...open.keys()],
    say: (stream: string, message: object) =>
      open.get(stream)?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`),
    end: (stream: string) => open.get(stream)?.end(),
    /** Counts the client's answers. */
    answers: () => server.seen.filter(({ verb, method }) => verb === 'POST' && method === undefined).length,
    call: (method: string) => near.peer.request(method).result,
    async [Symbol.asyncDispose]() {
      await near[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe('[NFR-R1] a stream that a server leaves open behind the answer', () => {
  it('is let go after a while of silence, each of them', async () => {
    await using far = await lingering();
    for (const method of ['call1', 'call2', 'call3']) expect(await far.call(method)).toEqual({ did: method });
    await far.clock.advance(grace - 1);
    expect(far.open()).toEqual(['call1', 'call2', 'call3']);
    await far.clock.advance(1);
    await expect.poll(far.open).toEqual([]);
    expect(await far.call('call4')).toEqual({ did: 'call4' });
    expect(far.ended).toEqual([]);
  });

  it('is read on while something comes on it', async () => {
    await using far = await lingering();
    await far.call('call1');
    for (const method of ['notifications/one', 'notifications/two']) {
      await far.clock.advance(grace - 1);
      far.say('call1', { method });
      await expect.poll(() => far.heard).toContain(method);
    }
    expect(far.open()).toEqual(['call1']);
    await far.clock.advance(grace);
    await expect.poll(far.open).toEqual([]);
  });

  it('stays, the newest of them, where the session has no stream of its own', async () => {
    await using far = await lingering({ own: 405 });
    await far.call('call1');
    await far.clock.advance(grace * 3);
    far.say('call1', { method: 'notifications/tools/list_changed' });
    await expect.poll(() => far.heard).toEqual(['notifications/tools/list_changed']);
    await far.call('call2');
    await far.clock.advance(grace * 3);
    await expect.poll(far.open).toEqual(['call2']);
  });

  it.each([405, 404, 503])(
    'stays behind later ones that end, where the own stream is HTTP %s',
    async (own) => {
      await using far = await lingering({ own });
      await far.call('call1');
      await far.call('call2');
      far.end('call2');
      await expect.poll(far.open).toEqual(['call1']);
      await far.clock.advance(grace + 3000);
      await far.call('call3');
      await far.clock.advance(grace - 1);
      far.end('call3');
      await expect.poll(far.open).toEqual(['call1']);
      await far.clock.advance(grace * 3);
      far.say('call1', { method: 'notifications/tools/list_changed' });
      await expect.poll(() => far.heard).toEqual(['notifications/tools/list_changed']);
      far.say('call1', { id: 's1', method: 'sampling/createMessage', params: {} });
      await expect.poll(far.answers).toBe(1);
    },
  );

  it('stays where something came on it last, also behind a newer one', async () => {
    await using far = await lingering({ own: 405 });
    await far.call('call1');
    await far.call('call2');
    await far.clock.advance(1000);
    far.say('call1', { method: 'notifications/one' });
    await expect.poll(() => far.heard).toEqual(['notifications/one']);
    await far.clock.advance(grace);
    await expect.poll(far.open).toEqual(['call1']);
  });

  it('is closed, except for one if the session has no separate stream', async () => {
    await using far = await lingering({ own: 405 });
    for (let call = 1; call <= 20; call += 1) await far.call(`call${call}`);
    await far.clock.advance(grace);
    await expect.poll(far.open).toEqual(['call20']);
  });

  it('stays while a request is under way whose answer may come on it by mistake', async () => {
    await using far = await lingering({ first: 'call1' });
    const slow = far.call('call1');
    await expect.poll(far.open).toEqual(['call1']);
    await far.call('call2');
    await far.clock.advance(grace * 3);
    expect(far.open()).toEqual(['call1', 'call2']);
    far.say('call2', { id: 2, result: { did: 'call1' } });
    expect(await slow).toEqual({ did: 'call1' });
    // The stream of the first request also counts as answered, though its answer came elsewhere.
    await far.clock.advance(grace);
    await expect.poll(far.open).toEqual([]);
  });
});
