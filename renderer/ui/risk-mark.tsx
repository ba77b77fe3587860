import { ShieldAlert } from 'lucide-react';
import type { Risk } from '../../shared/model/access.ts';
import classes from './risk-mark.module.css';

/** How risky a tool is; `compact` leaves the words to screen readers. */
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
  high: 'Annotations or the name suggest that this tool changes or deletes something.',
  low: 'Marked as read-only, or nothing suggests otherwise.',
};
