import type { CallStats } from '../../../../shared/model/activity/metrics.ts';
import { formatCount, formatPercent } from '../../../lib/text/format-amount.ts';
import { formatMilliseconds } from '../../../lib/text/format-time.ts';
import { Figure, Figures } from '../../../ui/figures.tsx';

/** Shows the totals of the current scope. */
export function MetricsFigures({ stats }: { stats: CallStats }) {
  const { calls, errors, retries, average, p50, p95, p99 } = stats;
  return (
    <Figures>
      <Figure label="Calls" note={retries === 0 ? 'no retries' : formatCount(retries, 'retry', 'retries')}>
        {calls.toLocaleString('en')}
      </Figure>
      <Figure label="Failed" note={formatCount(errors, 'call')} tone={errors > 0 ? 'bad' : undefined}>
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
    </Figures>
  );
}
