import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { toValue, type WireMessage } from '../../../../../electron/engine/jsonrpc/read-message.ts';
import { createStreamTransport } from '../../../../../electron/engine/transport/stdio/stream-transport.ts';

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

async function readFrom(speaker: 'server' | 'client', text: string) {
  const readable = new PassThrough();
  const transport = createStreamTransport({ readable, writable: new PassThrough(), speaker });
  const messages: WireMessage[] = [];
  const noise: string[] = [];
  await transport.start({
    message: (message) => messages.push(toValue(message)),
    noise: (line) => noise.push(line),
    closed: () => {},
  });
  readable.write(text);
  await tick();
  await transport.close();
  return { messages, noise };
}

const one = { jsonrpc: '2.0', id: 1, result: { text: 'grün' } };
const two = { jsonrpc: '2.0', id: 2, result: {} };
const [first, second] = [JSON.stringify(one), JSON.stringify(two)];

describe('[NFR-R3] a message of a server is read', () => {
  it.each([
    ['in colours', `\x1b[32m${first}\x1b[0m\n`],
    ['in colours, behind coloured text', `\x1b[36minfo:\x1b[0m ${first}\x1b[0m\n`],
    ['between the resets of tput', `\x1b(B\x1b[m${first}\x1b(B\x1b[m\n`],
    ['behind a window title', `\x1b]0;My server\x07${first}\n`],
    ['behind a spinner', `\x1b[2K\x1b[1G⠋ loading\x1b[2K\x1b[1G\x1b[?25h${first}\n`],
    [
      'with its members in colours',
      `{\x1b[34m"jsonrpc"\x1b[0m:"2.0","id":\x1b[33m1\x1b[0m,"result":{"text":\x1b[32m"grün"\x1b[0m}}\n`,
    ],
    [
      'with its members in colours and on lines',
      `{\n  \x1b[34m"jsonrpc"\x1b[0m: "2.0",\n  "id": 1,\n  "result": {"text":"grün"}\n}\x1b[0m\n`,
    ],
    ['with colours inside its text', first.replace('grün', '\x1b[32mgrün\x1b[0m').concat('\n')],
  ])('%s', async (_how, text) => {
    expect((await readFrom('server', text)).messages).toEqual([one]);
  });

  it('in colours, with another on its line', async () => {
    const { messages, noise } = await readFrom('server', `\x1b[32m${first}\x1b[0m\x1b[33m${second}\x1b[0m\n`);
    expect([messages, noise]).toEqual([[one, two], []]);
  });
});

it('text without a message is logged without its colours', async () => {
  const { messages, noise } = await readFrom('server', '\x1b[31mError:\x1b[0m no key\n');
  expect([messages, noise]).toEqual([[], ['Error: no key']]);
});

it('[PB-PASS-1] escaped colours in a text stay', async () => {
  const answer = { jsonrpc: '2.0', id: 1, result: { text: '\x1b[32mgreen\x1b[0m' } };
  expect((await readFrom('server', `${JSON.stringify(answer)}\n`)).messages).toEqual([answer]);
});
