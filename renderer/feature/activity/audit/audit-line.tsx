import { ChevronDown, ChevronRight, CircleDot, UserRound, Wrench } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AuditRow } from '../../../../shared/model/audit.ts';
import { formatExactMoment, formatStamp } from '../../../lib/format-time.ts';
import { useModel } from '../../../store/model-context.tsx';
import { ServerName } from '../../../ui/server-name.tsx';
import classes from '../activity-view.module.css';
import type { Folded } from '../fold-rows.ts';
import own from './audit.module.css';
import { actionText, actorText, auditFoldRemark, auditLook, isStatusChange } from './audit-words.ts';

interface AuditLineProps {
  readonly row: AuditRow;
  readonly index: number;
  readonly top: number;
  readonly selected: boolean;
  /** True for a row inside an expanded group of repeats. */
  readonly isPart: boolean;
  readonly onSelect: () => void;
}

export function AuditLine({ row, index, top, selected, isPart, onSelect }: AuditLineProps) {
  return (
    <li className={classes.item} style={{ transform: `translateY(${top}px)` }}>
      <button
        type="button"
        className={own.line}
        data-row={index}
        data-selected={selected}
        data-part={isPart}
        data-state={isStatusChange(row)}
        aria-current={selected || undefined}
        onClick={onSelect}
      >
        <AuditCells row={row} />
      </button>
    </li>
  );
}

interface FoldedAuditLineProps extends Pick<AuditLineProps, 'index' | 'top'> {
  readonly fold: Folded<AuditRow>;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** Shows repeated rows as one line that expands. */
export function FoldedAuditLine({ fold, index, top, isOpen, onToggle }: FoldedAuditLineProps) {
  const { now } = useModel();
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <li className={classes.item} style={{ transform: `translateY(${top}px)` }}>
      <button
        type="button"
        className={own.line}
        data-row={index}
        data-state={isStatusChange(fold.row)}
        aria-expanded={isOpen}
        onClick={onToggle}
      >
        <AuditCells row={fold.row}>
          <span className={classes.times}>
            <Chevron size={13} aria-hidden />
            {auditFoldRemark(fold, now())}
          </span>
        </AuditCells>
      </button>
    </li>
  );
}

function AuditCells({ row, children }: { row: AuditRow; children?: ReactNode }) {
  const { now } = useModel();
  const Icon = isStatusChange(row) ? CircleDot : row.kind === 'invocation' ? Wrench : UserRound;
  return (
    <>
      <time
        className={classes.clock}
        dateTime={new Date(row.at).toISOString()}
        title={formatExactMoment(row.at)}
      >
        {formatStamp(row.at, now())}
      </time>
      <span className={own.who} title={row.actor}>
        {actorText(row.actor)}
      </span>
      <span className={own.what}>
        <Icon
          size={13}
          strokeWidth={1.8}
          className={classes.icon}
          data-tone={isStatusChange(row) ? auditLook(row).tone : undefined}
          aria-hidden
        />
        <span className={own.action}>{actionText(row)}</span>
        {children}
        {row.text !== undefined && (
          <span className={classes.remark} title={row.text}>
            {row.text}
          </span>
        )}
      </span>
      <span className={own.cell} title={row.serverKey}>
        {row.serverKey !== undefined && <ServerName serverKey={row.serverKey} />}
      </span>
      <span className={own.cell} title={row.tool}>
        {row.tool}
      </span>
      <AuditOutcomeWord row={row} />
    </>
  );
}

/** Names the outcome in text as well as in colour. */
export function AuditOutcomeWord({ row }: { row: AuditRow }) {
  const { label, tone } = auditLook(row);
  return (
    <span className={classes.outcome} data-tone={tone}>
      {label}
    </span>
  );
}
