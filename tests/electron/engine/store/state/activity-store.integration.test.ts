import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { ActivityBounds, ActivityEntry } from '../../../../../electron/engine/store/state/activity.ts';
import { activityStore } from '../../../../../electron/engine/store/state/activity-store.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { stateIn, withSqlite } from '../../../../helper/state-db.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

const entry: ActivityEntry = {
  at: 1_000,
  clientId: 'session-1',
  clientName: 'Claude Desktop',
  serverKey: 'weather',
  method: 'tools/call',
  name: 'forecast',
  outcome: 'ok',
  milliseconds: 12.5,
  requestBytes: 120,
  answerBytes: 900,
  arguments: '{"city":"Oslo"}',
  result: '{"content":[]}',
};

/** A store of its own, in a folder that goes with it. */
async function storing(bounds?: ActivityBounds) {
  const folder = await tempDir();
  const state = stateIn(folder.path);
  const open = () =>
    activityStore({ state, clock: new FakeClock(), ...(bounds === undefined ? {} : { bounds }) });
  return {
    state,
    open,
    store: open(),
    async [Symbol.asyncDispose]() {
      await state.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const all = { limit: 100_000 };
const times = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('the activity of a hub', () => {
  it('gives back what was told of a call, the newest first, with its bodies apart', async () => {
    await using kept = await storing();
    const { name: _, arguments: __, result: ___, ...listing } = entry;
    kept.store.add(entry);
    kept.store.add({
      ...listing,
      name: undefined,
      method: 'tools/list',
      arguments: undefined,
      result: undefined,
    });
    expect(await kept.store.flush()).toBe(true);
    expect(await kept.store.find(all)).toEqual([
      { ...listing, id: 2, name: undefined, method: 'tools/list' },
      { ...listing, id: 1, name: 'forecast' },
    ]);
    expect(await kept.store.body(1)).toEqual({
      arguments: entry.arguments,
      result: entry.result,
      isCut: false,
    });
    expect(await kept.store.body(2)).toEqual({ arguments: undefined, result: undefined, isCut: false });
    expect(await kept.store.body(3)).toBeUndefined();
  });

  it('makes nothing to be asked or cleared', async () => {
    await using kept = await storing();
    expect(await kept.store.find(all)).toEqual([]);
    expect(await kept.store.body(1)).toBeUndefined();
    await kept.store.clear();
    expect(kept.state.reported.use).toBeUndefined();
  });

  it('is listed by pages that neither repeat nor leave out', async () => {
    await using kept = await storing();
    for (const at of times(25)) kept.store.add({ ...entry, at });
    await kept.store.flush();
    const pages = [];
    for (let before: number | undefined; ; ) {
      const page = await kept.store.find({ limit: 10, before });
      if (page.length === 0) break;
      pages.push(page.map(({ at }) => at));
      before = page.at(-1)?.id;
    }
    expect(pages.map((page) => page.length)).toEqual([10, 10, 5]);
    expect(pages.flat()).toEqual(times(25).reverse());
  });

  it('is found by each of its marks, and by all of them together', async () => {
    await using kept = await storing();
    const others = {
      serverKey: { ...entry, serverKey: 'files' },
      clientName: { ...entry, clientName: 'Zed' },
      method: { ...entry, method: 'prompts/get' },
      outcome: { ...entry, outcome: 'timeout' },
    };
    kept.store.add(entry);
    for (const other of Object.values(others)) kept.store.add(other);
    await kept.store.flush();
    for (const [mark, other] of Object.entries(others)) {
      const value = other[mark as keyof typeof others];
      expect(await kept.store.find({ ...all, [mark]: value })).toMatchObject([{ [mark]: value }]);
    }
    const { serverKey, clientName, method, outcome } = entry;
    expect(await kept.store.find({ ...all, serverKey, clientName, method, outcome })).toMatchObject([
      { id: 1 },
    ]);
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
    const plain = { ...entry, name: 'x', serverKey: 'x', clientName: 'x' };
    kept.store.add({ ...plain, name: 'foreCast', serverKey: 'weather' });
    kept.store.add({ ...plain, clientName: 'Zed' });
    kept.store.add({ ...plain, name: '100%' });
    await kept.store.flush();
    expect(await kept.store.find({ ...all, text })).toHaveLength(count);
  });

  it('keeps the beginning of what is long, and says so', async () => {
    await using kept = await storing();
    kept.store.add({ ...entry, result: 'ä'.repeat(1_000_000) });
    await kept.store.flush();
    const body = await kept.store.body(1);
    expect(body).toMatchObject({ arguments: entry.arguments, isCut: true });
    expect(body?.result).toBe('ä'.repeat(16 * 1024));
  });

  it('keeps the latest of it, by number', async () => {
    await using kept = await storing({ rows: 200, size: 1e9 });
    for (const round of times(10)) {
      for (const index of times(37)) kept.store.add({ ...entry, at: round * 37 + index });
      await kept.store.flush();
      const found = await kept.store.find(all);
      expect(found.length).toBeLessThanOrEqual(200);
      expect(found.map(({ at }) => at)).toEqual(
        times((round + 1) * 37)
          .reverse()
          .slice(0, found.length),
      );
    }
    expect((await kept.store.find(all)).length).toBeGreaterThan(190);
    const bodies = await withSqlite(kept.state.file, (db) =>
      db.prepare('select min(id) as first from activity_body').all(),
    );
    expect(bodies).toEqual([{ first: (await kept.store.find(all)).at(-1)?.id }]);
  });

  it('keeps the latest of it, by size, also after a restart and all at once', async () => {
    await using kept = await storing({ rows: 1e9, size: 100_000 });
    const large = { ...entry, arguments: 'x'.repeat(9_700), result: undefined };
    for (const at of times(8)) kept.store.add({ ...large, at });
    await kept.store.flush();
    expect(await kept.store.find(all)).toHaveLength(8);
    const again = kept.open();
    for (const at of times(5)) again.add({ ...large, at: 8 + at });
    await again.flush();
    expect((await again.find(all)).map(({ at }) => at)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    for (const at of times(40)) again.add({ ...large, at: 100 + at });
    await again.flush();
    expect((await again.find(all)).map(({ at }) => at)).toEqual(times(10).map((index) => 139 - index));
  });

  it('is forgotten on request, and goes on', async () => {
    await using kept = await storing({ rows: 3, size: 1e9 });
    for (const at of times(3)) kept.store.add({ ...entry, at });
    await kept.store.clear();
    expect(await kept.store.find(all)).toEqual([]);
    for (const at of times(3)) kept.store.add({ ...entry, at });
    await kept.store.flush();
    expect(await kept.store.find(all)).toHaveLength(3);
  });

  it('is written by two without loss', async () => {
    await using kept = await storing();
    const other = kept.open();
    kept.store.add(entry);
    await kept.store.flush();
    other.add(entry);
    await other.flush();
    kept.store.add(entry);
    // It counted before the other wrote.
    await kept.store.flush();
    await kept.store.flush();
    expect(await kept.store.find(all)).toHaveLength(3);
  });

  it('begins anew in the place of a damaged one, within its bounds', async () => {
    await using kept = await storing({ rows: 5, size: 1e9 });
    for (const at of times(5)) kept.store.add({ ...entry, at });
    await kept.store.flush();
    await withSqlite(kept.state.file, (db) => db.exec('pragma wal_checkpoint(truncate)'));
    await writeFile(kept.state.file, Buffer.alloc(40_000, 1));
    for (const at of times(4)) kept.store.add({ ...entry, at });
    await kept.store.flush();
    expect(kept.state.reported.loss).toMatchObject({ code: 'hub.database_unreadable' });
    expect(await kept.store.find(all)).toHaveLength(4);
  });
});
