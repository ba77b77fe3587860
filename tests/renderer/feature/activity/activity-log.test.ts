import { describe, expect, it } from 'vitest';
import { isFiltered, isShown } from '../../../../renderer/feature/activity/activity-filter.ts';
import { followActivity } from '../../../../renderer/feature/activity/activity-log.ts';
import {
  rowDetails,
  rowLook,
  rowRoute,
  rowTitle,
} from '../../../../renderer/feature/activity/activity-words.ts';
import type { ActivityFilter, ActivityRow } from '../../../../shared/model/activity.ts';
import { ScriptedLink } from '../../helper/test-model.ts';

const row = (id: number, other: Partial<ActivityRow> = {}): ActivityRow => ({
  id,
  at: id * 1_000,
  kind: 'call',
  clientName: 'Zed',
  serverKey: 'weather',
  method: 'tools/call',
  name: 'forecast',
  outcome: 'ok',
  ...other,
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

async function following(kept: readonly ActivityRow[] = [row(2), row(1)], filter: ActivityFilter = {}) {
  const timers: (() => void)[] = [];
  const counts = {
    total: 2,
    kept: 2,
    kinds: [],
    clients: [],
    servers: [],
    names: [],
    methods: [],
    outcomes: [],
  };
  const link = new ScriptedLink({
    'activity.query': ({ before = Number.POSITIVE_INFINITY, limit }) => {
      const rows = kept.filter(({ id }) => id < before);
      return { ok: true, value: { rows: rows.slice(0, limit), hasMore: rows.length > limit } };
    },
    'activity.counts': () => ({ ok: true, value: counts }),
  });
  const log = followActivity({
    link,
    filter,
    after(_milliseconds, run) {
      timers.push(run);
      return () => {};
    },
  });
  expect(link.calls).toEqual([]);
  log.start();
  await settled();
  const ids = () => log.store.getState().rows.map(({ id }) => id);
  const push = (rows: readonly ActivityRow[], skipped = 0) => link.push('activity.added', { rows, skipped });
  return { link, log, timers, ids, push };
}

describe('activity in the window', () => {
  it('shows stored rows, then new ones, newest first, nothing twice', async () => {
    const { ids, push, link, log } = await following();
    expect(log.store.getState()).toMatchObject({ phase: 'ready', hasMore: false, counts: { kept: 2 } });
    push([row(2), row(3), row(4)]);
    expect(ids()).toEqual([4, 3, 2, 1]);
    expect(link.calls.map(({ name }) => name).slice(0, 2)).toEqual(['activity.watch', 'activity.query']);
    log.stop();
    expect(link.calls.at(-1)?.name).toBe('activity.unwatch');
    expect(link.listenerCount).toBe(0);
  });

  it('holds back new rows while paused, and counts them', async () => {
    const { ids, push, log } = await following();
    log.follow(false);
    push([row(3)]);
    push([row(4)]);
    expect(ids()).toEqual([2, 1]);
    expect(log.store.getState().newRows.map(({ id }) => id)).toEqual([4, 3]);
    log.follow(true);
    expect(ids()).toEqual([4, 3, 2, 1]);
    expect(log.store.getState().newRows).toEqual([]);
  });

  it('adds only rows that match the filter, and counts again a while later, once', async () => {
    const { ids, push, timers, link } = await following([], { serverKey: 'weather' });
    push([row(1, { serverKey: 'files' }), row(2)]);
    push([row(3)]);
    expect(ids()).toEqual([3, 2]);
    expect(timers).toHaveLength(1);
    timers[0]?.();
    await settled();
    expect(link.calls.filter(({ name }) => name === 'activity.counts')).toHaveLength(2);
  });

  it('fetches page after page, and reloads when rows came too fast to be sent', async () => {
    const many = Array.from({ length: 450 }, (_, index) => row(450 - index));
    const { ids, push, log, link } = await following(many);
    expect(ids()).toHaveLength(200);
    log.loadMore();
    log.loadMore();
    await settled();
    expect(ids()).toHaveLength(400);
    log.loadMore();
    await settled();
    log.loadMore();
    await settled();
    expect(ids()).toEqual(many.map(({ id }) => id));
    push([row(900)], 300);
    await settled();
    expect(ids()).toHaveLength(200);
    expect(link.calls.filter(({ name }) => name === 'activity.query')).toHaveLength(4);
  });

  it('limits the rows it keeps', async () => {
    const { ids, push, log } = await following([]);
    for (let start = 0; start < 25_000; start += 500)
      push(Array.from({ length: 500 }, (_, index) => row(start + index + 1)));
    expect(ids()).toHaveLength(20_000);
    expect(ids()[0]).toBe(25_000);
    expect(log.store.getState().hasMore).toBe(true);
  });

  it('shows why loading failed, and retries', async () => {
    const problem = { code: 'hub.busy', sentence: 's', fix: 'f', evidence: [] } as const;
    let isBroken = true;
    const link = new ScriptedLink({
      'activity.query': () =>
        isBroken ? { ok: false, problem } : { ok: true, value: { rows: [row(1)], hasMore: false } },
    });
    const log = followActivity({ link, filter: {}, after: () => () => {} });
    log.start();
    await settled();
    expect(log.store.getState()).toMatchObject({ phase: 'ready', problem });
    isBroken = false;
    log.reload();
    await settled();
    expect(log.store.getState()).toMatchObject({ rows: [{ id: 1 }], problem: undefined });
  });
});

describe('a row', () => {
  it.each<[ActivityFilter, boolean]>([
    [{}, true],
    [{ kind: 'hub' }, false],
    [{ name: 'forecast', clientName: 'Zed', method: 'tools/call' }, true],
    [{ outcomes: ['error', 'timeout'] }, false],
    [{ text: 'CAST' }, true],
    [{ text: 'nothing of it' }, false],
    [{ since: 5_000 }, false],
    [{ until: 5_000, since: 1_000 }, true],
  ])('matches the filter %j: %s', (filter, shown) => {
    expect(isShown(row(1), filter)).toBe(shown);
  });

  it('counts as filtered only if something is chosen', () => {
    expect(isFiltered({})).toBe(false);
    expect(isFiltered({ kind: undefined, text: '' })).toBe(false);
    expect(isFiltered({ since: 0 })).toBe(true);
  });

  it.each<[Partial<ActivityRow>, string, string, string]>([
    [{}, 'forecast', 'Zed → weather', ''],
    [{ attempts: 3, text: 'Too slow.' }, 'forecast', 'Zed → weather', 'sent 3 times · Too slow.'],
    [{ attempts: 0 }, 'forecast', 'Zed → weather', 'never sent'],
    [
      { fallback: 'b:x', repeated: true },
      'forecast',
      'Zed → weather',
      'answered by b:x · repeated the first result',
    ],
    [{ count: 1_312 }, 'forecast', 'Zed → weather', '1,312 similar calls, recorded together'],
    [
      { kind: 'question', name: undefined, method: 'sampling/createMessage' },
      'Sampling',
      'weather → Zed',
      '',
    ],
    [
      { kind: 'notices', name: undefined, method: 'notifications/x', clientName: undefined, count: 2 },
      'notifications/x',
      'weather',
      '2 times',
    ],
  ])('%j reads %s | %s | %s', (other, title, parties, remark) => {
    const one = row(1, other);
    expect([rowTitle(one), rowRoute(one), rowDetails(one)]).toEqual([title, parties, remark]);
  });

  it('looks like an error only if it is one: having no client to ask is none', () => {
    const asked = row(1, { kind: 'question', method: 'roots/list', outcome: 'refused' });
    expect(rowLook(asked)).toMatchObject({ tone: 'warning' });
    const { clientName: _, ...unasked } = asked;
    expect(rowLook(unasked)).toMatchObject({ label: 'No client yet', tone: 'quiet' });
  });
});
