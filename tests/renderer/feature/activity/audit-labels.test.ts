import { describe, expect, it } from 'vitest';
import {
  actorText,
  decisionText,
  isAuditFiltered,
  verdictText,
} from '../../../../renderer/feature/activity/audit/audit-labels.ts';
import { dayOf, endOfDay, startOfDay } from '../../../../renderer/feature/activity/audit/days.ts';
import type { AuditRow } from '../../../../shared/model/activity/audit.ts';
import { actionText } from '../../../../shared/model/activity/audit-text.ts';

const row: AuditRow = {
  seq: 1,
  at: 0,
  kind: 'server',
  action: 'disable-tool',
  actor: 'window',
  outcome: 'ok',
  hash: '',
};

describe('words of the audit log', () => {
  it('[REQ-MCP-OBS-002] describe a verification: how many rows, since when, or where the chain is broken', () => {
    const at = new Date(2026, 10, 28, 9, 30).getTime();
    expect(verdictText({ ok: true, rows: 1_204, since: at, head: 'ab' })).toEqual({
      title: 'The audit log is intact',
      text: 'All 1,204 rows are unchanged since 28 Nov 2026, 09:30.',
    });
    expect(verdictText({ ok: true, rows: 1, since: at, head: 'ab' }).text).toMatch(
      /^Its only row is unchanged/,
    );
    expect(verdictText({ ok: true, rows: 0 }).title).toBe('There is nothing to verify yet');
    expect(verdictText({ ok: false, rows: 1_203, at: 1_204, why: 'Row 1204 is missing.' })).toEqual({
      title: 'The audit log is broken at row 1,204',
      text: 'Row 1204 is missing. 1,203 rows before it are intact.',
    });
    expect(verdictText({ ok: false, rows: 0, at: 1, why: 'Row 1 is missing.' }).text).toBe(
      'Row 1 is missing. No earlier row could be verified.',
    );
  });

  it('describe an action, its actor and the access decision', () => {
    expect(actionText(row)).toBe('Server: disable tool');
    expect(actionText({ ...row, kind: 'invocation', method: 'tools/call' })).toBe('Tool call');
    expect(actionText({ ...row, kind: 'invocation', method: 'completion/complete' })).toBe(
      'completion/complete',
    );
    expect(['window', 'hub', 'claude-ai', 'agent-007', ''].map(actorText)).toEqual([
      'This window',
      'Patchbay',
      'Claude Desktop',
      'agent-007',
      'Unknown client',
    ]);
    expect(decisionText({ ...row, decision: 'ALLOW', cached: true })).toBe('Allowed (cached)');
    expect(decisionText({ ...row, decision: 'DENY' })).toBe('Denied');
    expect(decisionText(row)).toBe('No decision needed');
  });

  it('an empty filter counts as no filter', () => {
    expect([{}, { text: '' }, { tool: undefined }].some(isAuditFiltered)).toBe(false);
    expect(isAuditFiltered({ outcomes: ['denied'] })).toBe(true);
  });

  it('a day lasts from its first to its last millisecond in local time', () => {
    const noon = new Date(2026, 1, 3, 12).getTime();
    expect(dayOf(noon)).toBe('2026-02-03');
    expect(startOfDay('2026-02-03')).toBe(new Date(2026, 1, 3).getTime());
    expect(endOfDay('2026-02-03')).toBe(new Date(2026, 1, 4).getTime() - 1);
    expect(startOfDay('')).toBeUndefined();
  });
});
