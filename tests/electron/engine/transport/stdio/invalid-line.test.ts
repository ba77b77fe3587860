import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { RpcError } from '../../../../../electron/engine/jsonrpc/message.ts';
import { createPeer } from '../../../../../electron/engine/jsonrpc/peer.ts';
import { createStreamTransport } from '../../../../../electron/engine/transport/stdio/stream-transport.ts';

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Starts two requests, with the ids 1 and 2. */
async function connect() {
  const readable = new PassThrough();
  const noise: string[] = [];
  const requests: string[] = [];
  const peer = createPeer(
    createStreamTransport({ readable, writable: new PassThrough(), speaker: 'server' }),
    {
      request: async ({ method }) => void requests.push(method),
      notification: ({ method }) => void requests.push(method),
      noise: (text) => noise.push(text),
      closed: () => {},
    },
  );
  await peer.start();
  const outcomes: unknown[] = [];
  for (const index of [0, 1]) {
    peer.request('tools/call').result.then(
      (result) => (outcomes[index] = result),
      (error: unknown) => (outcomes[index] = error),
    );
  }
  const say = async (text: string) => {
    readable.write(text);
    await tick();
    await tick();
  };
  return { say, outcomes, noise, requests, peer };
}

describe('a line of a server that is not JSON but answers a request', () => {
  it.each([
    ['NaN', '{"jsonrpc": "2.0", "id": 1, "result": {"v": NaN, "t": "NaN"}}\n', /NaN is not a JSON value/],
    ['-Infinity', '{"id":1,"jsonrpc":"2.0","result":{"v":-Infinity}}\r\n', /Infinity is not a JSON value/],
    ['an id behind the result', '{"result":{"v":NaN},"jsonrpc":"2.0","id":1}\n', /NaN is not a JSON value/],
    ['an id as text', '{"jsonrpc":"2.0","id":"1","result":{"v":NaN}}\n', /NaN is not a JSON value/],
    [
      'values of Python',
      '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":None}}\n',
      /None is not a JSON value/,
    ],
    [
      'a line break in a string',
      '{"jsonrpc":"2.0","id":1,"result":{"text":"a\nb"}}\n',
      /does not end on its line/,
    ],
    ['a tab in a string', '{"jsonrpc":"2.0","id":1,"result":{"text":"a\tb"}}\n', /control character/],
    ['a comma too many', '{"jsonrpc":"2.0","id":1,"result":{"text":"a",}}\n', /syntax/],
  ])('[PB-ISO-1] %s: fails that request at once, and no other', async (_name, text, fault) => {
    const { say, outcomes, noise } = await connect();
    await say(text);
    expect(outcomes[0]).toBeInstanceOf(RpcError);
    expect(outcomes[0]).toMatchObject({ code: -32700, message: expect.stringMatching(fault) });
    expect(noise[0]).toBe(text.split('\n')[0]?.trimEnd());
    expect(outcomes[1]).toBeUndefined();
    await say('{"jsonrpc":"2.0","id":2,"result":{}}\n');
    expect(outcomes[1]).toEqual({});
  });

  it('[PB-ISO-1] quotes a bounded part of it without secrets', async () => {
    const { say, outcomes } = await connect();
    const token = `ghp_${'a1B2'.repeat(9)}`;
    await say(`{"jsonrpc":"2.0","id":1,"result":{"t":"${token}","v":NaN,"x":"${'x'.repeat(5000)}"}}\n`);
    const { message } = outcomes[0] as Error;
    expect(message).toContain('It begins with: {"jsonrpc":"2.0","id":1,"result":{"t":"');
    expect(message).not.toContain(token);
    expect(message.length).toBeLessThan(500);
  });

  it.each([
    ['a request', '{"jsonrpc":"2.0","id":1,"method":"m","params":{"result":NaN}}'],
    ['an id inside of the result', '{"jsonrpc":"2.0","result":{"v":NaN,"w":{"a":1,"id":1}'],
    ['an id of no request', '{"jsonrpc":"2.0","id":9,"result":NaN}'],
    ['a log record', '{"level":NaN,"id":1,"result":1}'],
    ['an answer told in a text', 'said {"jsonrpc":"2.0","id":1,"result":NaN}'],
  ])('[PB-ISO-1] %s: fails nothing', async (_name, text) => {
    const { say, outcomes } = await connect();
    await say(`${text}\n`);
    expect(outcomes).toEqual([]);
  });
});

describe('a line of a server with text before a message', () => {
  it.each([
    '2026-01-01 INFO send: ',
    '> ',
    'data: ',
    '[INFO] {starting} ',
    '[12:00:01] "main" ',
    'Loading config {"a":1} ... ',
    '{"a":1} and {"jsonrpc":"2.0","id":2,"result":{}} and ',
  ])('[FR-009] %s: the message is read and the text is noise', async (text) => {
    const { say, outcomes, noise } = await connect();
    await say(`${text}{"jsonrpc":"2.0","id":1,"result":{"n":[1.0]}}\r\n`);
    expect(outcomes[0]).toEqual({ n: [1] });
    if (!text.includes('jsonrpc')) expect(noise).toEqual([text.trimEnd()]);
  });

  it.each([
    ['300 KB of a progress bar', '\r 10% [===      ]'.repeat(18_000), 'said'],
    ['a name, and is long itself', 'INFO send: ', 'x'.repeat(300_000)],
    ['colours, and is long itself', '\x1b[32m', 'x'.repeat(300_000)],
  ])('[FR-009] is read also where the message comes after %s', async (_what, text, said) => {
    const { say, outcomes } = await connect();
    await say(`${text}${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { said } })}\n`);
    expect(outcomes[0]).toEqual({ said });
  });

  it('[PB-ISO-1] is skipped beyond a megabyte, and the next line is read', async () => {
    const { say, outcomes, noise } = await connect();
    await say(`${'.'.repeat(2_000_000)}{"jsonrpc":"2.0","id":1,"result":{}}\n`);
    await say('{"jsonrpc":"2.0","id":2,"result":{}}\n');
    expect(outcomes).toEqual([undefined, {}]);
    expect(noise).toEqual([expect.stringMatching(/exceeds the limit of 1048576 bytes/)]);
  });

  it('[FR-009] reads notifications, and answers with empty members', async () => {
    const { say, outcomes, requests } = await connect();
    await say('INFO {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n');
    await say('INFO {"jsonrpc":"2.0","id":1,"error":null,"result":{}}\n');
    expect(requests).toEqual(['notifications/tools/list_changed']);
    expect(outcomes[0]).toEqual({});
  });

  it.each([
    ['between messages', 'got {A}, then {B}'],
    ['between and behind messages', '{A} handled {B} done'],
    ['and a comma between messages', '{A},{B}'],
    ['and a byte order mark between messages', '{A}\uFEFF{B}'],
    ['with an unreadable object', '{A} {"level":"info","id":9} {B}'],
  ])('[FR-009] is read where there is text %s', async (_what, line) => {
    const { say, outcomes } = await connect();
    const answer = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, result: { id } });
    await say(`${line.replace('{A}', answer(1)).replace('{B}', answer(2))}\n`);
    expect(outcomes).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it.each(['\uFEFF', '\0', '\0\uFEFF\0'])(
    '[FR-009] is read with the mark %j between its members, which stays in its texts',
    async (mark) => {
      const { say, outcomes } = await connect();
      await say(`{"jsonrpc":"2.0",${mark}"id":1,"result":${mark}{"said":"\\"\uFEFF"}}\n`);
      expect(outcomes[0]).toEqual({ said: '"\uFEFF' });
    },
  );

  it.each([
    ['a string', 'said "{"jsonrpc":"2.0","id":1,"result":{}}'],
    ['a broken message', '{"jsonrpc":"2.0","id":9,"result":NaN,"a":{"jsonrpc":"2.0","id":1,"result":{}}'],
    ['a message over several lines', '  "inner": {"jsonrpc":"2.0","id":1,"result":{}}'],
    ['the middle of a line', 'got {"jsonrpc":"2.0","id":1,"result":{}} and went on'],
    ['a log record', 'INFO {"id":1,"error":"x"}'],
    ['an object of a log record', 'INFO {"at":{"jsonrpc":"2.0","id":1,"result":{}}}'],
  ])('[PB-ISO-1] takes nothing out of %s', async (_name, text) => {
    const { say, outcomes } = await connect();
    await say(`${text}\n`);
    expect(outcomes).toEqual([]);
  });

  it('[PB-ISO-1] takes nothing that a server tells of what it received', async () => {
    const { say, outcomes, requests } = await connect();
    await say('got {"jsonrpc":"2.0","id":1,"method":"tools/call"}\n');
    await say('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await say('got {"jsonrpc":"2.0","id":1,"result":{}}\n');
    expect(outcomes).toEqual([]);
    expect(requests).toEqual(['ping']);
  });

  it('[PB-ISO-1] takes time linear in its length', async () => {
    const { say, outcomes } = await connect();
    for (const piece of ['{"a":', '{', '{ ', '{"a":1}', '"{"', '{"a":"']) {
      await say(`x ${piece.repeat(1_000_000 / piece.length)}\n`);
      await say(`{"jsonrpc":${piece.repeat(2_000_000 / piece.length)}\n`);
    }
    expect(outcomes).toEqual([]);
  });
});
