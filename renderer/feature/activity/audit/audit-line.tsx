import type { AuditRow } from '../../../../shared/model/audit.ts';
import { formatMoment } from '../../../lib/format-time.ts';
import { useModel } from '../../../store/model-context.tsx';
import classes from '../activity-view.module.css';
import own from './audit.module.css';
import { actionText, actorText, auditOutcomeLooks, rowTime } from './audit-words.ts';

interface AuditLineProps {
  readonly row: AuditRow;
  readonly index: number;
  readonly top: number;
  readonly selected: boolean;
  readonly onSelect: () => void;
}

export function AuditLine({ row, index, top, selected, onSelect }: AuditLineProps) {
  const { now } = useModel();
  return (
    <li className={classes.item} style={{ transform: `translateY(${top}px)` }}>
      <button
        type="button"
        className={own.line}
        data-row={index}
        data-selected={selected}
        aria-current={selected || undefined}
        onClick={onSelect}
      >
        <time
          className={classes.clock}
          dateTime={new Date(row.at).toISOString()}
          title={formatMoment(row.at)}
        >
          {rowTime(row.at, now())}
        </time>
        <span className={own.who} title={row.actor}>
          {actorText(row.actor)}
        </span>
        <span className={own.what}>
          <span className={own.action}>{actionText(row)}</span>
          {row.text !== undefined && (
            <span className={classes.remark} title={row.text}>
              {row.text}
            </span>
          )}
        </span>
        <span className={own.cell} title={row.serverKey}>
          {row.serverKey}
        </span>
        <span className={own.cell} title={row.tool}>
          {row.tool}
        </span>
        <AuditOutcomeWord row={row} />
      </button>
    </li>
  );
}

/** In a word as well as in colour. */
export function AuditOutcomeWord({ row }: { row: AuditRow }) {
  const { label, tone } = auditOutcomeLooks[row.outcome];
  return (
    <span className={classes.outcome} data-tone={tone}>
      {label}
    </span>
  );
}
