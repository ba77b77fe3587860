import type { MetricsSummary } from '../../../../shared/model/activity/metrics.ts';
import { momentText } from './chart-text.ts';
import classes from './metrics.module.css';
import { StatsCells, statsHeads } from './stats-cells.tsx';

/** Shows the chart as a table, without the points that have no calls. */
export function PointsTable({ summary, step }: { summary: MetricsSummary; step: number }) {
  const { points, since, until } = summary;
  const used = points.filter(({ stats }) => stats.calls > 0);
  return (
    <table className={classes.table}>
      <caption className="visually-hidden">Calls over time</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          {statsHeads.map(({ label }) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {used.map(({ at, stats }) => (
          <tr key={at}>
            <th scope="row">
              {momentText(at, until - since)} to {momentText(at + step, until - since)}
            </th>
            <StatsCells stats={stats} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}
