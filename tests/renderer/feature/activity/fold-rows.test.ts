import { describe, expect, it } from 'vitest';
import { activityFolds, isHubRow } from '../../../../renderer/feature/activity/activity-labels.ts';
import { auditFolds, auditLook } from '../../../../renderer/feature/activity/audit/audit-labels.ts';
import { foldRemark, foldRows, linesOf } from '../../../../renderer/feature/activity/log/fold-rows.ts';
import type { ActivityRow } from '../../../../shared/model/activity/activity.ts';
import type { AuditRow } from '../../../../shared/model/activity/audit.ts';

const minute = 60_000;
const noon = new Date(2026, 10, 28, 12).getTime();

function state(id: number, serverKey: string, text: string, tone: ActivityRow['tone'] = 'bad'): ActivityRow {
  return { id, at: noon + id * minute, kind: 'hub', outcome: 'note', serverKey, text, tone };
}

function call(id: number, outcome: ActivityRow['outcome'], text?: string): ActivityRow {
  const row = {
    id,
    at: noon + id * minute,
    outcome,
    kind: 'call',
    clientName: 'Cursor',
    serverKey: 'a',
  } as const;
  return { ...row, name: 'x', method: 'tools/call', ...(text === undefined ? {} : { text }) };
}

/** Returns how many rows each line stands for. */
function counts(rows: readonly ActivityRow[]): readonly number[] {
  return foldRows(rows, activityFolds).map((fold) => fold.rows.length);
}

/** Three attempts of two servers each, interleaved; newest first. */
const tries = [1, 2, 3]
  .flatMap((turn) => [
    state(turn * 10, 'a', `Restarting, attempt ${turn}`, 'busy'),
    state(turn * 10 + 1, 'b', 'The server cannot be reached.'),
    state(turn * 10 + 2, 'a', 'The server cannot be reached.'),
  ])
  .reverse();

describe('rows that repeat', () => {
  it('are one line per server that says how often and since when', () => {
    const folded = foldRows(tries, activityFolds);
    expect(folded.map(({ row, rows }) => [row.serverKey, rows.length])).toEqual([
      ['a', 6],
      ['b', 3],
    ]);
    expect(folded.map((fold) => foldRemark(fold, isHubRow(fold.row), noon))).toEqual([
      '3 tries since 12:10',
      '3 tries since 12:11',
    ]);
  });

  it('open to the rows themselves, and stay open when another joins them', () => {
    const opened = new Set([10]);
    const lines = linesOf(foldRows(tries, activityFolds), ({ id }) => id, opened);
    expect(lines.map((line) => (line.kind === 'fold' ? 'fold' : line.row.id))).toEqual([
      'fold',
      32,
      30,
      22,
      20,
      12,
      10,
      'fold',
    ]);
    const more = [state(42, 'a', 'The server cannot be reached.'), ...tries];
    expect(linesOf(foldRows(more, activityFolds), ({ id }) => id, opened)).toHaveLength(9);
  });

  it('end where the server is healthy, and are not grouped if few', () => {
    const well = state(15, 'b', 'Connected', 'good');
    expect(counts([state(19, 'b', 'No.'), state(18, 'b', 'No.'), well, state(12, 'b', 'No.')])).toEqual([
      1, 1, 1, 1,
    ]);
    expect(
      counts([state(9, 'a', 'Asleep', 'quiet'), state(8, 'a', 'Connecting'), state(7, 'a', 'No.')]),
    ).toEqual([1, 1, 1]);
  });

  it('include calls that keep failing the same way', () => {
    const same = [call(9, 'error', 'No.'), call(8, 'error', 'No.'), call(7, 'error', 'No.')];
    expect(counts([...same, call(6, 'error', 'Else.'), call(5, 'ok'), call(4, 'ok'), call(3, 'ok')])).toEqual(
      [3, 1, 1, 1, 1],
    );
  });
});

describe('the audit log', () => {
  const row = (seq: number, part: Partial<AuditRow>): AuditRow => ({
    seq,
    at: noon,
    kind: 'server',
    action: 'observed',
    actor: 'hub',
    outcome: 'ok',
    serverKey: 'a',
    hash: '',
    ...part,
  });

  it('[REQ-MCP-OBS-002] shows a status change as a status, never as a success', () => {
    expect(auditLook(row(1, { outcome: 'ok' }))).toEqual({ label: 'Status', tone: 'quiet' });
    expect(auditLook(row(1, { outcome: 'failed' }))).toEqual({ label: 'Status', tone: 'bad' });
    expect(auditLook(row(1, { action: 'restart' }))).toEqual({ label: 'OK', tone: 'good' });
  });

  it('groups status changes of a server that keeps failing, but no successful actions', () => {
    const states = [4, 3, 2].map((seq) => row(seq, { text: 'The server cannot be reached.' }));
    const deeds = [9, 8, 7].map((seq) => row(seq, { action: 'restart', actor: 'window' }));
    expect(foldRows([...deeds, ...states], auditFolds).map((fold) => fold.rows.length)).toEqual([1, 1, 1, 3]);
  });
});
