import type {
  AuditFilter,
  AuditOutcome,
  AuditRow,
  AuditVerdict,
} from '../../../../shared/model/activity/audit.ts';
import { isStatusChange } from '../../../../shared/model/activity/audit-text.ts';
import type { Tone } from '../../../../shared/model/server/server-look.ts';
import { clientTitle } from '../../../lib/server/client-title.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { formatMoment } from '../../../lib/text/format-time.ts';
import { outcomeLooks } from '../activity-labels.ts';
import { type FoldRule, maxFrequency } from '../log/fold-rows.ts';

export const auditOutcomeLooks: Readonly<
  Record<AuditOutcome, { readonly label: string; readonly tone: Tone }>
> = {
  ...outcomeLooks,
  note: { label: 'Note', tone: 'quiet' },
  denied: { label: 'Denied', tone: 'warning' },
  failed: { label: 'Failed', tone: 'bad' },
};

/** Returns how a row's outcome is shown. Older rows store `ok` for status changes, which are no success. */
export function auditLook(row: AuditRow): { readonly label: string; readonly tone: Tone } {
  const look = auditOutcomeLooks[row.outcome];
  if (!isStatusChange(row)) return look;
  return { label: 'Status', tone: look.tone === 'bad' ? 'bad' : 'quiet' };
}

/** Groups a server's status changes, and actions that keep failing the same way. */
export const auditFolds: FoldRule<AuditRow> = {
  subject(row) {
    if (isStatusChange(row)) return `state ${row.serverKey}`;
    const { kind, action, actor, serverKey, tool } = row;
    return JSON.stringify([kind, action, actor, serverKey, tool]);
  },
  signature(row) {
    if (isStatusChange(row)) return 'state';
    return row.outcome === 'ok' || row.outcome === 'note' ? `ok ${row.seq}` : `${row.outcome} ${row.text}`;
  },
  countAttempts: (rows) => maxFrequency(rows.map(({ outcome, text = '' }) => `${outcome} ${text}`)),
};

/** Returns a readable name for the actor. */
export function actorText(actor: string): string {
  return actors[actor] ?? (actor === '' ? 'Unknown client' : clientTitle({ name: actor }));
}

const actors: Readonly<Record<string, string>> = {
  window: 'This window',
  admin: 'Admin token',
  hub: 'Patchbay',
};

/** Describes the result of a verification. */
export function verdictText(verdict: AuditVerdict): { readonly title: string; readonly text: string } {
  if (!verdict.ok) {
    const intact =
      verdict.rows === 0 ? 'No earlier row could be verified.' : `${rowsBefore(verdict.rows)} intact.`;
    return {
      title: `The audit log is broken at row ${verdict.at.toLocaleString('en')}`,
      text: `${verdict.why} ${intact}`,
    };
  }
  if (verdict.since === undefined)
    return { title: 'There is nothing to verify yet', text: 'The audit log is empty.' };
  const rows = verdict.rows === 1 ? 'Its only row is' : `All ${verdict.rows.toLocaleString('en')} rows are`;
  return {
    title: 'The audit log is intact',
    text: `${rows} unchanged since ${formatMoment(verdict.since)}.`,
  };
}

function rowsBefore(rows: number): string {
  return `${formatCount(rows, 'row')} before it ${rows === 1 ? 'is' : 'are'}`;
}

export function isAuditFiltered(filter: AuditFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined && value !== '');
}

/** Describes the access decision behind a call. */
export function decisionText({ decision, cached }: AuditRow): string {
  if (decision === undefined) return 'No decision needed';
  const cachedNote = cached === true ? ' (cached)' : '';
  return { ALLOW: 'Allowed', ASK: 'Asked first', DENY: 'Denied' }[decision] + cachedNote;
}
