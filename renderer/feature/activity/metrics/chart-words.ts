import type { MetricsSummary } from '../../../../shared/model/metrics.ts';
import { formatCount } from '../../../lib/format-amount.ts';
import { formatMilliseconds } from '../../../lib/format-time.ts';
import type { MetricsPoint } from './chart-geometry.ts';

const day = 24 * 3_600_000;

/** Formats a moment for a chart that spans `length` milliseconds: `14:05`, `28 Nov 14:00`. */
export function momentText(at: number, length: number): string {
  const date = new Date(at);
  const clock = `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`;
  if (length <= day) return clock;
  return `${date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })} ${clock}`;
}

/** Describes one point of the chart. */
export function pointText({ at, stats }: MetricsPoint, step: number, length: number): string {
  const time = `${momentText(at, length)} to ${momentText(at + step, length)}`;
  if (stats.calls === 0) return `${time}: no calls`;
  const failed = stats.errors === 0 ? 'none failed' : `${stats.errors.toLocaleString('en')} failed`;
  const [median, p95, p99] = [stats.p50, stats.p95, stats.p99].map(formatMilliseconds);
  return `${time}: ${formatCount(stats.calls, 'call')}, ${failed}; median ${median}, p95 ${p95}, p99 ${p99}`;
}

/** Summarizes the whole chart in a sentence or two. */
export function summaryText({ total }: MetricsSummary): string {
  if (total.calls === 0) return 'No calls in this period.';
  const failed = total.errors === 0 ? 'None' : total.errors.toLocaleString('en');
  return `${failed} of ${formatCount(total.calls, 'call')} failed. Median ${formatMilliseconds(total.p50)}.`;
}
