import { describe, expect, it } from 'vitest';
import { delay } from '../../../../../electron/engine/base/clock.ts';
import { capabilitiesOf } from '../../../../../electron/engine/catalogue/listing/list-specs.ts';
import { ListingReader } from '../../../../../electron/engine/catalogue/listing/listing-reader.ts';
import { RpcError } from '../../../../../electron/engine/jsonrpc/message.ts';
import { offerOf } from '../../../../helper/catalogue.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { listOffer } from '../../../../helper/list-offer.ts';
import { connectTo } from '../../../../helper/memory-server.ts';

const everything = { tools: {}, prompts: {}, resources: {} };

describe('the lists of a server', () => {
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

  it.each([
    ['no list', {}],
    ['null for each', { tools: null, prompts: null, resources: null }],
  ])('asks once for lists of which the capabilities say nothing: %s', async (_what, capabilities) => {
    await using server = await connectTo({
      capabilities,
      handlers: { 'tools/list': () => ({ tools: [{ name: 't' }] }) },
    });
    const { offer, problems } = await listOffer(server.connection);
    expect([offer.tools, offer.prompts, problems]).toEqual([[{ name: 't' }], [], []]);
    expect(server.received.map(({ method }) => method)).toEqual([
      'tools/list',
      'prompts/list',
      'resources/list',
      'resources/templates/list',
    ]);
    expect(capabilitiesOf(offer)).toEqual({ ...capabilities, tools: {} });
  });

  it('asks for no list that the capabilities deny', async () => {
    await using server = await connectTo({
      capabilities: { tools: false, prompts: false, resources: false },
      handlers: {},
    });
    const { offer, problems } = await listOffer(server.connection);
    expect([offer.tools, problems, server.received]).toEqual([[], [], []]);
  });

  it('says nothing of an undeclared list that is refused or never comes', async () => {
    const clock = new FakeClock();
    await using server = await connectTo({
      capabilities: { tools: {} },
      handlers: {
        'tools/list': () => ({ tools: [{ name: 't' }] }),
        'prompts/list': () => new Promise(() => {}),
        'resources/list': () => Promise.reject(new RpcError({ code: -32603, message: 'No' })),
      },
    });
    const listing = new ListingReader(server.connection, { clock });
    listing.start();
    await clock.advance(0);
    await clock.advance(60_000);
    expect(listing.listing).toMatchObject({ tools: [{ name: 't' }], prompts: [], resources: [] });
    expect([listing.problems, listing.listing?.unlisted]).toEqual([[], undefined]);
    expect(server.received).toHaveLength(4);
    listing.dispose();
    expect(clock.pending).toBe(0);
  });

  it.each([
    ['was slow to start', { waitMs: 5000, answerMs: 0 }],
    ['was slow to answer another list', { waitMs: 2000, answerMs: 3000 }],
  ])('[PB-LIST-1] asks again for undeclared lists if a server %s', async (_, { waitMs, answerMs }) => {
    const clock = new FakeClock();
    let isBusy = true;
    await using server = await connectTo({
      capabilities: { tools: {} },
      handlers: {
        'tools/list': async () => {
          await delay(clock, answerMs);
          return { tools: [{ name: 't' }] };
        },
        'prompts/list': () => (isBusy ? new Promise(() => {}) : { prompts: [{ name: 'p' }] }),
      },
    });
    const listing = new ListingReader(server.connection, { clock, waitMs });
    const asked = () => server.received.filter(({ method }) => method === 'prompts/list').length;
    listing.start();
    await clock.advance(0);
    await clock.advance(answerMs);
    await clock.advance(30_000);
    expect([asked(), listing.listing?.prompts]).toEqual([1, []]);
    isBusy = false;
    await clock.advance(36_000);
    expect([asked(), listing.listing?.prompts]).toEqual([2, [{ name: 'p' }]]);
    listing.dispose();
  });

  it('[PB-LIST-1] gives up undeclared lists that a slow server never answers', async () => {
    const clock = new FakeClock();
    await using server = await connectTo({
      capabilities: { tools: {} },
      handlers: {
        'tools/list': () => ({ tools: [{ name: 't' }] }),
        'prompts/list': () => new Promise(() => {}),
      },
    });
    const listing = new ListingReader(server.connection, { clock, waitMs: 5000 });
    listing.start();
    await clock.advance(0);
    for (let minute = 0; minute < 20; minute += 1) await clock.advance(60_000);
    expect(server.received.filter(({ method }) => method === 'prompts/list')).toHaveLength(4);
    expect(server.received.filter(({ method }) => method === 'resources/list')).toHaveLength(1);
    expect([listing.problems, clock.pending]).toEqual([[], 0]);
    listing.dispose();
  });

  it('takes a list that does not exist for an empty one, and tells of it if it was declared', async () => {
    const handlers = { 'tools/list': () => ({ tools: [{ name: 't' }] }) };
    for (const capabilities of [everything, { tools: {} }]) {
      await using server = await connectTo({ capabilities, handlers });
      const { offer, problems } = await listOffer(server.connection);
      expect([offer.tools.length, offer.resources, offer.unlisted]).toEqual([1, [], undefined]);
      const declared = Object.keys(capabilities).filter((part) => part !== 'tools');
      expect(problems.map(({ code, sentence }) => [code, sentence.split(':')[0]])).toEqual(
        declared.map((part) => [
          'server.nonconforming',
          `The server declares ${part}, but refuses ${part}/list`,
        ]),
      );
    }
  });

  it('asks once without params if empty ones are refused, and from then on', async () => {
    const refusal = new RpcError({ code: -32602, message: 'Unexpected params' });
    const answer = (result: object) => (): object =>
      server.received.at(-1)?.params === undefined ? result : Promise.reject(refusal);
    await using server = await connectTo({
      capabilities: { tools: {}, prompts: {} },
      handlers: {
        'tools/list': answer({ tools: [{ name: 't' }] }),
        'prompts/list': answer({ prompts: [{ name: 'p' }] }),
      },
    });
    const listing = new ListingReader(server.connection);
    listing.start();
    await listing.whenKnown();
    expect([listing.listing?.tools.length, listing.listing?.prompts.length]).toEqual([1, 1]);
    expect(listing.problems).toEqual([]);
    const before = server.received.length;
    listing.refresh('tools');
    await expect.poll(() => server.received.slice(before)).toMatchObject([{ method: 'tools/list' }]);
    expect(server.received.at(-1)?.params).toBeUndefined();
    listing.dispose();
  });

  it.each([
    { code: -32603, message: 'Method not found: prompts/list' },
    { code: -32600, message: 'Unknown method' },
    { code: -32000, message: 'Not implemented' },
    { code: -32602, message: 'prompts/list is not supported by this server' },
    { code: 404, message: 'No handler for prompts/list' },
    { code: -32603, message: 'The server answered with HTTP 404: Nope', data: { status: 404 } },
    { code: -32603, message: 'The server answered with HTTP 405', data: { status: 405 } },
    { code: -32603, message: 'The server answered with HTTP 501', data: { status: 501 } },
  ])('takes a list that is refused as if it did not exist for an empty one: %j', async (refusal) => {
    await using server = await connectTo({
      capabilities: { tools: {}, prompts: {} },
      handlers: {
        'tools/list': () => ({ tools: [{ name: 't' }] }),
        'prompts/list': () => Promise.reject(new RpcError(refusal)),
      },
    });
    const { offer, problems } = await listOffer(server.connection);
    expect([offer.prompts, offer.unlisted]).toEqual([[], undefined]);
    expect(problems).toMatchObject([
      { code: 'server.nonconforming', sentence: expect.stringContaining(refusal.message) },
    ]);
  });

  it.each([
    ['tools/list', { code: -32603, message: 'Method not found' }],
    ['prompts/list', { code: -32603, message: 'Database not found' }],
    ['prompts/list', { code: -32602, message: 'The method failed: not ready' }],
    ['prompts/list', { code: -32603, message: 'The server answered with HTTP 403', data: { status: 403 } }],
  ])('tells of %s refused for another reason: %j', async (method, refusal) => {
    await using server = await connectTo({
      capabilities: { tools: {}, prompts: {} },
      handlers: {
        'tools/list': () => ({ tools: [{ name: 't' }] }),
        'prompts/list': () => ({ prompts: [] }),
        [method]: () => Promise.reject(new RpcError(refusal)),
      },
    });
    const { problems } = await listOffer(server.connection);
    expect(problems).toMatchObject([{ code: 'server.list_failed' }]);
  });

  it('keeps what was listed before where the list seems not to exist any more', async () => {
    await using server = await connectTo({
      capabilities: { prompts: {} },
      handlers: {
        'prompts/list': () => Promise.reject(new RpcError({ code: -32603, message: 'Not implemented' })),
      },
    });
    const { offer, problems } = await listOffer(server.connection, {
      previous: offerOf({ prompts: [{ name: 'p' }] }),
    });
    expect([offer.prompts.length, problems.length]).toEqual([1, 1]);
  });

  it.each([
    { next_cursor: 'b' },
    { nextPageToken: 'b' },
    { cursor: 'b' },
    { pagination: { nextCursor: 'b' } },
  ])('[PB-LIST-1] follows a cursor that is given as %j', async (given) => {
    await using server = await connectTo({
      handlers: {
        'tools/list': ({ cursor }) =>
          cursor === 'b' ? { tools: [{ name: 'b' }] } : { tools: [{ name: 'a' }], ...given },
      },
    });
    const { offer, problems } = await listOffer(server.connection);
    expect([offer.tools, problems]).toEqual([[{ name: 'a' }, { name: 'b' }], []]);
  });

  it.each([
    ['null for the list', { tools: null }],
    ['no list', {}],
    ['null', null],
    ["PHP's empty list for the result", []],
    ['an empty object for the list', { tools: {} }],
  ])('takes %s for an empty list', async (_what, answer) => {
    await using server = await connectTo({ handlers: { 'tools/list': () => answer } });
    const { offer, problems } = await listOffer(server.connection);
    expect([offer.tools, problems, offer.unlisted]).toEqual([[], [], undefined]);
  });

  it.each([
    ['in `result`', (tools: unknown) => ({ result: { tools } })],
    ['in `data`, beside other members', (tools: unknown) => ({ status: 'ok', data: { tools }, errors: [] })],
    ['in a member of its own name', (tools: unknown) => ({ tools: { tools } })],
    ['under another name', (tools: unknown) => ({ items: tools })],
    ['as text', (tools: unknown) => JSON.stringify({ tools })],
    ['as text in its member', (tools: unknown) => ({ tools: JSON.stringify(tools) })],
    ['bare', (tools: unknown) => tools],
    ['item by item as text', (tools: unknown[]) => ({ tools: tools.map((tool) => JSON.stringify(tool)) })],
    ['in a list', (tools: unknown) => ({ tools: [tools] })],
    ['in an object with its length', (tools: unknown) => ({ tools: { list: tools, total: 2 } })],
    ['under another name, beside null', (tools: unknown) => ({ tools: null, items: tools })],
  ])('[PB-LIST-1] reads a list that came wrapped %s', async (_how, wrap) => {
    const tools = [{ name: 'a' }, { name: 'b' }];
    await using server = await connectTo({ handlers: { 'tools/list': () => wrap(tools) } });
    const { offer, problems } = await listOffer(server.connection);
    expect([offer.tools, problems]).toEqual([tools, []]);
  });

  it.each([
    ['in `error`', { error: 'Not ready' }],
    ['in an object', { error: { code: -32000, message: 'Not ready' } }],
    ['as a tool would', { isError: true, content: [{ type: 'text', text: 'Not ready' }] }],
    ['as a text', 'Not ready'],
  ])(
    'takes a result that reports an error %s for a refusal, in the words of the server',
    async (_how, answer) => {
      await using server = await connectTo({ handlers: { 'tools/list': () => answer } });
      const previous = offerOf({ tools: [{ name: 't' }] });
      const { offer, problems } = await listOffer(server.connection, { previous });
      expect(offer.tools).toEqual([{ name: 't' }]);
      expect(problems).toMatchObject([
        { code: 'server.list_failed', sentence: expect.stringContaining('Not ready') },
      ]);
    },
  );

  it('reads a list that came as an object of items by their names', async () => {
    const tools = { a: { description: 'A' }, b: { name: 'other', inputSchema: null }, c: null };
    await using server = await connectTo({ handlers: { 'tools/list': () => ({ tools }) } });
    const { offer } = await listOffer(server.connection);
    expect(offer.tools).toEqual([
      { name: 'a', description: 'A' },
      { name: 'other', inputSchema: null },
      null,
    ]);
  });

  it('follows pages to the end, by cursors of text and numbers', async () => {
    const pages: Record<string, unknown> = {
      start: { tools: [{ name: 'a' }], nextCursor: 0 },
      0: { tools: [], nextCursor: 'x' },
      x: { tools: [{ name: 'b' }], nextCursor: null },
    };
    await using server = await connectTo({
      handlers: { 'tools/list': ({ cursor = 'start' }) => pages[String(cursor)] },
    });
    const { offer, problems } = await listOffer(server.connection);
    expect([offer.tools, problems]).toEqual([[{ name: 'a' }, { name: 'b' }], []]);
    const asked = server.received.filter(({ method }) => method === 'tools/list');
    expect(asked.map(({ params }) => params?.cursor)).toEqual([undefined, 0, 'x']);
  });

  it.each([[''], [null], [false], [{}]])('ends a list at the cursor %j', async (nextCursor) => {
    await using server = await connectTo({
      handlers: { 'tools/list': () => ({ tools: [{ name: 'a' }], nextCursor }) },
    });
    const { offer, problems } = await listOffer(server.connection);
    expect([offer.tools, problems]).toEqual([[{ name: 'a' }], []]);
  });

  it('keeps the pages that came where a later one is refused, and what was listed before where that was more', async () => {
    const first = { tools: [{ name: 'a' }], nextCursor: '2' };
    await using server = await connectTo({
      handlers: {
        'tools/list': ({ cursor }) =>
          cursor === undefined ? first : Promise.reject(new RpcError({ code: -32603, message: 'worn out' })),
      },
    });
    const fresh = await listOffer(server.connection);
    expect(fresh.offer.tools).toEqual([{ name: 'a' }]);
    expect(fresh.problems[0]).toMatchObject({
      code: 'server.list_failed',
      sentence: expect.stringMatching(/worn out.*tools\/list/),
    });
    const previous = offerOf({ tools: ['a', 'b'] });
    const again = await listOffer(server.connection, { previous });
    expect(again.offer.tools).toHaveLength(2);
  });

  it('[NFR-R1] stops where a page brings nothing new, and shows nothing twice', async () => {
    let page = 0;
    await using server = await connectTo({
      handlers: {
        'tools/list': () => {
          page += 1;
          return { tools: [{ name: 'a' }, { name: 'b' }], nextCursor: `page ${page}` };
        },
      },
    });
    const { offer, problems } = await listOffer(server.connection);
    expect([page, offer.tools.map(({ name }) => name)]).toEqual([2, ['a', 'b']]);
    expect(problems).toMatchObject([{ code: 'server.list_cut' }]);
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
    expect(problems).toMatchObject([{ code: 'server.list_cut' }]);
  });

  it.each([
    ['a page takes a second', 1_000, () => true],
    ['every third page is empty', 1_000, (page: number) => page % 3 !== 0],
  ])(
    '[PB-LIST-1] shows what has come of a list while %s, and goes on',
    async (_how, milliseconds, isFull) => {
      const clock = new FakeClock();
      let page = 0;
      await using server = await connectTo({
        capabilities: { tools: {} },
        handlers: {
          async 'tools/list'() {
            page += 1;
            const tools = isFull(page) ? [{ name: `t${page}` }] : [];
            const nextCursor = page < 40 ? `page ${page}` : undefined;
            await new Promise<void>((resolve) => clock.after(milliseconds, resolve));
            return { tools, nextCursor };
          },
        },
      });
      let told = 0;
      const listing = new ListingReader(server.connection, {
        clock,
        requestsUndeclared: false,
        onChange: () => {
          told += 1;
        },
      });
      listing.start();
      await clock.advance(0);
      for (let passed = 0; passed < 10; passed += 1) await clock.advance(1_000);
      const shown = listing.listing?.tools.length ?? 0;
      expect(shown).toBeGreaterThanOrEqual(3);
      expect([listing.isKnown(), listing.knowsTools, listing.listing?.unlisted]).toEqual([
        true,
        false,
        ['tools'],
      ]);
      expect(listing.problems).toMatchObject([
        {
          code: 'server.list_failed',
          sentence: expect.stringContaining(`${shown} items so far, still reading`),
        },
      ]);
      for (let passed = 0; passed < 40; passed += 1) await clock.advance(1_000);
      expect(listing.listing?.tools).toHaveLength(
        Array.from({ length: 40 }, (_, at) => at + 1).filter(isFull).length,
      );
      expect([listing.problems, listing.knowsTools, listing.listing?.unlisted]).toEqual([
        [],
        true,
        undefined,
      ]);
      expect(told).toBeLessThan(8);
      listing.dispose();
    },
  );

  it('[PB-LIST-1] shows what was known before as long as that is more than what has come', async () => {
    const clock = new FakeClock();
    let page = 0;
    await using server = await connectTo({
      capabilities: { tools: {} },
      handlers: {
        async 'tools/list'() {
          page += 1;
          const result = {
            tools: [{ name: `t${page}` }],
            nextCursor: page < 12 ? `page ${page}` : undefined,
          };
          await new Promise<void>((resolve) => clock.after(1_000, resolve));
          return result;
        },
      },
    });
    const previous = offerOf({ tools: Array.from({ length: 20 }, (_, index) => `old${index}`) });
    const listing = new ListingReader(server.connection, {
      clock,
      requestsUndeclared: false,
      previous: () => previous,
    });
    listing.start();
    await clock.advance(0);
    for (let passed = 0; passed < 8; passed += 1) await clock.advance(1_000);
    expect(listing.listing?.tools).toHaveLength(20);
    for (let passed = 0; passed < 8; passed += 1) await clock.advance(1_000);
    expect(listing.listing?.tools).toHaveLength(12);
    listing.dispose();
  });

  it('[NFR-R1] stops after twenty empty pages in a row, and not before', async () => {
    const pagesFor = async (emptyPages: number) => {
      let page = 0;
      await using server = await connectTo({
        handlers: {
          'tools/list': () => {
            page += 1;
            const tools = page === 1 || page === emptyPages + 2 ? [{ name: `t${page}` }] : [];
            return { tools, nextCursor: page < emptyPages + 2 ? `page ${page}` : undefined };
          },
        },
      });
      const { offer, problems } = await listOffer(server.connection);
      return [page, offer.tools.length, problems.map(({ code }) => code)];
    };
    expect(await pagesFor(19)).toEqual([21, 2, []]);
    expect(await pagesFor(5000)).toEqual([21, 1, ['server.list_cut']]);
  });

  it.each([
    [
      'an error',
      () => Promise.reject(new RpcError({ code: -32603, message: 'disk on fire' })),
      'disk on fire',
    ],
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

  it('loses only the list that never comes, keeps the previous one, and retries at growing intervals', async () => {
    const clock = new FakeClock();
    await using server = await connectTo({
      handlers: {
        'tools/list': () => ({ tools: [{ name: 't' }] }),
        'prompts/list': () => new Promise(() => {}),
      },
      capabilities: { tools: {}, prompts: {} },
    });
    const previous = offerOf({ prompts: [{ name: 'old' }], tools: ['old'] });
    const listing = new ListingReader(server.connection, {
      clock,
      pageTimeoutMs: 5000,
      previous: () => previous,
    });
    listing.start();
    await clock.advance(0);
    await clock.advance(5000);
    expect(listing.listing).toMatchObject({ tools: [{ name: 't' }], prompts: [{ name: 'old' }] });
    expect(listing.problems[0]?.sentence).toContain('prompts/list was not answered within 5 s');
    const asked = () => server.received.filter(({ method }) => method === 'prompts/list').length;
    await clock.advance(37_000);
    expect(asked()).toBe(2);
    await clock.advance(600_000);
    expect(asked()).toBeLessThan(8);
    listing.dispose();
  });

  it('[PB-LIST-1] asks a server that is not ready again after 1, 3, 10 and 30 s, and then at growing intervals', async () => {
    const clock = new FakeClock();
    const asked: number[] = [];
    await using server = await connectTo({
      capabilities: { tools: {} },
      handlers: {
        'tools/list': () => {
          asked.push(clock.uptime());
          return Promise.reject(new RpcError({ code: -32000, message: 'Not ready' }));
        },
      },
    });
    const listing = new ListingReader(server.connection, { clock, requestsUndeclared: false });
    listing.start();
    await clock.advance(0);
    for (const wait of [1_000, 3_000, 10_000, 30_000, 72_000]) await clock.advance(wait);
    const waits = asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
    expect(waits.slice(0, 4)).toEqual([1_000, 3_000, 10_000, 30_000]);
    expect(waits[4]).toBeGreaterThanOrEqual(48_000);
    listing.dispose();
  });

  it('rejects when the connection ends, for then nothing is known', async () => {
    const server = await connectTo({ handlers: { 'tools/list': () => new Promise(() => {}) } });
    const listed = listOffer(server.connection);
    await server.close();
    await expect(listed).rejects.toMatchObject({ name: 'ConnectionClosedError' });
  });
});
