import { describe, expect, it } from 'vitest';
import { createPeer } from '../../../../../electron/engine/jsonrpc/peer.ts';
import type { Peer } from '../../../../../electron/engine/jsonrpc/peer-contract.ts';
import { createHttpServerTransport } from '../../../../../electron/engine/transport/http-server/http-server-transport.ts';
import { until } from '../../../../helper/gateway.ts';
import { httpServer, readPosted } from '../../../../helper/http-server.ts';

/** Opens one session whose calls end on command. */
async function session() {
  const transport = createHttpServerTransport();
  const open: { readonly id: string | number; end(result: unknown): void }[] = [];
  const peer: Peer = createPeer(transport, {
    request: ({ id, method }) =>
      method === 'initialize'
        ? Promise.resolve({
            protocolVersion: '2025-11-25',
            capabilities: {},
            serverInfo: { name: 't', version: '1' },
          })
        : new Promise((end) => open.push({ id, end })),
    notification: () => {},
    closed: () => {},
  });
  await peer.start();
  const server = await httpServer(async (request, response) =>
    transport.handle(request, response, await readPosted(request)),
  );
  const headers = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-protocol-version': '2025-11-25',
  };
  const post = (id: number, method: string, params: unknown, more: Readonly<Record<string, string>> = {}) =>
    fetch(server.url, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    });
  const clientInfo = { name: 't', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  await (await post(0, 'initialize', params)).text();
  const inSession = { 'mcp-session-id': transport.sessionId };
  return {
    peer,
    open,
    call: (id: number) => post(id, 'tools/call', { name: 'x' }, inSession),
    listen: () => fetch(server.url, { headers: { ...headers, ...inSession } }),
    resume: (lastId: string, signal?: AbortSignal) =>
      fetch(server.url, {
        headers: { ...headers, ...inSession, 'last-event-id': lastId },
        ...(signal === undefined ? {} : { signal }),
      }),
    async [Symbol.asyncDispose]() {
      await peer.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Reads events until one meets the condition, then disconnects. */
async function readUntil(response: Response, enough: (text: string) => boolean): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!enough(text)) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) break;
    text += value;
  }
  await reader?.cancel();
  return text;
}

const lastIdIn = (text: string): string => [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '';

describe('a stream that broke', () => {
  it('[PB-PASS-1] starts with an id to resume from and a retry delay', async () => {
    await using it = await session();
    const text = await readUntil(await it.call(1), (read) => read.includes('\n\n'));
    expect(text).toMatch(/^id: \w+-\d+\nretry: \d+\ndata: \n\n/);
  });

  it('[PB-PASS-1] is resumed while its call is in progress, and carries the answer', async () => {
    await using it = await session();
    const broken = await readUntil(await it.call(1), (read) => read.includes('\n\n'));
    let resumed = await it.resume(lastIdIn(broken));
    // Refused until the server notices that the old connection has ended, since two streams would share the
    // messages.
    await until('the new stream', async () => {
      if (resumed.status !== 409) return true;
      resumed = await it.resume(lastIdIn(broken));
      return false;
    });
    expect(resumed.status).toBe(200);
    await it.peer.notify('notifications/message', { level: 'info', data: 'meanwhile' }, 1);
    it.open[0]?.end({ content: [] });
    // The stream ends with the answer.
    const text = await resumed.text();
    expect(text).toContain('meanwhile');
    expect(text).toContain('"id":1,"result":{"content":[]}');
  });

  it('[PB-PASS-1] gives the answer that came while nobody listened, and ends', async () => {
    await using it = await session();
    const broken = await readUntil(await it.call(1), (read) => read.includes('\n\n'));
    await until('the call', () => it.open.length === 1);
    it.open[0]?.end({ content: [1] });
    await new Promise((resolve) => setImmediate(resolve));
    const text = await (await it.resume(lastIdIn(broken))).text();
    expect(text).toContain('"id":1,"result":{"content":[1]}');
  });

  it('[PB-PASS-1] carries its answer also to a client that comes back after more than is kept', async () => {
    await using it = await session();
    const broken = await readUntil(await it.call(1), (read) => read.includes('\n\n'));
    for (let count = 0; count < 200; count += 1)
      await it.peer.notify('notifications/message', { level: 'info', data: count }, 1);
    const resumed = await it.resume(lastIdIn(broken));
    expect(resumed.status).toBe(200);
    it.open[0]?.end({ content: [] });
    expect(await resumed.text()).toContain('"id":1,"result":{"content":[]}');
  });

  it.each(['', 'null', 'undefined'])(
    '[PB-PASS-1] of the session is opened by a client that names %j as its last event',
    async (lastId) => {
      await using it = await session();
      const opened = await it.resume(lastId);
      expect(opened.status).toBe(200);
      await opened.body?.cancel();
    },
  );

  it('[NFR-R4] that belongs to the session is opened again after more than is kept', async () => {
    await using it = await session();
    const own = await it.listen();
    await it.peer.notify('notifications/tools/list_changed');
    const broken = await readUntil(own, (read) => read.includes('list_changed'));
    for (let count = 0; count < 200; count += 1)
      await it.peer.notify('notifications/message', { level: 'info', data: count });
    const resumed = await it.resume(lastIdIn(broken));
    expect(resumed.status).toBe(200);
    expect(await readUntil(resumed, (read) => read.includes('"data":199'))).not.toContain('"data":1}');
  });

  it('[PB-ISO-1] is not mixed up with another, nor with the session’s own', async () => {
    await using it = await session();
    const first = await readUntil(await it.call(1), (read) => read.includes('\n\n'));
    const second = await readUntil(await it.call(2), (read) => read.includes('\n\n'));
    await until('both calls', () => it.open.length === 2);
    it.open[1]?.end({ mine: 2 });
    it.open[0]?.end({ mine: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    expect(await (await it.resume(lastIdIn(second))).text()).toContain('"result":{"mine":2}');
    const text = await (await it.resume(lastIdIn(first))).text();
    expect(text).toContain('"result":{"mine":1}');
    expect(text).not.toContain('"mine":2');
    expect((await it.resume('999')).status).toBe(400);
  });
});
