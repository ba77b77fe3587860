import type { AuditNote } from '../../../shared/model/activity/audit.ts';
import type { Settings } from '../../../shared/schema/settings.ts';
import type { Limits } from '../config/limits/limits.ts';
import type { Hub } from './hub-contract.ts';
import type { RunningHub } from './running-hub.ts';

export interface AppliedTo {
  readonly running: Pick<RunningHub, 'access' | 'activity'>;
  readonly limits: Limits;
  readonly run: Hub['run'];
  readonly note: (note: AuditNote) => void;
}

/** Applies what differs between two settings to a running hub. */
export async function applySettings(hub: AppliedTo, from: Settings, to: Settings): Promise<void> {
  const { access, activity } = hub.running;
  if (from.port !== to.port) await hub.run('hub.setPort', { port: to.port });
  if (from.newClients !== to.newClients) access.newClients = to.newClients;
  if (from.askDestructive !== to.askDestructive) access.askDestructive(to.askDestructive);
  if (from.recordActivity !== to.recordActivity) activity.recorder.switch(to.recordActivity);
  if (from.audit !== to.audit) switchAudit(hub, to.audit);
  if (from.limits !== to.limits) hub.limits.choose(to.limits);
}

function switchAudit({ running, note }: AppliedTo, isOn: boolean): void {
  const { recorder } = running.activity;
  // The last entry records that auditing ends here.
  if (!isOn) note({ kind: 'hub', action: 'audit-off' });
  recorder.audit(isOn);
  if (isOn) note({ kind: 'hub', action: 'audit-on' });
}
