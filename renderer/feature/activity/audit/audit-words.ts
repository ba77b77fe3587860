import type {
  AuditFilter,
  AuditKind,
  AuditOutcome,
  AuditRow,
  AuditVerdict,
} from '../../../../shared/model/audit.ts';
import type { Tone } from '../../../../shared/model/server-look.ts';
import { clientTitle } from '../../../lib/client-title.ts';
import { formatCount } from '../../../lib/format-amount.ts';
import { formatClock, formatMoment } from '../../../lib/format-time.ts';
import { outcomeLooks } from '../activity-words.ts';

export const auditKindNames: Readonly<Record<AuditKind, string>> = {
  invocation: 'Call',
  server: 'Server',
  identity: 'Identity',
  grant: 'Grant',
  token: 'Token',
  approval: 'Approval',
  hub: 'Hub',
};

export const auditOutcomeLooks: Readonly<
  Record<AuditOutcome, { readonly label: string; readonly tone: Tone }>
> = {
  ...outcomeLooks,
  note: { label: 'Note', tone: 'quiet' },
  denied: { label: 'Denied', tone: 'warning' },
  failed: { label: 'Failed', tone: 'bad' },
};

/** What was done, in two or three words: `Call`, `Server: restart`, `Tool list`. */
export function actionText({ kind, action, method }: AuditRow): string {
  if (kind === 'invocation') return calls[method ?? ''] ?? method ?? 'Call';
  return `${auditKindNames[kind]}: ${actions[action] ?? action.replaceAll(/[-_]/g, ' ')}`;
}

/** Where the word that is kept says too little. */
const actions: Readonly<Record<string, string>> = { observed: 'state' };

const calls: Readonly<Record<string, string>> = {
  'tools/call': 'Tool call',
  'prompts/get': 'Prompt',
  'resources/read': 'Resource',
};

/** Who did it, as people call them. */
export function actorText(actor: string): string {
  return actors[actor] ?? (actor === '' ? 'a client' : clientTitle({ name: actor }));
}

const actors: Readonly<Record<string, string>> = {
  window: 'This window',
  admin: 'Admin token',
  hub: 'Patchbay',
};

/** The outcome of a verification, plainly. */
export function verdictText(verdict: AuditVerdict): { readonly title: string; readonly text: string } {
  if (!verdict.ok) {
    const whole =
      verdict.rows === 0
        ? 'No row before it could be verified.'
        : `${before(verdict.rows)} as they were written.`;
    return {
      title: `The audit log is broken at row ${verdict.at.toLocaleString('en')}`,
      text: `${verdict.why} ${whole}`,
    };
  }
  if (verdict.since === undefined)
    return { title: 'There is nothing to verify yet', text: 'The audit log has no row.' };
  const rows =
    verdict.rows === 1 ? 'Its one row is' : `All of its ${verdict.rows.toLocaleString('en')} rows are`;
  return {
    title: 'The audit log is unbroken',
    text: `${rows} as written, since ${formatMoment(verdict.since)}.`,
  };
}

function before(rows: number): string {
  return `${formatCount(rows, 'row')} before it ${rows === 1 ? 'is' : 'are'}`;
}

export function isNarrowed(filter: AuditFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined && value !== '');
}

/** Why a call could be made, or could not. */
export function decisionText({ decision, cached }: AuditRow): string {
  if (decision === undefined) return 'None was asked for';
  const remembered = cached === true ? ', as decided a moment before' : '';
  return { ALLOW: 'Allowed', ASK: 'Asked about first', DENY: 'Denied' }[decision] + remembered;
}

/** The time of today, else the day with the time. */
export function rowTime(at: number, now: number): string {
  const date = new Date(at);
  if (date.toDateString() === new Date(now).toDateString()) return formatClock(at);
  const day = date.toLocaleDateString('en', { day: 'numeric', month: 'short' });
  return `${day} ${formatClock(at).slice(0, 5)}`;
}
