import { describe, expect, it, vi } from 'vitest';
import type { ServerListing } from '../../../../../electron/engine/catalogue/contract.ts';
import { LiveCatalogue } from '../../../../../electron/engine/catalogue/live-catalogue.ts';
import { RpcError } from '../../../../../electron/engine/jsonrpc/message.ts';
import type { RawMessage } from '../../../../../electron/engine/jsonrpc/raw-message.ts';
import { toRaw } from '../../../../../electron/engine/jsonrpc/read-message.ts';
import type { Connection } from '../../../../../electron/engine/servers/contract.ts';
import {
  type CatalogueSyncOptions,
  createCatalogueSync,
} from '../../../../../electron/engine/servers/listing/catalogue-sync.ts';
import { ProblemError, problem } from '../../../../../shared/error/problem.ts';
import { offerOf } from '../../../../helper/catalogue.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { createFakeSupervisor } from '../../../../helper/fake-supervisor.ts';

/** A request that the test answers. */
interface HeldRequest {
  readonly method: string;
  answer(result: unknown): void;
  refuse(message: string, code?: number): void;
}

/** A server whose requests the test answers; it answers health checks itself if told to. */
function heldConnection(capabilities: ServerListing['capabilities'], name = 'held') {
  const requests: HeldRequest[] = [];
  const connection = {
    handshake: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name } },
    requestRaw: (method: string) => {
      let abandon: (reason: Error) => void = () => {};
      const result = new Promise<RawMessage>((resolve, reject) => {
        abandon = reject;
        requests.push({
          method,
          answer: (value) => resolve(toRaw({ jsonrpc: '2.0', id: 1, result: value })),
          refuse: (message, code = -32603) => reject(new RpcError({ code, message })),
        });
      });
      return { id: 1, result, abandon: (reason: Error) => void abandon(reason) };
    },
  } as unknown as Connection;
  return { connection, requests };
}

/** Lets answers be processed before time passes. */
async function pass(clock: FakeClock, milliseconds: number): Promise<void> {
  await clock.advance(0);
  await clock.advance(milliseconds);
}

const toolsOnly = { tools: {}, prompts: false, resources: false };
const named = (...names: readonly string[]) => ({ tools: offerOf({ tools: names }).tools });

function setUp(
  keep: CatalogueSyncOptions['keep'] = 'while-known',
  capabilities: ServerListing['capabilities'] = toolsOnly,
) {
  const clock = new FakeClock();
  const supervisor = createFakeSupervisor(['a', 'b']);
  const catalogue = new LiveCatalogue({ clock });
  catalogue.setServers(['a', 'b'].map((key) => ({ key, enabled: true, disabledTools: new Set() })));
  const listed: string[] = [];
  const notices: string[][] = [];
  catalogue.onChange(({ kinds }) => notices.push([...kinds]));
  const sync = createCatalogueSync({
    clock,
    supervisor,
    catalogue,
    keep,
    onChange: () => {},
    onListed: (key) => listed.push(key),
  });
  const { connection, requests: listings } = heldConnection(capabilities);
  const tools = () => catalogue.current.servers.map(({ key, offer }) => [key, offer.tools.length]);
  const asked = () => listings.map(({ method }) => method);
  const request = (method: string) => {
    const found = listings.filter((listing) => listing.method === method).at(-1);
    if (found === undefined) throw new Error(`${method} was not asked for.`);
    return found;
  };
  return {
    ...{ clock, supervisor, catalogue, sync, connection, listings, asked, request, listed, notices, tools },
  };
}

const listChanged = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' } as const;

describe('following the lists of servers', () => {
  it('lists a server when it connects, and once more for all changes during a listing', async () => {
    const { connection, clock, supervisor, listings, tools } = setUp();
    supervisor.server('a').connected(connection);
    supervisor.notify('a', listChanged);
    supervisor.notify('a', listChanged);
    expect(listings).toHaveLength(1);
    listings[0]?.answer(named('x'));
    await clock.advance(0);
    expect(listings).toHaveLength(2);
    listings[1]?.answer(named('x', 'y'));
    await clock.advance(0);
    expect(tools()).toEqual([['a', 2]]);
    expect(listings).toHaveLength(2);
  });

  it('warns of a silent server, and withdraws the warning when it answers', async () => {
    const { connection, clock, supervisor, listings, sync } = setUp();
    supervisor.server('a').connected(connection);
    await clock.advance(4_900);
    expect(sync.warnings('a')).toEqual([]);
    await clock.advance(200);
    expect(sync.warnings('a')).toMatchObject([{ code: 'server.list_failed' }]);
    listings[0]?.answer(named('x'));
    await clock.advance(0);
    expect(sync.warnings('a')).toEqual([]);
  });

  it('retries a failed listing with growing delays', async () => {
    const { connection, clock, supervisor, listings, sync, tools } = setUp();
    supervisor.server('a').connected(connection);
    listings[0]?.refuse('Nothing came.');
    await clock.advance(0);
    expect(sync.warnings('a')).toMatchObject([{ code: 'server.list_failed' }]);
    await clock.advance(1_100);
    expect(listings).toHaveLength(2);
    listings[1]?.refuse('Nothing came.');
    await clock.advance(0);
    await clock.advance(2_500);
    expect(listings).toHaveLength(2);
    await clock.advance(600);
    expect(listings).toHaveLength(3);
    listings[2]?.answer(named('late'));
    await pass(clock, 400_000);
    expect(tools()).toEqual([['a', 1]]);
    expect(sync.warnings('a')).toEqual([]);
    expect(listings).toHaveLength(3);
  });

  it('[PB-LIST-1] lets nobody wait longer than a minute for a server that was never listed', async () => {
    const { clock, supervisor, catalogue, sync } = setUp();
    let isHeard = false;
    void sync
      .listed(() => catalogue.current.awaited ?? [])
      .then(() => {
        isHeard = true;
      });
    await clock.advance(59_000);
    expect(isHeard).toBe(false);
    supervisor.server('b').failed(new ProblemError(problem('server.crashed', 'It ended.', 'See its log.')));
    expect(catalogue.current.awaited).toEqual(['a']);
    await clock.advance(2_000);
    expect(isHeard).toBe(true);
    // A later caller does not wait, although the list is incomplete.
    await sync.listed(() => catalogue.current.awaited ?? []);
    expect(catalogue.current.awaited).toEqual(['a']);
  });

  it('has settled when all that are starting have been listed or have failed', async () => {
    const { connection, clock, supervisor, listings, sync } = setUp();
    let settled = false;
    void sync.settled().then(() => {
      settled = true;
    });
    supervisor.server('a').connected(connection);
    listings[0]?.answer(named('x'));
    await clock.advance(0);
    expect(settled).toBe(false);
    supervisor.server('b').failed(new ProblemError(problem('server.crashed', 'It ended.', 'See its log.')));
    await clock.advance(0);
    expect(settled).toBe(true);
  });

  it('[PB-DEMAND-1] waits for no server that sleeps', async () => {
    const { connection, clock, supervisor, sync, listings } = setUp();
    let settled = false;
    void sync.settled().then(() => {
      settled = true;
    });
    supervisor.server('a').connected(connection);
    listings[0]?.answer(named('x'));
    await clock.advance(0);
    expect(settled).toBe(false);
    supervisor.server('b').asleep();
    await clock.advance(0);
    expect(settled).toBe(true);
  });

  it('[PB-DEMAND-1] keeps the lists of a sleeping server, and reports when a listing is complete', async () => {
    const { connection, clock, supervisor, sync, listings, listed, tools } = setUp();
    supervisor.server('a').connected(connection);
    listings[0]?.refuse('Nothing came.');
    await clock.advance(0);
    expect(listed).toEqual([]);
    supervisor.notify('a', listChanged);
    listings[1]?.answer(named('x'));
    await clock.advance(0);
    expect(listed).toEqual(['a']);
    supervisor.server('a').asleep();
    await clock.advance(400_000);
    expect(tools()).toEqual([['a', 1]]);
    expect(sync.warnings('a')).toEqual([]);
    expect(listings).toHaveLength(2);
  });

  it('[FR-009] drops the lists of a disconnected server if only connected ones are kept', async () => {
    const { connection, clock, supervisor, listings, tools } = setUp('while-connected');
    supervisor.server('a').connected(connection);
    listings[0]?.answer(named('x'));
    await clock.advance(0);
    expect(tools()).toEqual([['a', 1]]);
    supervisor.server('a').failed(new ProblemError(problem('server.crashed', 'It ended.', 'See its log.')));
    expect(tools()).toEqual([]);
  });

  it('ignores answers of a closed connection', async () => {
    const { connection, clock, supervisor, listings, tools } = setUp();
    supervisor.server('a').connected(connection);
    supervisor.server('a').failed(new ProblemError(problem('server.crashed', 'It ended.', 'See its log.')));
    listings[0]?.answer(named('old'));
    await clock.advance(0);
    expect(tools()).toEqual([]);
  });

  it('[PB-LIST-1] shows the tools of a server whose other lists never come, and keeps nobody waiting for them', async () => {
    const { connection, clock, supervisor, sync, asked, request, tools } = setUp('while-known', {
      tools: {},
      prompts: {},
      resources: {},
    });
    supervisor.server('b').asleep();
    const settled: (string | undefined)[] = [];
    for (const part of ['tools', 'resources', 'prompts', undefined] as const)
      void sync.settled(part).then(() => settled.push(part));
    supervisor.server('a').connected(connection);
    expect(asked()).toEqual(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']);
    request('tools/list').answer(named('x'));
    request('resources/list').answer({ resources: [] });
    await pass(clock, 50);
    expect(tools()).toEqual([['a', 1]]);
    expect(settled).toEqual(['tools', 'resources']);
    await pass(clock, 1_000);
    expect(settled).toEqual(['tools', 'resources', 'prompts', undefined]);
    expect(sync.warnings('a')).toEqual([]);
    await pass(clock, 5_000);
    expect(sync.warnings('a').map(({ sentence }) => sentence)).toEqual([
      expect.stringContaining('prompts/list'),
      expect.stringContaining('resources/templates/list'),
    ]);
  });

  it('[PB-LIST-1] shows the other lists of a server whose tools do not come, and says that these are not known', async () => {
    const { connection, clock, supervisor, catalogue, request } = setUp('while-known', {
      tools: {},
      prompts: {},
      resources: false,
    });
    supervisor.server('a').connected(connection);
    request('prompts/list').answer({ prompts: [{ name: 'p' }] });
    await pass(clock, 1_900);
    expect(catalogue.current.servers).toEqual([]);
    await pass(clock, 200);
    expect(catalogue.current.servers).toMatchObject([
      { key: 'a', offer: { tools: [], prompts: [{ name: 'p' }], unlisted: ['tools'] } },
    ]);
    request('tools/list').answer(named('late'));
    await pass(clock, 50);
    expect(catalogue.current.servers[0]?.offer).toMatchObject({ tools: [{ name: 'late' }] });
    expect(catalogue.current.servers[0]?.offer).not.toHaveProperty('unlisted');
  });

  it('waits longer for the lists of a server that took long to start', async () => {
    const { connection, clock, supervisor, catalogue } = setUp();
    supervisor.server('a').answerWith(() => Promise.resolve(connection));
    await pass(clock, 4_000);
    supervisor.server('a').connected(connection);
    await pass(clock, 3_900);
    expect(catalogue.current.servers).toEqual([]);
    await pass(clock, 200);
    expect(catalogue.current.servers).toHaveLength(1);
  });

  it('asks again only for the list that has changed, and keeps what was listed where it does not come', async () => {
    const { connection, clock, supervisor, asked, request, tools } = setUp('while-known', {
      tools: {},
      prompts: {},
      resources: false,
    });
    supervisor.server('a').connected(connection);
    request('tools/list').answer(named('x', 'y'));
    request('prompts/list').answer({ prompts: [] });
    await pass(clock, 50);
    supervisor.notify('a', listChanged);
    expect(asked()).toEqual(['tools/list', 'prompts/list', 'tools/list']);
    request('tools/list').refuse('disk on fire');
    await pass(clock, 50);
    expect(tools()).toEqual([['a', 2]]);
  });

  it('lists what a server says has changed although it never declared it', async () => {
    const { connection, clock, supervisor, asked, request, tools } = setUp('while-known', {
      prompts: {},
      resources: false,
    });
    supervisor.server('a').connected(connection);
    request('prompts/list').answer({ prompts: [] });
    await pass(clock, 50);
    request('tools/list').refuse('Method not found', -32601);
    await pass(clock, 50);
    supervisor.notify('a', listChanged);
    expect(asked()).toEqual(['prompts/list', 'tools/list', 'tools/list']);
    request('tools/list').answer(named('x'));
    await pass(clock, 50);
    expect(tools()).toEqual([['a', 1]]);
  });

  it('stops asking a server for undeclared lists after it exited over the request', async () => {
    const { connection, clock, supervisor, asked, request } = setUp('while-known', { tools: {} });
    const crash = problem('server.crashed', 'It ended.', 'See its log.');
    supervisor.server('a').connected(connection);
    request('tools/list').answer(named('x'));
    await clock.advance(0);
    expect(asked()).toEqual(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']);
    supervisor.server('a').lost(crash);
    const again = heldConnection({ tools: {} });
    supervisor.server('a').connected(again.connection);
    again.requests[0]?.answer(named('x'));
    await pass(clock, 3_000);
    expect(again.requests).toHaveLength(1);
  });

  it('asks such a server again for lists that it answered without declaring them', async () => {
    const { connection, clock, supervisor, request } = setUp('while-known', {});
    supervisor.server('a').connected(connection);
    request('tools/list').answer(named('x'));
    await pass(clock, 200);
    supervisor.server('a').lost(problem('server.crashed', 'It ended.', 'See its log.'));
    const again = heldConnection({});
    supervisor.server('a').connected(again.connection);
    await pass(clock, 3_000);
    expect(again.requests.map(({ method }) => method)).toEqual(['tools/list']);
  });
});

describe('a server that keeps announcing list changes', () => {
  /** Sends the notification with or after each answer, as long as the test wants. */
  function storm(what: 'tools' | 'prompts', behind: number) {
    const bench = setUp('while-known', { tools: false, prompts: false, resources: false, [what]: {} });
    const { clock, supervisor, connection, listings } = bench;
    const notes = vi.spyOn(supervisor.server('a').log, 'append');
    const changed = { jsonrpc: '2.0', method: `notifications/${what}/list_changed` } as const;
    const times: number[] = [];
    let isStormy = true;
    const ask = connection.requestRaw.bind(connection);
    const answering = {
      ...connection,
      requestRaw: (method: string) => {
        times.push(clock.uptime());
        const pending = ask(method);
        clock.after(50, () => {
          if (isStormy && behind === 0) supervisor.notify('a', changed);
          const items = [{ name: `t${times.length}`, inputSchema: { type: 'object' } }];
          listings.at(-1)?.answer({ [what]: items });
          if (isStormy && behind > 0) clock.after(behind, () => supervisor.notify('a', changed));
        });
        return pending;
      },
    } as Connection;
    supervisor.server('a').connected(answering);
    const rest = () => {
      isStormy = false;
    };
    return { ...bench, times, notes, changed, rest };
  }

  it.each([
    ['tools', 0],
    ['tools', 400],
    ['prompts', 0],
  ] as const)(
    'is asked for %s ever less often, with the notice %i ms behind each answer',
    async (what, behind) => {
      const { clock, times, notes } = storm(what, behind);
      await clock.advance(1_000);
      expect(times.length).toBeGreaterThanOrEqual(3);
      await clock.advance(119_000);
      expect(times.length).toBeLessThan(14);
      expect(notes).toHaveBeenCalledTimes(1);
      expect(notes).toHaveBeenCalledWith('hub', expect.stringContaining(`${what}/list`));
      const last = times.length;
      await clock.advance(31_000);
      expect(times.length).toBeGreaterThan(last);
    },
  );

  it('is listed after its last announcement, and at once again after a pause', async () => {
    const { clock, supervisor, times, tools, rest, changed, catalogue } = storm('tools', 0);
    await clock.advance(15_000);
    const before = times.length;
    supervisor.notify('a', changed);
    rest();
    await clock.advance(30_000);
    expect(times.length).toBe(before + 1);
    const names = () => catalogue.current.servers[0]?.offer.tools.map(({ name }) => name);
    expect([tools(), names()]).toEqual([[['a', 1]], [`t${times.length}`]]);
    const told = clock.uptime();
    supervisor.notify('a', changed);
    await clock.advance(100);
    expect(times.at(-1)).toBe(told);
    expect(names()).toEqual([`t${times.length}`]);
  });

  it('is asked once for a burst of notifications', async () => {
    const { clock, supervisor, times, rest, changed } = storm('tools', 0);
    rest();
    await clock.advance(100);
    for (let notice = 0; notice < 50; notice += 1) {
      supervisor.notify('a', changed);
      await clock.advance(4);
    }
    await clock.advance(1_000);
    expect(times.length).toBeLessThanOrEqual(4);
  });
});

describe('a server that was asked for lists that it does not declare', () => {
  it('is not asked again after its health checks found it unresponsive', async () => {
    const { connection, clock, supervisor, request } = setUp('while-known', { tools: {} });
    supervisor.server('a').connected(connection);
    request('tools/list').answer(named('x'));
    await pass(clock, 90_000);
    supervisor.server('a').lost(problem('server.unhealthy', 'It does not answer.', 'See its log.'));
    const again = heldConnection({ tools: {} });
    supervisor.server('a').connected(again.connection);
    again.requests[0]?.answer(named('x'));
    await pass(clock, 3_000);
    expect(again.requests).toHaveLength(1);
  });
});

describe('a changed config that takes over', () => {
  async function running(capabilities: ServerListing['capabilities'] = toolsOnly) {
    const bench = setUp();
    bench.supervisor.server('a').connected(bench.connection);
    bench.listings[0]?.answer({
      tools: offerOf({ tools: ['kept', { name: 'other', inputSchema: { type: 'object' } }, 'gone'] }).tools,
    });
    await bench.clock.advance(100);
    bench.notices.length = 0;
    const { connection: next, requests } = heldConnection(capabilities, 'next');
    return { ...bench, next, requests };
  }

  it('[PB-CFG-1] is listed once, next to the old one, and applies from the commit on', async () => {
    const { clock, supervisor, sync, next, requests, notices, tools } = await running();
    const preparing = sync.prepare('a', next);
    requests[0]?.answer({
      tools: offerOf({
        tools: ['kept', { name: 'other', inputSchema: { type: 'object', title: 'T' } }, 'new'],
      }).tools,
    });
    const update = await preparing;
    expect(update.difference).toEqual({ added: ['new'], removed: ['gone'], changed: ['other'] });
    await pass(clock, 100);
    expect(notices).toEqual([]);
    update.commit();
    supervisor.server('a').connected(next);
    expect(tools()).toEqual([['a', 3]]);
    await pass(clock, 100);
    expect(notices).toEqual([['tools']]);
    expect(requests).toHaveLength(1);
  });

  it('[PB-CFG-1] does not notify clients if the lists are the same', async () => {
    const { clock, supervisor, sync, next, requests, notices, catalogue } = await running();
    const { revision } = catalogue.current;
    const preparing = sync.prepare('a', next);
    requests[0]?.answer({
      tools: offerOf({ tools: ['kept', { name: 'other', inputSchema: { type: 'object' } }, 'gone'] }).tools,
    });
    const { difference, commit } = await preparing;
    expect(difference).toEqual({ added: [], removed: [], changed: [] });
    commit();
    // The server info differs, the lists do not.
    supervisor.server('a').connected(next);
    await pass(clock, 100);
    expect(notices.flat()).toEqual([]);
    expect(catalogue.current.revision).toBe(revision);
  });

  it('[PB-CFG-1] takes over although a list of it is silent', async () => {
    const { clock, supervisor, sync, next, requests, tools } = await running({ tools: {}, prompts: {} });
    const preparing = sync.prepare('a', next);
    requests[0]?.answer(named('new'));
    await pass(clock, 1_000);
    const { commit } = await preparing;
    commit();
    supervisor.server('a').connected(next);
    expect(tools()).toEqual([['a', 1]]);
    await pass(clock, 5_000);
    expect(sync.warnings('a')).toMatchObject([{ evidence: [{ label: 'method', value: 'prompts/list' }] }]);
  });

  it('[PB-CFG-1] takes over although its tools are refused, keeping the known list', async () => {
    const { clock, supervisor, sync, next, requests, tools } = await running();
    const preparing = sync.prepare('a', next);
    requests[0]?.refuse('No licence');
    const { commit } = await preparing;
    commit();
    supervisor.server('a').connected(next);
    await pass(clock, 100);
    expect(tools()).toEqual([['a', 3]]);
    expect(sync.warnings('a')[0]?.sentence).toContain('No licence');
  });

  it('is followed from then on, and the old one is not', async () => {
    const { connection, clock, supervisor, sync, listings, next, requests, tools } = await running();
    const preparing = sync.prepare('a', next);
    requests[0]?.answer(named('x'));
    const { commit } = await preparing;
    commit();
    supervisor.server('a').connected(next);
    supervisor.notify('a', listChanged, undefined, connection);
    expect(listings).toHaveLength(1);
    supervisor.notify('a', listChanged, undefined, next);
    requests[1]?.answer(named('x', 'y'));
    await clock.advance(0);
    expect(tools()).toEqual([['a', 2]]);
  });
});
