import type { CallStats } from '../../../../shared/model/activity/metrics.ts';
import { formatPercent } from '../../../lib/text/format-amount.ts';
import { formatMilliseconds } from '../../../lib/text/format-time.ts';
import classes from './metrics.module.css';

/** Columns of every table of calls, which are also its sort keys. */
export const statsHeads = [
  { key: 'calls', label: 'Calls' },
  { key: 'errors', label: 'Failed' },
  { key: 'p50', label: 'p50' },
  { key: 'p95', label: 'p95' },
  { key: 'p99', label: 'p99' },
] as const;

export type StatsKey = (typeof statsHeads)[number]['key'];

export function StatsCells({ stats }: { stats: CallStats }) {
  const { calls, errors, p50, p95, p99 } = stats;
  return (
    <>
      <td>{calls.toLocaleString('en')}</td>
      <td className={classes.failedCell} data-bad={errors > 0}>
        {errors === 0 ? '0' : `${errors.toLocaleString('en')} (${formatPercent((errors / calls) * 100)})`}
      </td>
      <td>{formatMilliseconds(p50)}</td>
      <td>{formatMilliseconds(p95)}</td>
      <td>{formatMilliseconds(p99)}</td>
    </>
  );
}
