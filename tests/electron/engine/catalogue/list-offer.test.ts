import { describe, expect, it } from 'vitest';
import { listOffer } from '../../../../electron/engine/catalogue/list-offer.ts';
import { RpcError } from '../../../../electron/engine/rpc/message.ts';
import { offerOf } from '../../../helper/catalogue.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';
import { connectTo } from '../../../helper/memory-server.ts';

const everything = { tools: {}, prompts: {}, resources: {} };

describe('listOffer', () => {
  it('[FR-005, FR-008] asks for all that the capabilities promise and keeps every item to the letter', async () => {
    const tool = { name: 't', inputSchema: { $ref: '#/nowhere' }, future: { deep: [null] }, _meta: { a: 1 } };
    await using server = await connectTo({
      capabilities: everything,
      handlers: {
        'tools/list': () => ({ tools: [tool, { broken: true }] }),
        'prompts/list': () => ({ prompts: [{ name: 'p' }] }),
        'resources/list': () => ({ resources: [{ uri: 'u' }] }),
        'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'u{x}' }] }),
      },
      instructions: 'Read me',
    });
    const { offer, problems } = await listOffer(server.connection);
    expect(problems).toEqual([]);
    expect(offer).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: everything,
      serverInfo: { name: 'memory', version: '1' },
      instructions: 'Read me',
      tools: [tool, { broken: true }],
      prompts: [{ name: 'p' }],
      resources: [{ uri: 'u' }],
      resourceTemplates: [{ uriTemplate: 'u{x}' }],
    });
  });

  it('asks for nothing that was not promised', async () => {
    await using server = await connectTo({ capabilities: {}, handlers: {} });
    const { offer, problems } = await listOffer(server.connection);
    expect([offer.tools, problems]).toEqual([[], []]);
    expect(server.received).toEqual([]);
  });

  it('follows pages to the end, whatever the cursor', async () => {
    const pages: Record<string, unknown> = {
      start: { tools: [{ name: 'a' }], nextCursor: '' },
      '': { tools: [], nextCursor: '2' },
      '2': { tools: [{ name: 'b' }], nextCursor: null },
    };
    await using server = await connectTo({
      handlers: { 'tools/list': ({ cursor = 'start' }) => pages[String(cursor)] },
    });
    const { offer, problems } = await listOffer(server.connection);
    expect([offer.tools, problems]).toEqual([[{ name: 'a' }, { name: 'b' }], []]);
  });

  it.each([
    ['a cursor comes again', () => 'same', 2],
    ['the pages never end', (page: number) => `page ${page}`, 1000],
  ])('stops with a warning when %s, and keeps what it has', async (_what, cursor, count) => {
    let page = 0;
    await using server = await connectTo({
      handlers: {
        'tools/list': () => {
          page += 1;
          return { tools: [{ name: `t${page}` }], nextCursor: cursor(page) };
        },
      },
    });
    const { offer, problems } = await listOffer(server.connection);
    expect(offer.tools).toHaveLength(count);
    expect(problems).toMatchObject([{ code: 'server.list_failed' }]);
  });

  it.each([
    [
      'an error',
      () => Promise.reject(new RpcError({ code: -32603, message: 'disk on fire' })),
      'disk on fire',
    ],
    ['no list', () => ({ tools: [] }), 'resources'],
    ['something else', () => ({ resources: 'many' }), 'resources'],
  ])('[FR-009] loses only the list that was answered with %s', async (_what, answer, words) => {
    await using server = await connectTo({
      capabilities: everything,
      handlers: {
        'tools/list': () => ({ tools: [{ name: 't' }] }),
        'prompts/list': () => ({ prompts: [{ name: 'p' }] }),
        'resources/list': answer,
      },
    });
    const { offer, problems } = await listOffer(server.connection);
    expect(offer).toMatchObject({ tools: [{ name: 't' }], prompts: [{ name: 'p' }], resources: [] });
    expect(problems).toMatchObject([{ code: 'server.list_failed' }]);
    expect(problems[0]?.sentence).toContain(words);
  });

  it('loses only the list that never comes, and keeps what was listed before', async () => {
    const clock = new FakeClock();
    await using server = await connectTo({
      handlers: {
        'tools/list': () => ({ tools: [{ name: 't' }] }),
        'prompts/list': () => new Promise(() => {}),
      },
      capabilities: { tools: {}, prompts: {} },
    });
    const previous = offerOf({ prompts: [{ name: 'old' }], tools: ['old'] });
    const listed = listOffer(server.connection, { clock, pageTimeout: 5000, previous });
    await clock.advance(1000);
    await clock.advance(4000);
    const { offer, problems } = await listed;
    expect(offer).toMatchObject({ tools: [{ name: 't' }], prompts: [{ name: 'old' }] });
    expect(problems[0]?.sentence).toContain('prompts/list was not answered within 5 s');
    expect(clock.pending).toBe(0);
  });

  it('rejects when the connection ends, for then nothing is known', async () => {
    const server = await connectTo({ handlers: { 'tools/list': () => new Promise(() => {}) } });
    const listed = listOffer(server.connection);
    await server.close();
    await expect(listed).rejects.toMatchObject({ name: 'ConnectionClosedError' });
  });
});
