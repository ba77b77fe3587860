import type { ReactNode } from 'react';
import type { CallStats } from '../../../../shared/model/activity/metrics.ts';
import { formatCount, formatPercent } from '../../../lib/text/format-amount.ts';
import { formatMilliseconds } from '../../../lib/text/format-time.ts';
import classes from './metrics.module.css';

/** Shows the totals of the current scope. */
export function MetricsFigures({ stats }: { stats: CallStats }) {
  const { calls, errors, retries, average, p50, p95, p99 } = stats;
  return (
    <dl className={classes.figures}>
      <Figure label="Calls" note={retries === 0 ? 'no retries' : formatCount(retries, 'retry', 'retries')}>
        {calls.toLocaleString('en')}
      </Figure>
      <Figure label="Failed" note={formatCount(errors, 'call')} bad={errors > 0}>
        {errors === 0 ? 'None' : formatPercent((errors / calls) * 100)}
      </Figure>
      <Figure label="Median" note={`average ${formatMilliseconds(average)}`}>
        {formatMilliseconds(p50)}
      </Figure>
      <Figure label="95th percentile" note="p95">
        {formatMilliseconds(p95)}
      </Figure>
      <Figure label="99th percentile" note="p99">
        {formatMilliseconds(p99)}
      </Figure>
    </dl>
  );
}

interface FigureProps {
  readonly label: string;
  readonly note: string;
  readonly bad?: boolean;
  readonly children: ReactNode;
}

function Figure({ label, note, bad = false, children }: FigureProps) {
  return (
    <div className={classes.figure}>
      <dt>{label}</dt>
      <dd className={classes.value} data-bad={bad}>
        {children}
      </dd>
      <dd className={classes.note}>{note}</dd>
    </div>
  );
}
