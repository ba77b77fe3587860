import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, useState } from 'react';
import type { MetricsSummary } from '../../../../shared/model/activity/metrics.ts';
import chart from '../../../ui/chart.module.css';
import { Disclosure } from '../../../ui/dialog/disclosure.tsx';
import { CallsPlot, plot } from './calls-plot.tsx';
import { pointIndexAt } from './chart-geometry.ts';
import { momentText, pointText, summaryText } from './chart-text.ts';
import classes from './metrics.module.css';
import { StatsCells, statsHeads } from './stats-cells.tsx';

/**
 * Charts call durations, counts and failures. Points are read with the pointer or the arrow keys (a slider to
 * screen readers); a table below shows the same.
 */
export function CallsChart({ summary }: { summary: MetricsSummary }) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [chosen, setChosen] = useState<number>();
  const [isOpen, setOpen] = useState(false);
  const { points, since, until } = summary;
  const length = until - since;
  const step = length / Math.max(1, points.length);
  const shown = chosen === undefined ? undefined : points[Math.min(chosen, points.length - 1)];
  const plotWidth = Math.max(0, width - plot.left);
  function follow(event: PointerEvent): void {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - plot.left;
    setChosen(pointIndexAt(x, points.length, plotWidth));
  }
  return (
    <>
      <figure className={classes.chartFigure}>
        <Legend />
        <div
          ref={ref}
          className={chart.frame}
          onPointerMove={follow}
          onPointerLeave={() => setChosen(undefined)}
        >
          <input
            type="range"
            className={chart.reader}
            aria-label="Calls over time"
            aria-valuetext={pointText(points[chosen ?? points.length - 1] ?? emptyPoint, step, length)}
            min={0}
            max={points.length - 1}
            value={chosen ?? points.length - 1}
            onChange={(event) => setChosen(Number(event.currentTarget.value))}
            onBlur={() => setChosen(undefined)}
          />
          {plotWidth > 0 && <CallsPlot summary={summary} width={plotWidth} chosen={chosen} />}
        </div>
        <figcaption className={chart.caption}>
          {shown === undefined ? summaryText(summary) : pointText(shown, step, length)}
        </figcaption>
      </figure>
      <div className={classes.asTable}>
        <Disclosure title="Show as table" summary="" open={isOpen} onOpen={setOpen}>
          <PointsTable summary={summary} step={step} />
        </Disclosure>
      </div>
    </>
  );
}

const emptyPoint = {
  at: 0,
  stats: { calls: 0, errors: 0, withdrawn: 0, retries: 0, average: 0, p50: 0, p95: 0, p99: 0 },
};

function Legend() {
  return (
    <ul className={classes.legend} aria-hidden>
      {(['p50', 'p95', 'p99'] as const).map((which) => (
        <li key={which}>
          <svg width="22" height="8" aria-hidden="true">
            <line
              className={`${chart.line} ${classes.series}`}
              data-which={which}
              x1="1"
              x2="21"
              y1="4"
              y2="4"
            />
          </svg>
          {which}
        </li>
      ))}
      <li>
        <i className={classes.callsKey} /> calls
      </li>
      <li>
        <i className={classes.failedKey} /> failed
      </li>
    </ul>
  );
}

/** Shows the chart as a table, without the points that have no calls. */
function PointsTable({ summary, step }: { summary: MetricsSummary; step: number }) {
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
