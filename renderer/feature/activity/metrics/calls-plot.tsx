import type { MetricsSummary } from '../../../../shared/model/activity/metrics.ts';
import { formatMilliseconds } from '../../../lib/text/format-time.ts';
import chart from '../../../ui/chart.module.css';
import { largest, type Position, segments, topOf } from './chart-geometry.ts';
import { momentText } from './chart-text.ts';
import classes from './metrics.module.css';

/** Sizes in pixels: durations at the top, call counts below, the time axis at the bottom. */
export const plot = { left: 52, times: 132, gap: 18, calls: 56, axis: 20 } as const;

const bottom = plot.times + plot.gap + plot.calls;

interface CallsPlotProps {
  readonly summary: MetricsSummary;
  /** Width of the plot, without the axis labels. */
  readonly width: number;
  readonly chosen: number | undefined;
}

/** Draws the chart. Hidden from screen readers, which get the same in words. */
export function CallsPlot({ summary, width, chosen }: CallsPlotProps) {
  const { points, since, until } = summary;
  const step = width / Math.max(1, points.length);
  return (
    <svg aria-hidden="true" className={chart.chart} width={width + plot.left} height={bottom + plot.axis}>
      <g transform={`translate(${plot.left} 0)`}>
        {chosen !== undefined && (
          <rect className={chart.cursor} x={chosen * step} y={0} width={step} height={bottom} />
        )}
        <Times points={points} width={width} />
        <Calls points={points} width={width} />
        {[0, 1 / 3, 2 / 3, 1].map((part) => (
          <text
            key={part}
            className={chart.axis}
            x={width * part}
            y={bottom + 15}
            textAnchor={part === 0 ? 'start' : part === 1 ? 'end' : 'middle'}
          >
            {part === 1 ? 'now' : momentText(since + (until - since) * part, until - since)}
          </text>
        ))}
      </g>
    </svg>
  );
}

interface PartProps {
  readonly points: MetricsSummary['points'];
  readonly width: number;
}

function Times({ points, width }: PartProps) {
  const top = topOf(
    largest(points, ({ p99 }) => p99),
    10,
  );
  return (
    <>
      {[1, 0.5, 0].map((part) => (
        <Rule key={part} y={plot.times * (1 - part)} width={width} isTop={part === 1}>
          {part === 0 ? '0' : formatMilliseconds(top * part)}
        </Rule>
      ))}
      {(['p99', 'p95', 'p50'] as const).map((which) =>
        segments(points, which, { width, height: plot.times }, top).map((line) => (
          <path
            key={`${which}${line[0]?.x}`}
            className={`${chart.line} ${classes.series}`}
            data-which={which}
            data-lone={line.length === 1}
            d={line.length === 1 ? `${pathOf(line)}h0.01` : pathOf(line)}
          />
        )),
      )}
    </>
  );
}

function Calls({ points, width }: PartProps) {
  const top = topOf(
    largest(points, ({ calls }) => calls),
    1,
  );
  const step = width / Math.max(1, points.length);
  const base = bottom;
  return (
    <>
      <Rule y={bottom - plot.calls} width={width} isTop>
        {top.toLocaleString('en')}
      </Rule>
      <Rule y={bottom} width={width}>
        0
      </Rule>
      {points.map(({ at, stats }, index) => {
        if (stats.calls === 0) return null;
        const height = Math.max(2, (plot.calls * stats.calls) / top);
        const failed = stats.errors === 0 ? 0 : Math.max(2, (plot.calls * stats.errors) / top);
        const bar = { x: index * step + 0.5, width: Math.max(1, step - 1) };
        return (
          <g key={at}>
            <rect className={classes.calls} {...bar} y={base - height} height={height} rx={1} />
            {failed > 0 && (
              <rect className={chart.failed} {...bar} y={base - failed} height={failed} rx={1} />
            )}
          </g>
        );
      })}
    </>
  );
}

interface RuleProps {
  readonly y: number;
  readonly width: number;
  readonly isTop?: boolean;
  readonly children: string;
}

function Rule({ y, width, isTop = false, children }: RuleProps) {
  return (
    <g transform={`translate(0 ${y + 0.5})`}>
      <line className={chart.grid} x1={0} x2={width} />
      <text className={chart.axis} x={-8} y={isTop ? 9 : 3} textAnchor="end">
        {children}
      </text>
    </g>
  );
}

function pathOf(line: readonly Position[]): string {
  return line.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}
