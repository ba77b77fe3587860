import { describe, expect, it } from 'vitest';
import type { JsonRpcMessage } from '../../../../electron/engine/jsonrpc/message.ts';
import { createPeer } from '../../../../electron/engine/jsonrpc/peer.ts';
import { RawMessage } from '../../../../electron/engine/jsonrpc/raw-message.ts';
import { readMessage } from '../../../../electron/engine/jsonrpc/read-message.ts';
import { limitMessages } from '../../../../electron/engine/transport/limited-transport.ts';
import { createMemoryTransportPair } from '../../../../electron/engine/transport/memory-transport.ts';

const limit = 1024 * 1024;
const longest = (name: string) => (name === 'small' ? limit : undefined);

/** Connects a client to a server with these answers, and records the longest message it was sent. */
async function connect(name: string, answers: Readonly<Record<string, string>>) {
  const [ours, theirs] = createMemoryTransportPair();
  let most = 0;
  const lists: string[] = [];
  const noise: string[] = [];
  const server = createPeer(limitMessages(ours, longest), {
    request: async ({ method }) => {
      if (method.endsWith('/list')) lists.push(method);
      return readMessage(Buffer.from(`{"jsonrpc":"2.0","id":0,"result":${answers[method] ?? '{}'}}`));
    },
    notification: () => {},
    noise: (text) => noise.push(text),
    closed: () => {},
  });
  const send = theirs.start.bind(theirs);
  theirs.start = (handlers) =>
    send({
      ...handlers,
      message: (message) => {
        const size = message instanceof RawMessage ? message.line().length : JSON.stringify(message).length;
        most = Math.max(most, size);
        handlers.message(message);
      },
    });
  const client = createPeer(theirs, {
    request: async () => ({ fine: true }),
    notification: () => {},
    closed: () => {},
  });
  await Promise.all([server.start(), client.start()]);
  await client.request('initialize', { clientInfo: { name, version: '1' } }).result;
  return { client, server, lists, noise, most: () => most };
}

const long = JSON.stringify({ content: [{ type: 'text', text: 'x'.repeat(2 * limit) }] });
const tools = Array.from({ length: 3000 }, (_, n) => ({ name: `tool_${n}`, description: 'ü'.repeat(500) }));

describe('a client that takes no long messages', () => {
  it('[PB-PASS-1] gets an error in place of an answer that is too long, and all others', async () => {
    const { client, most } = await connect('small', { long, short: '{"a":1.0}' });
    await expect(client.request('long').result).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('(1 MiB)'),
      data: { limit, size: expect.any(Number) },
    });
    expect(await client.request('short').result).toEqual({ a: 1 });
    expect(most()).toBeLessThan(limit);
  });

  it('[PB-PASS-1] gets a long list page by page, whole and in order', async () => {
    const { client, lists, most } = await connect('small', { 'tools/list': JSON.stringify({ tools }) });
    const listed: unknown[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const params = cursor === undefined ? {} : { cursor };
      const page = (await client.request('tools/list', params).result) as {
        tools: unknown[];
        nextCursor?: string;
      };
      listed.push(...page.tools);
      cursor = page.nextCursor;
      pages += 1;
    } while (cursor !== undefined);
    expect(listed).toEqual(tools);
    expect(pages).toBeGreaterThan(2);
    expect(lists).toEqual(['tools/list']);
    expect(most()).toBeLessThan(limit);
    await client.request('tools/list', { cursor: 'made up' }).result;
    expect(lists).toHaveLength(2);
  });

  it('[PB-PASS-1] gets no request that is too long: its sender gets an error', async () => {
    const { server, noise, most } = await connect('small', {});
    const text = 'x'.repeat(2 * limit);
    await expect(server.request('sampling/createMessage', { text }).result).rejects.toMatchObject({
      data: { limit },
    });
    await server.notify('notifications/message', { text });
    expect(noise).toHaveLength(1);
    expect(await server.request('ping').result).toEqual({ fine: true });
    expect(most()).toBeLessThan(limit);
  });

  it('[EDGE-2] gets an error instead of it, and the other clients get it', async () => {
    const { client, most } = await connect('another', { long });
    expect(await client.request('long').result).toEqual(JSON.parse(long) as JsonRpcMessage);
    expect(most()).toBeGreaterThan(2 * limit);
  });
});
