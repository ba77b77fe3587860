import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createPeer } from '../../../../electron/engine/rpc/peer.ts';
import { maxInBatch } from '../../../../electron/engine/transport/batches.ts';
import { createStreamTransport } from '../../../../electron/engine/transport/stream-transport.ts';

/** Creates a client on a stream, initialized with this revision; `slow` is answered when the test says so. */
async function greeted(protocolVersion: string) {
  const readable = new PassThrough();
  const writable = new PassThrough();
  const heard: string[] = [];
  let finish: (value: unknown) => void = () => {};
  const peer = createPeer(createStreamTransport({ readable, writable }), {
    request: async ({ method, params }) => {
      heard.push(method);
      if (method === 'slow') return new Promise((resolve) => (finish = resolve));
      return params ?? {};
    },
    notification: ({ method }) => void heard.push(method),
    closed: () => {},
  });
  await peer.start();
  const tick = async () => {
    for (let turn = 0; turn < 10; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
  };
  const say = async (line: string) => {
    readable.write(`${line}\n`);
    await tick();
    return String(writable.read() ?? '');
  };
  await say(
    `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"${protocolVersion}"}}`,
  );
  return {
    say,
    heard,
    finish: async () => {
      finish({});
      await tick();
      return String(writable.read() ?? '');
    },
  };
}

const echo = (id: string, params = '{}') => `{"jsonrpc":"2.0","id":${id},"method":"echo","params":${params}}`;

describe('a batch on a stream', () => {
  it('[PB-PASS-1] of a client of revision 2025-03-26 is answered in one line', async () => {
    const client = await greeted('2025-03-26');
    const notice = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
    expect(JSON.parse(await client.say(` [${echo('1')},${notice},${echo('"a"')}]`))).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 'a', result: {} },
    ]);
    expect(client.heard).toEqual(['initialize', 'echo', 'notifications/initialized', 'echo']);
    expect(await client.say(`[${notice}]`)).toBe('');
  });

  it('[PB-PASS-1] waits for its last answer, alone, and is over when that is no longer wanted', async () => {
    const client = await greeted('2025-03-26');
    const slow = '{"jsonrpc":"2.0","id":5,"method":"slow"}';
    expect(await client.say(`[${echo('1')},${slow}]`)).toBe('');
    expect(JSON.parse(await client.say(echo('2')))).toMatchObject({ id: 2 });
    expect(JSON.parse(await client.finish())).toMatchObject([{ id: 1 }, { id: 5 }]);
    expect(await client.say(`[${echo('1')},${slow}]`)).toBe('');
    const cancelled = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}';
    expect(JSON.parse(await client.say(cancelled))).toMatchObject([{ id: 1 }]);
  });

  it('[NFR-R3] has at most a thousand messages, and none in a later revision', async () => {
    const client = await greeted('2025-03-26');
    const batch = (count: number) =>
      `[${Array.from({ length: count }, (_, id) => echo(String(id))).join(',')}]`;
    expect(JSON.parse(await client.say(batch(maxInBatch)))).toHaveLength(maxInBatch);
    client.heard.length = 0;
    expect(await client.say(batch(maxInBatch + 1))).toContain('-32600');
    const later = await greeted('2025-11-25');
    expect(await later.say(batch(2))).toContain('-32600');
    expect([...client.heard, ...later.heard]).toEqual(['initialize']);
  });
});
