import { describe, expect, it } from 'vitest';
import { hopKeys } from '../../../../../electron/engine/transport/modern/protocol.ts';
import { eventually } from '../../../../helper/eventually.ts';
import { allAbilities, createMemoryHub } from '../../../../helper/memory-hub.ts';

const capabilities = { tools: {} };
const question = { messages: [], maxTokens: 1 };

/** A server that tells no relation, as over stdio, and a client with calls in progress there. */
async function stage(era: 'legacy' | 'modern', calls: number) {
  const ends: (() => void)[] = [];
  /** Questions that the client has not answered yet. */
  const open: (() => void)[] = [];
  let answersAtOnce = true;
  const hub = createMemoryHub({
    pipe: {
      capabilities,
      offer: { tools: [{ name: 'work', inputSchema: { type: 'object' } }], capabilities },
      answers: { 'tools/call': () => new Promise((resolve) => ends.push(() => resolve({ content: [] }))) },
    },
  });
  await hub.connect('pipe');
  const client = await hub.direct('pipe', {
    'sampling/createMessage': () =>
      new Promise((resolve) => {
        const answer = () => resolve({ role: 'assistant' });
        if (answersAtOnce) answer();
        else open.push(answer);
      }),
  });
  await client.ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: allAbilities,
    clientInfo: { name: 'test', version: '1' },
    ...(era === 'modern' ? { _meta: { [hopKeys.era]: 'modern' } } : {}),
  });
  await client.peer.notify('notifications/initialized');
  const answers: Promise<unknown>[] = [];
  const begin = async () => {
    answers.push(client.ask('tools/call', { name: 'work' }));
    await eventually(() => expect(ends).toHaveLength(answers.length));
  };
  while (answers.length < calls) await begin();
  const ask = () => hub.server('pipe').ask('sampling/createMessage', question);
  return {
    ask,
    begin,
    /** Asks, and leaves the question open. */
    async askInVain() {
      answersAtOnce = false;
      const answer = ask();
      await eventually(() => expect(open).toHaveLength(1));
      answersAtOnce = true;
      return { answer, reply: () => open.pop()?.() };
    },
    async [Symbol.asyncDispose]() {
      for (const end of ends) end();
      await Promise.all(answers);
      await hub[Symbol.asyncDispose]();
    },
  };
}

describe('[PB-DUAL-2] a question of a shared server that does not tell its call', () => {
  it.each([
    ['legacy', 1],
    ['legacy', 2],
    ['modern', 1],
  ] as const)('reaches a %s client with %i calls', async (era, calls) => {
    await using open = await stage(era, calls);
    expect(await open.ask()).toEqual({ role: 'assistant' });
  });

  it('is refused for a stateless client with two calls, which may be of two programs', async () => {
    await using open = await stage('modern', 2);
    await expect(open.ask()).rejects.toMatchObject({
      message: expect.stringContaining('nothing shows which one this is for'),
      data: { fix: expect.stringContaining('"patchbay": { "isolation": "per-client" }') },
    });
  });

  it('reaches the only call of a stateless client without an open question', async () => {
    await using open = await stage('modern', 1);
    const first = await open.askInVain();
    await open.begin();
    expect(await open.ask()).toEqual({ role: 'assistant' });
    first.reply();
    expect(await first.answer).toEqual({ role: 'assistant' });
    await expect(open.ask()).rejects.toThrow('nothing shows which one this is for');
  });

  it('reaches the call that has an open question if there is no other: several things are asked at once', async () => {
    await using open = await stage('modern', 1);
    const first = await open.askInVain();
    expect(await open.ask()).toEqual({ role: 'assistant' });
    first.reply();
    expect(await first.answer).toEqual({ role: 'assistant' });
  });
});
