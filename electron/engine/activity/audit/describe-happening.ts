import type { AuditNote } from '../../../../shared/model/activity/audit.ts';
import type { StatusEvent } from '../../../../shared/model/activity/status-event.ts';

/** Describes a change of a server, by itself or through its config, for the audit log. */
export function describeHappening({ about, subject, text, tone, at }: StatusEvent): AuditNote | undefined {
  if (about !== 'server') return undefined;
  // A state change is not an operation that succeeded.
  const outcome = tone === 'bad' ? 'failed' : 'note';
  return { kind: 'server', action: 'observed', actor: 'hub', outcome, serverKey: subject, text, at };
}
