import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { JsonRpcRequest } from '../../../../../electron/engine/jsonrpc/message.ts';
import { newStreamMemory } from '../../../../../electron/engine/transport/http-client/session-stream.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { beginEvents, sendJson } from '../../../../helper/http-server.ts';
import { greetedPeer, oddServer } from '../../../../helper/remote-peer.ts';

interface Habits {
  /** Nothing is answered while the session stream is open. */
  readonly isBlocked?: boolean;
  /** The call that is answered only when the test says so; nothing else is answered meanwhile if it is `alone`. */
  readonly slow?: string;
  readonly isAlone?: boolean;
  /** Each session stream ends as soon as it has begun. */
  readonly isShort?: boolean;
  /** Position from which a stream can be resumed. */
  readonly eventId?: string;
}

async function streaming(habits: Habits) {
  const { slow = '', isAlone = false, eventId } = habits;
  let { isBlocked = false, isShort = false } = habits;
  const streams = new Set<ServerResponse>();
  const held: (() => void)[] = [];
  const releaseAll = () => {
    for (const answer of held.splice(0)) answer();
  };
  let isBusy = false;
  const server = await oddServer(({ id, method }: JsonRpcRequest, response, { verb }) => {
    if (verb === 'GET') {
      streams.add(response);
      response.on('close', () => {
        streams.delete(response);
        if (isBlocked) releaseAll();
      });
      beginEvents(response);
      if (eventId !== undefined) response.write(`id: ${eventId}\ndata:\n\n`);
      if (isShort) response.end();
      return true;
    }
    if (method === 'initialize' && id !== undefined) {
      const capabilities = { tools: { listChanged: true }, prompts: {}, resources: { listChanged: true } };
      sendJson(response, 200, { jsonrpc: '2.0', id, result: { capabilities } }, { 'mcp-session-id': 's' });
      return true;
    }
    const isSlow = method === slow;
    if (!isSlow && !(isBusy && isAlone) && !(isBlocked && streams.size > 0)) return false;
    isBusy ||= isSlow;
    const result = { did: method };
    held.push(() =>
      id === undefined ? sendJson(response, 202) : sendJson(response, 200, { jsonrpc: '2.0', id, result }),
    );
    return true;
  });
  const clock = new FakeClock();
  const sessionStream = newStreamMemory();
  const near = await greetedPeer(server.url, { clock, sessionStream });
  if (!isShort) await expect.poll(() => streams.size).toBe(1);
  const count = (method: string) => server.said().filter((one) => one === method).length;
  return {
    ...near,
    clock,
    server,
    sessionStream,
    streams,
    count,
    held,
    mend: () => {
      isBlocked = false;
      isShort = false;
    },
    finish: () => {
      isBusy = false;
      releaseAll();
    },
    async [Symbol.asyncDispose]() {
      await near[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe('[NFR-R1] the stream of a session', () => {
  it('is left closed for minutes if nothing else is answered while it is open', async () => {
    await using h = await streaming({ isBlocked: true });
    await leaveClosed(h);
    expect(await h.peer.request('tools/call').result).toEqual({ did: 'tools/call' });
    await h.clock.advance(450_000);
    expect(h.count('GET')).toBe(2);
    await using later = await greetedPeer(h.server.url, { clock: h.clock, sessionStream: h.sessionStream });
    expect(await later.peer.request('tools/list').result).toEqual({ did: 'tools/list' });
    expect(h.count('GET')).toBe(2);
  });

  it('is tried again after ten minutes, and then after twenty', async () => {
    await using h = await streaming({ isBlocked: true });
    await leaveClosed(h);
    await passAtOnce(h, 720_000);
    await refuseOnce(h, 3);
    await h.clock.advance(900_000);
    expect(h.count('GET')).toBe(3);
    await passAtOnce(h, 540_000);
    await refuseOnce(h, 4);
  });

  it('stays open once the rest is answered beside it', async () => {
    await using h = await streaming({ isBlocked: true });
    await leaveClosed(h);
    h.mend();
    await passAtOnce(h, 720_000);
    await expect.poll(() => h.streams.size).toBe(1);
    const asked = h.count('tools/list');
    await h.clock.advance(500);
    await expect.poll(() => h.count('tools/list')).toBe(asked + 1);
    await expect.poll(() => h.clock.pending).toBe(0);
    await expect.poll(() => h.heard).toEqual([...listChanges, ...listChanges]);
    await h.clock.advance(3_600_000);
    expect([h.count('GET'), h.streams.size, h.sessionStream.failures]).toEqual([3, 1, 0]);
  });

  it('is tried again after minutes if eight ended at once', async () => {
    await using h = await streaming({ isShort: true });
    for (let opened = 1; opened < 8; opened += 1) {
      await expect.poll(() => [h.count('GET'), h.clock.pending]).toEqual([opened, 1]);
      await h.clock.advance(72_000);
    }
    await expect.poll(() => [h.count('GET'), h.clock.pending]).toEqual([8, 1]);
    await h.clock.advance(450_000);
    expect(h.count('GET')).toBe(8);
    h.mend();
    await h.clock.advance(270_000);
    await expect.poll(() => h.streams.size).toBe(1);
    expect(h.count('GET')).toBe(9);
  });

  it.each([
    ['has the lists that announce changes read again', undefined, listChanges],
    ['relies on a server that resumes it', 'e1', []],
  ])('once it is open after an interruption, it %s', async (_, eventId, heard) => {
    await using h = await streaming(eventId === undefined ? {} : { eventId });
    expect(h.heard).toEqual([]);
    for (const stream of h.streams) stream.end();
    await expect.poll(() => h.clock.pending).toBe(1);
    await passAtOnce(h, 1200);
    await expect.poll(() => h.streams.size).toBe(1);
    await h.peer.request('tools/list').result;
    expect(h.heard).toEqual(heard);
  });

  it('stays open beside a slow call if a ping is answered', async () => {
    await using h = await streaming({ slow: 'tools/call' });
    const { result } = h.peer.request('tools/call');
    await expect.poll(() => h.held.length).toBe(1);
    await h.clock.advance(3000);
    await expect.poll(() => h.count('ping')).toBe(1);
    // The answer to the ping has come.
    await expect.poll(() => h.clock.pending).toBe(0);
    await h.clock.advance(60_000);
    h.finish();
    expect(await result).toEqual({ did: 'tools/call' });
    expect([h.count('GET'), h.streams.size]).toEqual([1, 1]);
  });

  it('is opened again if the server was only busy, and then stays open', async () => {
    await using h = await streaming({ slow: 'tools/call', isAlone: true });
    const { result } = h.peer.request('tools/call');
    await expect.poll(() => h.held.length).toBe(1);
    await h.clock.advance(3000);
    await expect.poll(() => h.held.length).toBe(2);
    await h.clock.advance(2000);
    await expect.poll(() => h.streams.size).toBe(0);
    await h.clock.advance(60_000);
    h.finish();
    expect(await result).toEqual({ did: 'tools/call' });
    await expect.poll(() => h.streams.size).toBe(1);
    await h.clock.advance(500);
    await expect.poll(() => h.count('ping')).toBe(2);
    await expect.poll(() => h.clock.pending).toBe(0);
    const again = h.peer.request('tools/call').result;
    await expect.poll(() => h.held.length).toBe(1);
    await h.clock.advance(60_000);
    h.finish();
    expect(await again).toEqual({ did: 'tools/call' });
    expect([h.count('GET'), h.streams.size]).toEqual([2, 1]);
  });
});

const listChanges = ['notifications/tools/list_changed', 'notifications/resources/list_changed'];

type Streaming = Awaited<ReturnType<typeof streaming>>;

/** Lets the stream hold up a list, and then the ping that is sent beside the second stream. */
async function leaveClosed(h: Streaming) {
  const { result } = h.peer.request('tools/list');
  await expect.poll(() => h.held.length).toBe(1);
  await h.clock.advance(3000);
  await expect.poll(() => h.count('ping')).toBe(1);
  await h.clock.advance(2000);
  expect(await result).toEqual({ did: 'tools/list' });
  await refuseOnce(h, 2);
}

/** Lets time pass without the timers that begin when it is over. */
async function passAtOnce({ clock }: Streaming, milliseconds: number) {
  clock.sleep(milliseconds);
  await clock.advance(0);
}

async function refuseOnce(h: Streaming, opened: number) {
  await expect.poll(() => h.count('GET')).toBe(opened);
  await expect.poll(() => h.streams.size).toBe(1);
  await h.clock.advance(500);
  await expect.poll(() => h.held.length).toBe(1);
  await h.clock.advance(2000);
  await expect.poll(() => h.streams.size).toBe(0);
}
