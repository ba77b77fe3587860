import type { ReactNode } from 'react';
import type { HealthSample } from '../../../../shared/model/server/health.ts';
import { formatMilliseconds } from '../../../lib/text/format-time.ts';
import chart from '../../../ui/chart.module.css';
import { type ChartRange, columnOf, type Point, responseLines } from './chart-geometry.ts';
import classes from './health-chart.module.css';

/** Sizes in pixels: response time at the top, then a status strip, failed calls and the time axis. */
export const plotSize = { left: 44, plot: 92, strip: 4, gap: 14, errors: 24, axis: 20 } as const;

const bottom = plotSize.plot + plotSize.gap + plotSize.errors;

interface ChartPlotProps {
  readonly samples: readonly HealthSample[];
  readonly range: ChartRange;
  /** Width of the plot, without the axis labels. */
  readonly width: number;
  /** Rendered behind the lines. */
  readonly children?: ReactNode;
}

/** Draws the chart. Hidden from screen readers, which get the same in words. */
export function ChartPlot({ samples, range, width, children }: ChartPlotProps) {
  return (
    <svg
      aria-hidden="true"
      className={chart.chart}
      width={width + plotSize.left}
      height={bottom + plotSize.axis}
    >
      <defs>
        <pattern
          id="no-answer"
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="2" height="6" className={classes.hatch} />
        </pattern>
      </defs>
      <Scale top={range.top} width={width} />
      <g transform={`translate(${plotSize.left} 0)`}>
        {children}
        <NoAnswer samples={samples} range={range} width={width} />
        <Response samples={samples} range={range} width={width} />
        <Strip samples={samples} range={range} width={width} />
        <FailedCalls samples={samples} range={range} width={width} />
        <Times minutes={range.minutes} width={width} />
      </g>
    </svg>
  );
}

type PartProps = Omit<ChartPlotProps, 'children'>;

function Scale({ top, width }: { top: number; width: number }) {
  return (
    <>
      {[1, 0.5, 0].map((part) => (
        <g key={part} transform={`translate(0 ${plotSize.plot * (1 - part) + 0.5})`}>
          <line className={chart.grid} x1={plotSize.left} x2={plotSize.left + width} />
          <text className={chart.axis} x={plotSize.left - 8} y={part === 1 ? 9 : 3} textAnchor="end">
            {part === 0 ? '0' : formatMilliseconds(top * part)}
          </text>
        </g>
      ))}
      <text className={chart.axis} x={plotSize.left - 8} y={bottom - 3} textAnchor="end">
        failed
      </text>
      <line
        className={chart.grid}
        x1={plotSize.left}
        x2={plotSize.left + width}
        y1={bottom + 0.5}
        y2={bottom + 0.5}
      />
    </>
  );
}

function Response({ samples, range, width }: PartProps) {
  const lines = responseLines(samples, range, { width, height: plotSize.plot });
  return lines.map((line) => (
    <g key={line[0]?.x ?? 0}>
      <path
        className={classes.area}
        d={`${pathOf(line)}L${line.at(-1)?.x} ${plotSize.plot}L${line[0]?.x} ${plotSize.plot}Z`}
      />
      <path className={chart.line} d={line.length === 1 ? `${pathOf(line)}h0.01` : pathOf(line)} />
    </g>
  ));
}

function NoAnswer({ samples, range, width }: PartProps) {
  return samples
    .filter(({ status }) => status === 'down')
    .map((sample) => (
      <rect
        key={sample.at}
        {...columnOf(sample, range, width)}
        height={plotSize.plot}
        fill="url(#no-answer)"
      />
    ));
}

/** Draws one mark per span, coloured by its status. */
function Strip({ samples, range, width }: PartProps) {
  return samples.map((sample) => {
    const column = columnOf(sample, range, width);
    return (
      <rect
        key={sample.at}
        className={classes.mark}
        data-status={sample.status}
        x={column.x}
        width={Math.max(1, column.width - 1)}
        y={plotSize.plot + 4}
        height={plotSize.strip}
        rx={1}
      />
    );
  });
}

function FailedCalls({ samples, range, width }: PartProps) {
  return samples
    .filter(({ errors, calls }) => errors > 0 && calls > 0)
    .map((sample) => {
      const height = Math.max(3, (plotSize.errors * sample.errors) / sample.calls);
      const column = columnOf(sample, range, width);
      return (
        <rect
          key={sample.at}
          className={chart.failed}
          x={column.x}
          width={Math.max(1, column.width - 1)}
          y={bottom - height}
          height={height}
          rx={1}
        />
      );
    });
}

function Times({ minutes, width }: { minutes: number; width: number }) {
  return [1, 2 / 3, 1 / 3, 0].map((part) => (
    <text
      key={part}
      className={chart.axis}
      x={width * (1 - part)}
      y={bottom + 15}
      textAnchor={part === 1 ? 'start' : part === 0 ? 'end' : 'middle'}
    >
      {part === 0 ? 'now' : `${Math.round(minutes * part)} min ago`}
    </text>
  ));
}

function pathOf(points: readonly Point[]): string {
  return points
    .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join('');
}
