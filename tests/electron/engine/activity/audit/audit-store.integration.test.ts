import { describe, expect, it } from 'vitest';
import { type AuditEntry, lostEntries } from '../../../../../electron/engine/activity/audit/audit.ts';
import {
  type AuditStoreOptions,
  auditStore,
} from '../../../../../electron/engine/activity/audit/audit-store.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { stateIn, withSqlite } from '../../../../helper/state-db.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

const start = 1_700_000_000_000;
const aDay = 24 * 60 * 60 * 1_000;

function call(index: number, more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: `call-${index}`,
    at: start + index,
    kind: 'invocation',
    action: 'call',
    actor: 'Cursor',
    outcome: 'ok',
    serverKey: 'files',
    tool: 'read',
    method: 'tools/call',
    milliseconds: 10,
    attempts: 1,
    ...more,
  } as AuditEntry;
}

const note = (index: number): AuditEntry =>
  ({
    id: `note-${index}`,
    at: start + index,
    kind: 'server',
    action: 'add',
    actor: 'window',
    outcome: 'ok',
    serverKey: 'files',
  }) as AuditEntry;

/** Mixes calls and other entries. */
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => (index % 7 === 3 ? note(index) : call(index)));

async function opened(bounds: Partial<AuditStoreOptions['bounds']> = {}) {
  const folder = await tempDir();
  const clock = new FakeClock();
  const state = stateIn(folder.path);
  const all = { days: 90, bytes: 1e9, ...bounds };
  const store = auditStore({ state, clock, bounds: all });
  return {
    clock,
    state,
    store,
    again: () => auditStore({ state, clock, bounds: all }),
    sql: (text: string) => withSqlite(state.file, (database) => database.exec(text)),
    async [Symbol.asyncDispose]() {
      await state[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe('[REQ-MCP-OBS-002] the audit log', () => {
  it('stores calls and other entries in order, and finds them page by page', async () => {
    await using log = await opened();
    await log.store.append(many(100));
    const { rows, hasMore } = await log.store.find({ limit: 60 });
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 60 }, (_, index) => 100 - index));
    expect(hasMore).toBe(true);
    const rest = await log.store.find({ limit: 60, before: rows.at(-1)?.seq });
    expect([rest.rows.length, rest.hasMore]).toEqual([40, false]);
    const oldest = await log.store.after({ filter: { kinds: ['server'] }, after: 0, limit: 2 });
    expect(oldest.rows.map(({ seq, kind }) => [seq, kind])).toEqual([
      [4, 'server'],
      [11, 'server'],
    ]);
  });

  it.each([
    [{ identity: 'agent 7' }, ['a']],
    [{ serverKey: 'db', tool: 'query' }, ['b']],
    [{ outcomes: ['denied' as const] }, ['a']],
    [{ text: 'REFUSED' }, ['a']],
    [{ text: 'corr-b' }, ['b']],
    [{ since: start + 2, until: start + 2 }, ['b']],
    [{ kinds: ['grant' as const] }, []],
  ])('is filtered by %j', async (filter, expected) => {
    await using log = await opened();
    await log.store.append([
      call(1, { id: 'a', actor: 'agent 7', outcome: 'denied', text: 'Refused: not granted' }),
      call(2, { id: 'b', serverKey: 'db', tool: 'query', correlationId: 'corr-b' }),
    ]);
    const { rows } = await log.store.find({ ...filter, limit: 10 });
    expect(rows.map(({ seq }) => (seq === 1 ? 'a' : 'b'))).toEqual(expected);
  });

  it('returns what was appended, and no more', async () => {
    await using log = await opened();
    const told = call(1, {
      correlationId: 'c',
      paramsHash: 'ab',
      resultSummary: '{}',
      decision: 'ALLOW',
      cached: false,
    });
    await log.store.append([told, note(2)]);
    const { id: _id, ...said } = told;
    const { rows } = await log.store.find({ limit: 2 });
    expect(rows[1]).toEqual({ ...said, seq: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(Object.keys(rows[0] ?? {}).sort()).toEqual([
      'action',
      'actor',
      'at',
      'hash',
      'kind',
      'outcome',
      'seq',
      'serverKey',
    ]);
  });

  it("stores for each call of a batch its own id or its caller's", async () => {
    await using log = await opened();
    const calls = Array.from({ length: 90 }, (_, index) =>
      call(index, index % 3 === 0 ? { correlationId: `trace ${index}` } : {}),
    );
    await log.store.append(calls);
    const { rows } = await log.store.after({ filter: {}, after: 0, limit: 100 });
    expect(rows.map(({ correlationId }) => correlationId)).toEqual(
      calls.map(({ id, correlationId = id }) => correlationId),
    );
    expect(await log.store.verify()).toMatchObject({ ok: true, rows: 90 });
  });

  it('is a chain over several writes and a restart of the hub', async () => {
    await using log = await opened();
    await log.store.append(many(300));
    await log.again().append(many(20));
    const verdict = await log.again().verify();
    expect(verdict).toMatchObject({ ok: true, rows: 320 });
    const { rows } = await log.store.find({ limit: 1 });
    expect(verdict).toHaveProperty('head', rows[0]?.hash);
    const { rows: oldest } = await log.store.find({ limit: 1, before: 2 });
    expect(verdict).toHaveProperty('since', oldest[0]?.at);
  });

  it.each([
    ['a changed row', "update mcp_invocations set tool_name = 'write' where seq = 10", 10],
    ['a changed result', "update mcp_invocations set result_summary = 'x' where seq = 10", 10],
    ['a call made to look well', 'update mcp_invocations set success = 0 where seq = 10', 10],
    ['a changed event', "update audit_event set actor = 'nobody' where seq = 11", 11],
    ['a removed row', 'delete from mcp_invocations where seq = 20', 20],
    ['removed first rows', 'delete from mcp_invocations where seq < 4', 1],
    ['removed last rows', 'delete from mcp_invocations where seq > 97', 98],
    [
      'a row with the hash of its own',
      "update mcp_invocations set tool_name = 'x', hash = 'y' where seq = 10",
      10,
    ],
    ['all rows removed', 'delete from mcp_invocations; delete from audit_event', 1],
    ['a forgotten beginning', 'delete from audit_anchor', 100],
    [
      'a moved beginning',
      'delete from mcp_invocations where seq < 4; update audit_anchor set from_seq = 3',
      4,
    ],
  ])('shows %s', async (_what, change, at) => {
    await using log = await opened();
    await log.store.append(many(100));
    await log.sql(change);
    expect(await log.store.verify()).toMatchObject({ ok: false, at, why: expect.stringMatching(/\.$/) });
  });

  it('deletes what is too old, and can still be verified', async () => {
    await using log = await opened({ days: 90 });
    log.clock.advance(start + 50 + 90 * aDay - log.clock.now());
    await log.store.append(many(100));
    await log.store.forgetOld();
    const { rows } = await log.store.find({ limit: 100 });
    expect([rows.length, rows.at(-1)?.seq]).toEqual([50, 51]);
    expect(await log.store.verify()).toMatchObject({ ok: true, rows: 50 });
    await log.store.append([call(7)]);
    expect(await log.again().verify()).toMatchObject({ ok: true, rows: 51 });
    await log.sql('delete from mcp_invocations where seq = 51');
    expect(await log.store.verify()).toMatchObject({ ok: false, at: 51 });
  });

  it('deletes many at once, calls and others, and nothing if the oldest of either is young', async () => {
    await using log = await opened({ days: 1 });
    await log.store.append([
      ...many(2_500),
      note(2_500),
      ...Array.from({ length: 20 }, (_, i) => call(2_501 + i)),
    ]);
    log.clock.advance(start + aDay - log.clock.now());
    await log.store.forgetOld();
    expect(await log.store.verify()).toMatchObject({ ok: true, rows: 2_521 });
    log.clock.advance(2_510);
    await log.store.forgetOld();
    const { rows } = await log.store.find({ limit: 100 });
    expect([rows.length, rows.at(-1)?.seq]).toEqual([11, 2_511]);
    expect(await log.store.verify()).toMatchObject({ ok: true, rows: 11 });
  });

  it('continues its numbers if everything was too old', async () => {
    await using log = await opened({ days: 1 });
    await log.store.append(many(10));
    log.clock.advance(start + 10 * aDay - log.clock.now());
    await log.store.forgetOld();
    expect((await log.store.find({ limit: 5 })).rows).toEqual([]);
    await log.store.append([call(11)]);
    expect((await log.store.find({ limit: 5 })).rows[0]?.seq).toBe(11);
    expect(await log.store.verify()).toMatchObject({ ok: true, rows: 1 });
  });

  it('deletes the oldest when its file gets too large', async () => {
    await using log = await opened({ bytes: 400_000 });
    await log.store.append(many(2_000));
    await log.store.forgetOld();
    const { rows } = await log.store.find({ limit: 500 });
    expect(rows[0]?.seq).toBe(2_000);
    const left = await log.store.after({ filter: {}, after: 0, limit: 1 });
    expect(left.rows[0]?.seq).toBeGreaterThan(100);
    expect(await log.store.verify()).toMatchObject({ ok: true });
  });

  it('knows its rows by their ids', async () => {
    await using log = await opened();
    await log.store.append([call(1), note(2)]);
    const known = await log.store.known([call(1), note(2), call(3), note(4)]);
    expect(known).toEqual(new Set(['call-1', 'note-2']));
  });

  it('is asked for any number of rows at once', async () => {
    await using log = await opened();
    await log.store.append([call(1), note(3)]);
    expect(await log.store.known(many(40_000))).toEqual(new Set(['call-1', 'note-3']));
  });

  it('says how many entries were dropped while nothing could be written', async () => {
    await using log = await opened();
    let isFull = true;
    const run: typeof log.state.run = (query) =>
      isFull ? Promise.reject(new Error('full')) : log.state.run(query);
    const store = auditStore({
      state: { ...log.state, run },
      clock: log.clock,
      bounds: { days: 90, bytes: 1e9 },
    });
    for (const from of [0, 30_000, 60_000])
      await store.append(Array.from({ length: 30_000 }, (_, index) => call(from + index)));
    isFull = false;
    await log.clock.advance(5_000);
    await store.flush();
    const { rows } = await store.after({ filter: {}, after: 0, limit: 2 });
    expect(rows[0]).toMatchObject({ action: 'lost', text: lostEntries(40_000, 0).text });
    expect(rows[1]).toMatchObject({ seq: 2, correlationId: 'call-40000' });
    expect(await store.verify()).toMatchObject({ ok: true, rows: 50_001 });
  });
});

describe('[REQ-MCP-OBS-001] the summary of calls', () => {
  it('counts calls, errors and retries by server, tool and time, with medians a twelfth off at most', async () => {
    await using log = await opened();
    const calls = Array.from({ length: 100 }, (_, index) =>
      call(index, {
        at: start + index * 600,
        milliseconds: index + 1,
        serverKey: index < 60 ? 'files' : 'db',
        tool: index < 30 ? 'read' : 'write',
        ...(index % 10 === 0 ? { outcome: 'timeout', attempts: 3 } : {}),
      }),
    );
    await log.store.append([...calls, note(1), call(1, { at: start + 60_001 })]);
    const summary = await log.store.summary({ since: start, until: start + 60_000, points: 6 });
    expect(summary.total).toMatchObject({ calls: 100, errors: 10, retries: 20, average: 50.5 });
    for (const [share, exact] of [
      ['p50', 50],
      ['p95', 95],
      ['p99', 99],
    ] as const)
      expect(Math.abs(summary.total[share] / exact - 1)).toBeLessThan(0.12);
    expect(
      summary.servers.map(({ serverKey, stats, tools }) => [serverKey, stats.calls, tools.length]),
    ).toEqual([
      ['db', 40, 1],
      ['files', 60, 2],
    ]);
    expect(summary.points.map(({ at }) => at - start)).toEqual(
      [0, 1, 2, 3, 4, 5].map((part) => part * 10_000),
    );
    expect(summary.points.map(({ stats }) => stats.calls)).toEqual([17, 17, 16, 17, 17, 16]);
  });

  it('counts refused and cancelled calls apart from errors, and leaves out times of calls that no server received', async () => {
    await using log = await opened();
    const unsent = { outcome: 'refused', attempts: 0, milliseconds: 60_000 } as const;
    await log.store.append([
      call(1, { milliseconds: 10 }),
      call(2, { outcome: 'cancelled', milliseconds: 10 }),
      call(3, { outcome: 'denied', milliseconds: undefined }),
      call(4, { ...unsent, milliseconds: undefined }),
      call(5, { ...unsent, decision: 'ASK' }),
      call(6, { ...unsent, decision: 'ALLOW' }),
      call(7, { outcome: 'lost', milliseconds: 10 }),
    ]);
    const { total } = await log.store.summary({ since: start, until: start + 9 });
    expect(total).toMatchObject({ calls: 7, errors: 2, withdrawn: 4, average: 10 });
    expect(total.p99).toBeLessThan(12);
  });

  it('of one tool excludes others', async () => {
    await using log = await opened();
    await log.store.append([call(1), call(2, { tool: 'write' }), call(3, { serverKey: 'db' })]);
    const { total } = await log.store.summary({
      serverKey: 'files',
      tool: 'read',
      since: start,
      until: start + 9,
    });
    expect(total.calls).toBe(1);
  });

  it('of no calls is empty', async () => {
    await using log = await opened();
    const summary = await log.store.summary({ since: start, until: start + 9, points: 2 });
    expect(summary.total).toEqual({
      calls: 0,
      errors: 0,
      withdrawn: 0,
      retries: 0,
      average: 0,
      p50: 0,
      p95: 0,
      p99: 0,
    });
    expect(summary.points).toHaveLength(2);
  });
});
