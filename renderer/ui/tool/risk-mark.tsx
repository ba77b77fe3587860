import { ShieldAlert } from 'lucide-react';
import type { Risk } from '../../../shared/model/access/access.ts';
import classes from './risk-mark.module.css';

/** Shows the risk of a tool; `compact` hides the text except from screen readers. */
export function RiskMark({ risk, compact = false }: { risk: Risk; compact?: boolean }) {
  const words = risk === 'high' ? 'High risk' : 'Low risk';
  return (
    <span className={classes.mark} data-risk={risk} title={meanings[risk]}>
      {risk === 'high' && <ShieldAlert size={13} aria-hidden />}
      <span className={compact ? 'visually-hidden' : undefined}>{words}</span>
    </span>
  );
}

const meanings: Readonly<Record<Risk, string>> = {
  high: 'Annotations or the name suggest that this tool changes or deletes data.',
  low: 'Marked as read-only, or nothing suggests otherwise.',
};
