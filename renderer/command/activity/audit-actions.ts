import type { AuditFilter } from '../../../shared/model/activity/audit.ts';
import { formatCount } from '../../lib/text/format-amount.ts';
import type { Model } from '../../store/model.ts';
import { titleOf } from '../../store/server-title.ts';
import { saveSettings } from '../app/app-actions.ts';

/** Opens a save dialog and exports the filtered rows, one per line. */
export async function exportAudit(model: Model, filter: AuditFilter): Promise<void> {
  const answer = await model.link.call('audit.export', { filter });
  if (!answer.ok) return model.notify.problem(answer.problem);
  const { saved, rows } = answer.value;
  if (saved)
    model.notify.done(
      `${formatCount(rows, 'row')} of the audit log ${rows === 1 ? 'was' : 'were'} exported.`,
    );
}

export async function keepAudit(model: Model, on: boolean): Promise<void> {
  const problem = await saveSettings(model, { audit: on });
  if (problem !== undefined) model.notify.problem(problem);
}

/** Resets the failures of a tool, or of all tools of a server; the next call is sent. */
export async function resetBreaker(model: Model, serverKey: string, tool?: string): Promise<void> {
  const which = tool === undefined ? { serverKey } : { serverKey, tool };
  const answer = await model.link.call('breaker.reset', which);
  if (!answer.ok) return model.notify.problem(answer.problem);
  const title = titleOf(model, serverKey);
  const what = tool === undefined ? `all tools of ${title}` : `${tool} of ${title}`;
  model.notify.done(`Calls to ${what} are allowed again.`);
}
