import type { ApprovalRequest } from '../../../shared/model/access/access.ts';
import { clientTitle } from '../../lib/server/client-title.ts';
import { useTitleOf } from '../../store/model-context.tsx';
import { TimeLeft } from '../../ui/text/time-text.tsx';
import { RiskMark } from '../../ui/tool/risk-mark.tsx';
import classes from './approvals.module.css';

interface RequestListProps {
  readonly waiting: readonly ApprovalRequest[];
  /** Index of the open call. */
  readonly index: number;
  readonly onChoose: (index: number) => void;
}

/** Lists all waiting calls. */
export function RequestList({ waiting, index, onChoose }: RequestListProps) {
  const titleOf = useTitleOf();
  return (
    <ul className={classes.list} aria-label="Waiting calls">
      {waiting.map((request, at) => (
        <li key={request.id} data-open={at === index}>
          <button
            type="button"
            className={`bare ${classes.entry}`}
            aria-current={at === index ? 'true' : undefined}
            onClick={() => onChoose(at)}
          >
            <span className="truncate small medium">
              {titleOf(request.serverKey)}:{request.tool}
              {request.behind > 0 && ` (${request.behind + 1})`}
            </span>
            <span className={classes.entryNote}>
              {clientTitle({ name: request.clientName })} · <TimeLeft until={request.expiresAt} />
            </span>
            {request.risk === 'high' && <RiskMark risk="high" compact />}
          </button>
        </li>
      ))}
    </ul>
  );
}
