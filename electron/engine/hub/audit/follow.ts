import type { AuditNote } from '../../../../shared/model/audit.ts';
import type { Happening } from '../../../../shared/model/happening.ts';
import type { AccessEvent } from '../access/contract.ts';

/** What became different about a server by itself or by a change of its config, as the audit log tells it. */
export function noteHappening({ about, subject, text, tone, at }: Happening): AuditNote | undefined {
  if (about !== 'server') return undefined;
  // A state is no deed that went well.
  const outcome = tone === 'bad' ? 'failed' : 'note';
  return { kind: 'server', action: 'observed', actor: 'hub', outcome, serverKey: subject, text, at };
}

/** A change of who may do what. */
export function noteAccess({ kind, by, text, serverKey, tool, answer }: AccessEvent): AuditNote {
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
