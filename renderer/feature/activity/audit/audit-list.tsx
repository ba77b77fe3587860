import { CircleDot, UserRound, Wrench } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AuditRow } from '../../../../shared/model/activity/audit.ts';
import { actionText, isStatusChange } from '../../../../shared/model/activity/audit-text.ts';
import { ServerName } from '../../../ui/text/server-name.tsx';
import classes from '../activity-view.module.css';
import { LogTable, Outcome, Remark } from '../log/log-table.tsx';
import own from './audit.module.css';
import { actorText, auditFolds, auditLook } from './audit-labels.ts';
import type { AuditLogState, AuditLogView } from './audit-log.ts';

interface AuditListProps {
  readonly state: AuditLogState;
  readonly log: AuditLogView;
  readonly selected: number | undefined;
  readonly onSelect: (seq: number) => void;
}

/** Lists the audit log. Scrolling down or selecting a row holds back new ones. */
export function AuditList({ state, log, selected, onSelect }: AuditListProps) {
  const { rows, hasMore, following, hasNewRows } = state;
  return (
    <LogTable
      label="Audit log"
      heads={['Who', 'What', 'Server', 'Tool', 'Outcome'].map((head) => <span key={head}>{head}</span>)}
      columns={own.columns}
      rows={rows}
      idOf={seqOf}
      folds={auditFolds}
      isStatus={isStatusChange}
      cells={(row, repeats) => <AuditCells row={row} repeats={repeats} />}
      selected={selected}
      onSelect={(seq) => {
        log.follow(false);
        onSelect(seq);
      }}
      onScroll={log.follow}
      loadMore={hasMore ? log.loadMore : undefined}
      held={following || !hasNewRows ? undefined : { text: 'Show new entries', show: () => log.follow(true) }}
    />
  );
}

function AuditCells({ row, repeats }: { row: AuditRow; repeats: ReactNode }) {
  const isStatus = isStatusChange(row);
  const Icon = isStatus ? CircleDot : row.kind === 'invocation' ? Wrench : UserRound;
  return (
    <>
      <span className="truncate" title={row.actor}>
        {actorText(row.actor)}
      </span>
      <span className={`row ${classes.what}`}>
        <Icon
          size={13}
          strokeWidth={1.8}
          className={classes.icon}
          data-tone={isStatus ? auditLook(row).tone : undefined}
          aria-hidden
        />
        <span className="fixed strong">{actionText(row)}</span>
        {repeats}
        <Remark>{row.text}</Remark>
      </span>
      <span className="truncate min-0 soft" title={row.serverKey}>
        {row.serverKey !== undefined && <ServerName serverKey={row.serverKey} />}
      </span>
      <span className="truncate min-0 soft" title={row.tool}>
        {row.tool}
      </span>
      <AuditOutcome row={row} />
    </>
  );
}

export function AuditOutcome({ row }: { row: AuditRow }) {
  const { label, tone } = auditLook(row);
  return <Outcome tone={tone}>{label}</Outcome>;
}

function seqOf({ seq }: AuditRow): number {
  return seq;
}
