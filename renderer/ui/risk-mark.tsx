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
  high: 'It says that it may destroy something, or its name says that it changes something.',
  low: 'It says that it only reads, or nothing speaks for more.',
};
