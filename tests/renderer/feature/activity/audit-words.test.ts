import { describe, expect, it } from 'vitest';
import {
  actionText,
  actorText,
  decisionText,
  isNarrowed,
  verdictText,
} from '../../../../renderer/feature/activity/audit/audit-words.ts';
import { dayOf, endOfDay, startOfDay } from '../../../../renderer/feature/activity/audit/days.ts';
import type { AuditRow } from '../../../../shared/model/audit.ts';

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
  it('[REQ-MCP-OBS-002] a verification is said plainly: how many rows, since when, or where it is broken', () => {
    const at = new Date(2026, 10, 28, 9, 30).getTime();
    expect(verdictText({ ok: true, rows: 1_204, since: at, head: 'ab' })).toEqual({
      title: 'The audit log is unbroken',
      text: 'All of its 1,204 rows are as written, since 28 Nov 2026, 09:30.',
    });
    expect(verdictText({ ok: true, rows: 1, since: at, head: 'ab' }).text).toMatch(
      /^Its one row is as written/,
    );
    expect(verdictText({ ok: true, rows: 0 }).title).toBe('There is nothing to verify yet');
    expect(verdictText({ ok: false, rows: 1_203, at: 1_204, why: 'Row 1204 is missing.' })).toEqual({
      title: 'The audit log is broken at row 1,204',
      text: 'Row 1204 is missing. 1,203 rows before it are as they were written.',
    });
    expect(verdictText({ ok: false, rows: 0, at: 1, why: 'Row 1 is missing.' }).text).toBe(
      'Row 1 is missing. No row before it could be verified.',
    );
  });

  it('what was done, by whom and why it could be', () => {
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
      'a client',
    ]);
    expect(decisionText({ ...row, decision: 'ALLOW', cached: true })).toBe('Allowed (remembered decision)');
    expect(decisionText({ ...row, decision: 'DENY' })).toBe('Denied');
    expect(decisionText(row)).toBe('None was asked for');
  });

  it('a filter of nothing narrows nothing', () => {
    expect([{}, { text: '' }, { tool: undefined }].some(isNarrowed)).toBe(false);
    expect(isNarrowed({ outcomes: ['denied'] })).toBe(true);
  });

  it('a day is from its first millisecond to its last, in the time of this computer', () => {
    const noon = new Date(2026, 1, 3, 12).getTime();
    expect(dayOf(noon)).toBe('2026-02-03');
    expect(startOfDay('2026-02-03')).toBe(new Date(2026, 1, 3).getTime());
    expect(endOfDay('2026-02-03')).toBe(new Date(2026, 1, 4).getTime() - 1);
    expect(startOfDay('')).toBeUndefined();
  });
});
