import { describe, expect, it } from 'vitest';
import type { Offer } from '../../../../electron/engine/catalogue/contract.ts';
import { createCatalogueStore } from '../../../../electron/engine/catalogue/store.ts';
import { createOfferSync, type OfferSyncOptions } from '../../../../electron/engine/hub/offer-sync.ts';
import type { Connection } from '../../../../electron/engine/supervise/contract.ts';
import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import { offerOf } from '../../../helper/catalogue.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';
import { createFakeSupervisor } from '../../../helper/fake-supervisor.ts';

const connection = {} as Connection;

/** A listing that the test ends. */
interface HeldListing {
  answer(offer: Offer): void;
  fail(): void;
}

function setUp(keep: OfferSyncOptions['keep'] = 'while-known') {
  const clock = new FakeClock();
  const supervisor = createFakeSupervisor(['a', 'b']);
  const catalogue = createCatalogueStore({ clock });
  catalogue.arrange(['a', 'b'].map((key) => ({ key, enabled: true, disabledTools: new Set() })));
  const listings: HeldListing[] = [];
  const listed: string[] = [];
  const notices: string[][] = [];
  catalogue.onChange(({ kinds }) => notices.push([...kinds]));
  const sync = createOfferSync({
    clock,
    supervisor,
    catalogue,
    keep,
    list: () =>
      new Promise((resolve, reject) => {
        listings.push({
          answer: (offer) => resolve({ offer, problems: [] }),
          fail: () => reject(new ProblemError(problem('server.list_failed', 'Nothing came.', 'Wait.'))),
        });
      }),
    onChange: () => {},
    onListed: (key) => listed.push(key),
  });
  const tools = () => catalogue.current.servers.map(({ key, offer }) => [key, offer.tools.length]);
  return { clock, supervisor, catalogue, sync, listings, listed, notices, tools };
}

const listChanged = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' } as const;

describe('following what servers offer', () => {
  it('lists a server when it connects, and again once for all changes while a listing is under way', async () => {
    const { clock, supervisor, listings, tools } = setUp();
    supervisor.server('a').connected(connection);
    supervisor.notify('a', listChanged);
    supervisor.notify('a', listChanged);
    expect(listings).toHaveLength(1);
    listings[0]?.answer(offerOf({ tools: ['x'] }));
    await clock.advance(0);
    expect(listings).toHaveLength(2);
    listings[1]?.answer(offerOf({ tools: ['x', 'y'] }));
    await clock.advance(0);
    expect(tools()).toEqual([['a', 2]]);
    expect(listings).toHaveLength(2);
  });

  it('says of a silent server that it is silent, and takes it back when it speaks', async () => {
    const { clock, supervisor, listings, sync } = setUp();
    supervisor.server('a').connected(connection);
    await clock.advance(4_900);
    expect(sync.warnings('a')).toEqual([]);
    await clock.advance(200);
    expect(sync.warnings('a')).toMatchObject([{ code: 'server.list_failed' }]);
    listings[0]?.answer(offerOf({ tools: ['x'] }));
    await clock.advance(0);
    expect(sync.warnings('a')).toEqual([]);
  });

  it('asks again later, ever less often, where a listing failed', async () => {
    const { clock, supervisor, listings, sync, tools } = setUp();
    supervisor.server('a').connected(connection);
    listings[0]?.fail();
    await clock.advance(0);
    expect(sync.warnings('a')).toMatchObject([{ code: 'server.list_failed' }]);
    await clock.advance(37_000);
    expect(listings).toHaveLength(2);
    listings[1]?.fail();
    await clock.advance(0);
    await clock.advance(37_000);
    expect(listings).toHaveLength(2);
    await clock.advance(40_000);
    expect(listings).toHaveLength(3);
    listings[2]?.answer(offerOf({ tools: ['late'] }));
    await clock.advance(400_000);
    expect(tools()).toEqual([['a', 1]]);
    expect(sync.warnings('a')).toEqual([]);
    expect(listings).toHaveLength(3);
  });

  it('has settled when all that are starting have been listed or have failed', async () => {
    const { clock, supervisor, listings, sync } = setUp();
    let settled = false;
    void sync.settled().then(() => {
      settled = true;
    });
    supervisor.server('a').connected(connection);
    listings[0]?.answer(offerOf({ tools: ['x'] }));
    await clock.advance(0);
    expect(settled).toBe(false);
    supervisor.server('b').failed(new ProblemError(problem('server.crashed', 'It ended.', 'See its log.')));
    await clock.advance(0);
    expect(settled).toBe(true);
  });

  it('[PB-DEMAND-1] waits for no server that sleeps', async () => {
    const { clock, supervisor, sync, listings } = setUp();
    let settled = false;
    void sync.settled().then(() => {
      settled = true;
    });
    supervisor.server('a').connected(connection);
    listings[0]?.answer(offerOf({ tools: ['x'] }));
    await clock.advance(0);
    expect(settled).toBe(false);
    supervisor.server('b').asleep();
    await clock.advance(0);
    expect(settled).toBe(true);
  });

  it('[PB-DEMAND-1] keeps listed what a sleeping server offers, and tells when a listing is complete', async () => {
    const { clock, supervisor, sync, listings, listed, tools } = setUp();
    supervisor.server('a').connected(connection);
    listings[0]?.fail();
    await clock.advance(0);
    expect(listed).toEqual([]);
    supervisor.notify('a', listChanged);
    listings[1]?.answer(offerOf({ tools: ['x'] }));
    await clock.advance(0);
    expect(listed).toEqual(['a']);
    supervisor.server('a').asleep();
    await clock.advance(400_000);
    expect(tools()).toEqual([['a', 1]]);
    expect(sync.warnings('a')).toEqual([]);
    expect(listings).toHaveLength(2);
  });

  it('[FR-009] drops what a server offered as soon as it is gone, where the program keeps only the connected', async () => {
    const { clock, supervisor, listings, tools } = setUp('while-connected');
    supervisor.server('a').connected(connection);
    listings[0]?.answer(offerOf({ tools: ['x'] }));
    await clock.advance(0);
    expect(tools()).toEqual([['a', 1]]);
    supervisor.server('a').failed(new ProblemError(problem('server.crashed', 'It ended.', 'See its log.')));
    expect(tools()).toEqual([]);
  });

  it('takes no answer of a connection that is over', async () => {
    const { clock, supervisor, listings, tools } = setUp();
    supervisor.server('a').connected(connection);
    supervisor.server('a').failed(new ProblemError(problem('server.crashed', 'It ended.', 'See its log.')));
    listings[0]?.answer(offerOf({ tools: ['old'] }));
    await clock.advance(0);
    expect(tools()).toEqual([]);
  });
});

describe('a changed config that takes over', () => {
  const next = { name: 'next' } as unknown as Connection;

  async function running() {
    const bench = setUp();
    bench.supervisor.server('a').connected(connection);
    bench.listings[0]?.answer(
      offerOf({ tools: ['kept', { name: 'other', inputSchema: { type: 'object' } }, 'gone'] }),
    );
    await bench.clock.advance(100);
    bench.notices.length = 0;
    return bench;
  }

  it('[PB-CFG-1] is listed once, beside the old one, and counts from the commit on', async () => {
    const { clock, supervisor, sync, listings, notices, tools } = await running();
    const preparing = sync.prepare('a', next);
    listings[1]?.answer(
      offerOf({ tools: ['kept', { name: 'other', inputSchema: { type: 'object', title: 'T' } }, 'new'] }),
    );
    const update = await preparing;
    expect(update.difference).toEqual({ added: ['new'], removed: ['gone'], changed: ['other'] });
    await clock.advance(100);
    expect(notices).toEqual([]);
    update.commit();
    supervisor.server('a').connected(next);
    expect(tools()).toEqual([['a', 3]]);
    await clock.advance(100);
    expect(notices).toEqual([['tools']]);
    expect(listings).toHaveLength(2);
  });

  it('[PB-CFG-1] tells clients nothing where it offers the same', async () => {
    const { clock, supervisor, sync, listings, notices, catalogue } = await running();
    const { revision } = catalogue.current;
    const preparing = sync.prepare('a', next);
    listings[1]?.answer(
      offerOf({ tools: ['kept', { name: 'other', inputSchema: { type: 'object' } }, 'gone'] }),
    );
    const { difference, commit } = await preparing;
    expect(difference).toEqual({ added: [], removed: [], changed: [] });
    commit();
    supervisor.server('a').connected(next);
    await clock.advance(100);
    expect(notices).toEqual([]);
    expect(catalogue.current.revision).toBe(revision);
  });

  it('does not take over if it does not say what it offers', async () => {
    const { clock, sync, listings, tools } = await running();
    const preparing = sync.prepare('a', next);
    listings[1]?.fail();
    await expect(preparing).rejects.toMatchObject({ problem: { code: 'server.list_failed' } });
    await clock.advance(100);
    expect(tools()).toEqual([['a', 3]]);
  });

  it('is heard from then on, and the old one no longer', async () => {
    const { clock, supervisor, sync, listings, tools } = await running();
    const preparing = sync.prepare('a', next);
    listings[1]?.answer(offerOf({ tools: ['x'] }));
    const { commit } = await preparing;
    commit();
    supervisor.server('a').connected(next);
    supervisor.notify('a', listChanged, undefined, connection);
    expect(listings).toHaveLength(2);
    supervisor.notify('a', listChanged, undefined, next);
    listings[2]?.answer(offerOf({ tools: ['x', 'y'] }));
    await clock.advance(0);
    expect(tools()).toEqual([['a', 2]]);
  });
});
