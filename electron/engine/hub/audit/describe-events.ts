import type { AuditNote } from '../../../../shared/model/activity/audit.ts';
import type { StatusEvent } from '../../../../shared/model/activity/status-event.ts';
import type { AccessEvent } from '../../access/contract.ts';

/** Describes a change of a server, by itself or through its config, for the audit log. */
export function describeHappening({ about, subject, text, tone, at }: StatusEvent): AuditNote | undefined {
  if (about !== 'server') return undefined;
  // A state change is not an operation that succeeded.
  const outcome = tone === 'bad' ? 'failed' : 'note';
  return { kind: 'server', action: 'observed', actor: 'hub', outcome, serverKey: subject, text, at };
}

/** Describes an access change for the audit log. */
export function describeAccessEvent({ kind, by, text, serverKey, tool, answer }: AccessEvent): AuditNote {
  const [subject = '', action = ''] = kind.split('.');
  return {
    kind: kinds[subject] ?? 'identity',
    action,
    actor: by,
    outcome: answer === 'deny' || kind === 'approval.timed_out' ? 'denied' : 'ok',
    serverKey,
    tool,
    text,
  };
}

const kinds: Readonly<Record<string, AuditNote['kind']>> = {
  identity: 'identity',
  grant: 'grant',
  token: 'token',
  approval: 'approval',
  access: 'hub',
};
