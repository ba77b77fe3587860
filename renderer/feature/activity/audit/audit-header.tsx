import { Button } from '@mantine/core';
import { Download, ShieldCheck } from 'lucide-react';
import type { AuditFilter } from '../../../../shared/model/activity/audit.ts';
import { exportAudit } from '../../../command/activity/audit-actions.ts';
import { openSettings } from '../../../command/navigate.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { useLimit } from '../../../store/hook/engine-hooks.ts';
import { useModel } from '../../../store/model-context.tsx';
import { ViewHeader } from '../../../ui/view-header.tsx';
import { ActivityPages } from '../activity-pages.tsx';
import classes from '../activity-view.module.css';
import { isAuditFiltered } from './audit-labels.ts';
import type { AuditLogState } from './audit-log.ts';
import type { Verification } from './use-verification.ts';

interface AuditHeaderProps {
  readonly state: AuditLogState;
  readonly filter: AuditFilter;
  readonly verification: Verification;
}

export function AuditHeader({ state, filter, verification }: AuditHeaderProps) {
  const model = useModel();
  const isEmpty = state.rows.length === 0;
  return (
    <ViewHeader title="Activity" note={<Retention />}>
      <Button
        variant="default"
        disabled={isEmpty && !isAuditFiltered(filter)}
        loading={verification.state.kind === 'busy'}
        leftSection={<ShieldCheck size={14} aria-hidden />}
        onClick={verification.run}
      >
        Verify
      </Button>
      <Button
        variant="default"
        disabled={isEmpty}
        leftSection={<Download size={14} aria-hidden />}
        onClick={() => void exportAudit(model, filter)}
        title="Exports the filtered rows as JSON, one per line, oldest first"
      >
        Export
      </Button>
      <ActivityPages page="audit" />
    </ViewHeader>
  );
}

/** Shows how long rows are kept and links to the setting. */
function Retention() {
  const model = useModel();
  const limit = useLimit('auditRetentionDays');
  if (limit === undefined) return null;
  return (
    <button
      type="button"
      className={`bare ${classes.link}`}
      title="Change this in Settings, Limits"
      onClick={() => openSettings(model, 'limits')}
    >
      Kept for {formatCount(limit.value, 'day')}
    </button>
  );
}
