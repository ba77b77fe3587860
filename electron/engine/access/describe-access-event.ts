import type { AuditNote } from '../../../shared/model/activity/audit.ts';
import type { AccessEvent } from './contract.ts';

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
