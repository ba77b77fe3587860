import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { ActivityBody, ActivityBounds } from '../../../../../electron/engine/activity/store/activity.ts';
import { activityStore } from '../../../../../electron/engine/activity/store/activity-store.ts';
import {
  type ActivityFilter,
  type ActivityRow,
  activityLimits,
} from '../../../../../shared/model/activity/activity.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { stateIn, withSqlite } from '../../../../helper/state-db.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

const row: ActivityRow = {
  id: 1,
  at: 1_000,
  kind: 'call',
  clientId: 'session-1',
  clientName: 'Claude Desktop',
  serverKey: 'weather',
  method: 'tools/call',
  name: 'forecast',
  outcome: 'ok',
  milliseconds: 12.5,
  requestBytes: 120,
  answerBytes: 900,
};
const body: ActivityBody = { arguments: '{"city":"Oslo"}', result: '{"content":[]}', isCut: false };
const noBody: ActivityBody = { arguments: undefined, result: undefined, isCut: false };
const usual: ActivityBounds = { rows: 1e9, size: 1e9, age: 1e9 };

/** Creates a store in a temporary folder. Entries are numbered in turn. */
async function storing(bounds: Partial<ActivityBounds> = {}) {
  const folder = await tempDir();
  const state = stateIn(folder.path);
  const clock = new FakeClock();
  let lastId = 0;
  const open = () => {
    const store = activityStore({ state, clock, bounds: { ...usual, ...bounds } });
    const add = (other: Partial<ActivityRow> = {}, its: Partial<ActivityBody> = {}) => {
      lastId += 1;
      store.add({ row: { ...row, ...other, id: lastId }, ...body, ...its });
    };
    const list = async (filter: ActivityFilter = {}) =>
      (await store.find({ filter, after: 0, limit: 100_000 })).rows;
    return { ...store, add, list };
  };
  return {
    state,
    clock,
    open,
    store: open(),
    async [Symbol.asyncDispose]() {
      await state.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('a text search', () => {
  it('[PB-APP-1] searches arguments and results too, for lists and counts', async () => {
    await using kept = await storing();
    const { store } = kept;
    store.add({}, { arguments: '{"city":"Bergen"}' });
    store.add({}, { result: '{"text":"rain in BERGEN"}' });
    store.add({ name: 'bergen' });
    store.add();
    await store.flush();
    expect((await store.list({ text: 'bergen' })).map(({ id }) => id)).toEqual([3, 2, 1]);
    expect(await store.counts({ text: 'Bergen' }, 0)).toMatchObject({ total: 3, kept: 4 });
    expect(await store.list({ text: 'bergen', outcomes: ['error'] })).toEqual([]);
    // Not treated as a wildcard.
    expect(await store.list({ text: '%"%' })).toEqual([]);
  });

  it('[PB-APP-1] searches only the names of older entries, not their bodies', async () => {
    await using kept = await storing();
    const { store } = kept;
    store.add({ name: 'bergen' }, { arguments: '{"city":"Bergen","day":"monday"}' });
    for (const _ of times(activityLimits.searchedBodies)) store.add({}, noBody);
    store.add();
    await store.flush();
    expect(await store.list({ text: 'monday' })).toEqual([]);
    expect(await store.list({ text: 'bergen' })).toHaveLength(1);
  });
});

describe('the activity of a hub', () => {
  it('returns what was added, newest first, with bodies apart', async () => {
    await using kept = await storing();
    const happening: ActivityRow = {
      id: 2,
      at: 2_000,
      kind: 'hub',
      serverKey: 'weather',
      outcome: 'note',
      text: 'Connected',
      tone: 'good',
    };
    const spoken = { clientProtocol: '2026-07-28, stateless', serverProtocol: '2025-11-25, with sessions' };
    const delivery = { attempts: 3, fallback: 'b:x', repeated: true, count: 7, text: 'why' } as const;
    const fallen = { ...delivery, ...spoken };
    kept.store.add(fallen);
    const store = activityStore({ state: kept.state, clock: kept.clock, bounds: usual });
    store.add({ row: happening, ...noBody });
    await kept.store.flush();
    await store.flush();
    expect(await kept.store.list()).toEqual([happening, { ...row, ...fallen }]);
    expect(await kept.store.get(1, 0)).toEqual({ row: { ...row, ...fallen }, ...body });
    expect(await kept.store.get(2, 0)).toEqual({ row: happening, ...noBody });
    expect(await kept.store.get(3, 0)).toBeUndefined();
    expect(await kept.store.lastId()).toBe(2);
  });

  it('creates nothing for queries and clearing', async () => {
    await using kept = await storing();
    expect(await kept.store.list()).toEqual([]);
    expect(await kept.store.get(1, 0)).toBeUndefined();
    expect(await kept.store.lastId()).toBe(0);
    expect(await kept.store.counts({}, 0)).toMatchObject({ total: 0, kept: 0, servers: [] });
    await kept.store.forgetOld();
    await kept.store.clear(1);
    expect(kept.state.reported.use).toBeUndefined();
  });

  it('is listed in pages without repetition or gaps', async () => {
    await using kept = await storing();
    for (const at of times(25)) kept.store.add({ at });
    await kept.store.flush();
    const pages = [];
    for (let before: number | undefined, hasMore = true; hasMore; ) {
      const page = await kept.store.find({ filter: {}, after: 0, limit: 10, before });
      pages.push(page.rows.map(({ at }) => at));
      before = page.rows.at(-1)?.id;
      hasMore = page.hasMore;
    }
    expect(pages.map((page) => page.length)).toEqual([10, 10, 5]);
    expect(pages.flat()).toEqual(times(25).reverse());
  });

  it('is found by each filter, and by all of them together', async () => {
    await using kept = await storing();
    const others: readonly Partial<ActivityRow>[] = [
      { serverKey: 'files' },
      { clientName: 'Zed' },
      { method: 'prompts/get' },
      { name: 'tides' },
      { kind: 'question' },
    ];
    kept.store.add();
    for (const other of others) kept.store.add(other);
    kept.store.add({ outcome: 'timeout' });
    kept.store.add({ at: 5_000 });
    await kept.store.flush();
    for (const other of others) expect(await kept.store.list(other as ActivityFilter)).toMatchObject([other]);
    expect(await kept.store.list({ outcomes: ['timeout', 'lost'] })).toMatchObject([{ outcome: 'timeout' }]);
    expect(await kept.store.list({ since: 4_000 })).toMatchObject([{ at: 5_000 }]);
    const { serverKey, clientName, method, name, kind } = row;
    const all = { serverKey, clientName, method, name, kind, outcomes: ['ok'], until: 1_000 } as const;
    expect(await kept.store.list(all)).toMatchObject([{ id: 1 }]);
  });

  it('counts what each choice would leave, without its own filter', async () => {
    await using kept = await storing();
    for (const _ of times(3)) kept.store.add();
    kept.store.add({ serverKey: 'files', name: 'read' });
    kept.store.add({ serverKey: 'files', name: 'read', outcome: 'error', clientName: 'Zed' });
    await kept.store.flush();
    expect(await kept.store.counts({ serverKey: 'files' }, 0)).toEqual({
      total: 2,
      kept: 5,
      kinds: [{ value: 'call', count: 2 }],
      clients: [
        { value: 'Claude Desktop', count: 1 },
        { value: 'Zed', count: 1 },
      ],
      servers: [
        { value: 'weather', count: 3 },
        { value: 'files', count: 2 },
      ],
      names: [{ value: 'read', count: 2 }],
      methods: [{ value: 'tools/call', count: 2 }],
      outcomes: [
        { value: 'error', count: 1 },
        { value: 'ok', count: 1 },
      ],
    });
    const failed = await kept.store.counts({ text: 'read', outcomes: ['error'] }, 0);
    expect(failed).toMatchObject({ total: 1, servers: [{ value: 'files', count: 1 }] });
    expect(failed.outcomes).toHaveLength(2);
  });

  it.each([
    ['CAST', 1],
    ['athe', 1],
    ['zed', 1],
    ['100%', 1],
    ['%', 1],
    ['_', 0],
    ["' or 1 = 1 --", 0],
    ['', 3],
  ])('has %j in the name, server or client of %i', async (text, count) => {
    await using kept = await storing();
    const plain = { name: 'x', serverKey: 'x', clientName: 'x' };
    kept.store.add({ ...plain, name: 'foreCast', serverKey: 'weather' });
    kept.store.add({ ...plain, clientName: 'Zed' });
    kept.store.add({ ...plain, name: '100%' });
    await kept.store.flush();
    expect(await kept.store.list({ text })).toHaveLength(count);
  });

  it('is limited by number, keeping the latest', async () => {
    await using kept = await storing({ rows: 200 });
    for (const round of times(10)) {
      for (const index of times(37)) kept.store.add({ at: round * 37 + index });
      await kept.store.flush();
      const found = await kept.store.list();
      expect(found.length).toBeLessThanOrEqual(200);
      expect(found.map(({ at }) => at)).toEqual(
        times((round + 1) * 37)
          .reverse()
          .slice(0, found.length),
      );
    }
    expect((await kept.store.list()).length).toBeGreaterThan(190);
    const bodies = await withSqlite(kept.state.file, (db) =>
      db.prepare('select min(id) as first from activity_body').all(),
    );
    expect(bodies).toEqual([{ first: (await kept.store.list()).at(-1)?.id }]);
  });

  it('is limited by size, also after a restart and all at once', async () => {
    await using kept = await storing({ size: 100_000 });
    const large = { arguments: 'x'.repeat(9_700), result: undefined };
    for (const at of times(8)) kept.store.add({ at }, large);
    await kept.store.flush();
    expect(await kept.store.list()).toHaveLength(8);
    const again = kept.open();
    for (const at of times(5)) again.add({ at: 8 + at }, large);
    await again.flush();
    expect((await again.list()).map(({ at }) => at)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    for (const at of times(40)) again.add({ at: 100 + at }, large);
    await again.flush();
    expect((await again.list()).map(({ at }) => at)).toEqual(times(10).map((index) => 139 - index));
  });

  it('is limited by age', async () => {
    await using kept = await storing({ age: 1_000 });
    const now = kept.clock.now();
    for (const age of [5_000, 1_001, 999, 0]) kept.store.add({ at: now - age });
    await kept.store.flush();
    await kept.store.forgetOld();
    expect((await kept.store.list()).map(({ at }) => now - at)).toEqual([0, 999]);
  });

  it('is cleared up to a row on request, leaves nothing in its files, and continues', async () => {
    await using kept = await storing();
    for (const _ of times(300)) kept.store.add({}, { arguments: '"canary"' });
    await kept.store.flush();
    kept.store.add();
    await kept.store.flush();
    const hidden = await kept.store.find({ filter: {}, after: 300, limit: 10 });
    expect(hidden.rows).toMatchObject([{ id: 301 }]);
    expect(await kept.store.get(300, 300)).toBeUndefined();
    expect(await kept.store.counts({}, 300)).toMatchObject({ total: 1, kept: 1 });
    await kept.store.clear(300);
    expect(await kept.store.list()).toMatchObject([{ id: 301 }]);
    for (const part of ['', '-wal']) {
      expect(readFileSync(kept.state.file + part).includes('canary')).toBe(false);
    }
    kept.store.add();
    await kept.store.flush();
    expect(await kept.store.list()).toHaveLength(2);
  });

  it('replaces a damaged database, within its limits', async () => {
    await using kept = await storing({ rows: 5 });
    for (const at of times(5)) kept.store.add({ at });
    await kept.store.flush();
    await withSqlite(kept.state.file, (db) => db.exec('pragma wal_checkpoint(truncate)'));
    await writeFile(kept.state.file, Buffer.alloc(40_000, 1));
    for (const at of times(4)) kept.store.add({ at });
    await kept.store.flush();
    expect(kept.state.reported.loss).toMatchObject({ code: 'hub.database_unreadable' });
    expect(await kept.store.list()).toHaveLength(4);
  });
});
