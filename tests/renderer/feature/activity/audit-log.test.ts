import { describe, expect, it } from 'vitest';
import { followAudit } from '../../../../renderer/feature/activity/audit/audit-log.ts';
import type { IpcInput } from '../../../../shared/ipc/contract.ts';
import type { AuditFilter, AuditRow } from '../../../../shared/model/audit.ts';
import { eventually } from '../../../helper/eventually.ts';
import { refused, ScriptedLink } from '../../helper/test-model.ts';

const row = (seq: number): AuditRow => ({
  seq,
  at: seq,
  kind: 'invocation',
  action: 'call',
  actor: 'cursor',
  outcome: 'ok',
  hash: '',
});

/** A fake audit log with this many rows, which can grow. */
function kept(count: number, filter: AuditFilter = {}) {
  const log = { count, isBroken: false, asked: [] as IpcInput<'audit.query'>[] };
  const link = new ScriptedLink({
    'audit.query': (query) => {
      log.asked.push(query);
      if (log.isBroken) return refused;
      const newest = Math.min(log.count, (query.before ?? Number.POSITIVE_INFINITY) - 1);
      const length = Math.min(query.limit, newest);
      const rows = Array.from({ length }, (_, index) => row(newest - index));
      return { ok: true, value: { rows, hasMore: newest > length } };
    },
  });
  const timers: (() => void)[] = [];
  const after = (_milliseconds: number, run: () => void) => {
    timers.push(run);
    return () => void timers.splice(timers.indexOf(run), 1);
  };
  const view = followAudit({ link, filter, after });
  view.start();
  const seqs = () => view.store.getState().rows.map(({ seq }) => seq);
  /** Emits a burst of events and runs the pending timer. */
  const news = () => {
    for (let index = 0; index < 3; index += 1) link.push('activity.added', { rows: [], skipped: 0 });
    expect(timers).toHaveLength(1);
    timers.pop()?.();
  };
  return { log, link, view, timers, seqs, news, state: () => view.store.getState() };
}

describe('the audit log in the window', () => {
  it('[REQ-MCP-OBS-002] is fetched page by page, each once, down to the first row', async () => {
    const { view, log, seqs, state } = kept(900, { kinds: ['grant'] });
    await eventually(() => expect(seqs()).toHaveLength(200));
    view.loadMore();
    view.loadMore();
    await eventually(() => expect(seqs()).toHaveLength(700));
    view.loadMore();
    await eventually(() => expect(state().hasMore).toBe(false));
    view.loadMore();
    expect(seqs()).toEqual(Array.from({ length: 900 }, (_, index) => 900 - index));
    expect(log.asked.map(({ before, kinds }) => [before, kinds])).toEqual([
      [undefined, ['grant']],
      [701, ['grant']],
      [201, ['grant']],
    ]);
  });

  it('[REQ-MCP-OBS-002] shows what is new above what was fetched, nothing twice', async () => {
    const { view, log, seqs, news } = kept(500);
    await eventually(() => expect(seqs()).toHaveLength(200));
    view.loadMore();
    await eventually(() => expect(seqs()).toHaveLength(500));
    log.count = 503;
    news();
    await eventually(() => expect(seqs()).toEqual(Array.from({ length: 503 }, (_, index) => 503 - index)));
  });

  it('starts over when more rows arrived than a page holds', async () => {
    const { view, log, seqs, news, state } = kept(300);
    await eventually(() => expect(seqs()).toHaveLength(200));
    view.loadMore();
    await eventually(() => expect(seqs()).toHaveLength(300));
    log.count = 900;
    news();
    await eventually(() => expect(seqs()[0]).toBe(900));
    expect(seqs()).toHaveLength(200);
    expect(state().hasMore).toBe(true);
  });

  it('only notes new rows while not following, and shows them afterwards', async () => {
    const { view, log, seqs, news, state } = kept(10);
    await eventually(() => expect(seqs()).toHaveLength(10));
    view.follow(false);
    news();
    await eventually(() => expect(log.asked.at(-1)).toEqual({ limit: 1 }));
    expect(state().hasNewRows).toBe(false);
    log.count = 12;
    news();
    await eventually(() => expect(state().hasNewRows).toBe(true));
    expect(seqs()).toHaveLength(10);
    view.follow(true);
    await eventually(() => expect(seqs()).toHaveLength(12));
    expect(state().hasNewRows).toBe(false);
  });

  it('shows why loading failed, and loads on retry', async () => {
    const { view, log, state } = kept(3);
    await eventually(() => expect(state().phase).toBe('ready'));
    log.isBroken = true;
    view.reload();
    await eventually(() => expect(state().problem?.code).toBe('config.unwritable'));
    log.isBroken = false;
    view.reload();
    await eventually(() => expect(state().problem).toBeUndefined());
  });

  it('ignores events after stop', async () => {
    const { view, link, timers } = kept(3);
    link.push('activity.added', { rows: [], skipped: 0 });
    view.stop();
    expect(timers).toEqual([]);
    expect(link.listenerCount).toBe(0);
    expect(link.calls.at(-1)?.name).toBe('activity.unwatch');
  });
});
