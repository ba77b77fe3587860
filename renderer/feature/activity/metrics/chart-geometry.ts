import type { CallStats, MetricsSummary } from '../../../../shared/model/metrics.ts';

export type MetricsPoint = MetricsSummary['points'][number];
export type Percentile = 'p50' | 'p95' | 'p99';

export interface Position {
  readonly x: number;
  readonly y: number;
}

export interface Box {
  readonly width: number;
  readonly height: number;
}

/** Rounds up to the next of 1, 2, 5, 10, 20, 50… */
export function topOf(value: number, min: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, min)));
  return power * ([1, 2, 5].find((step) => value <= step * power) ?? 10);
}

export function largest(points: readonly MetricsPoint[], of: (stats: CallStats) => number): number {
  return points.reduce((max, { stats }) => Math.max(max, of(stats)), 0);
}

/** Returns one line for each stretch of points with calls. */
export function segments(
  points: readonly MetricsPoint[],
  which: Percentile,
  { width, height }: Box,
  top: number,
): readonly (readonly Position[])[] {
  const step = width / Math.max(1, points.length);
  const lines: Position[][] = [];
  let isBroken = true;
  points.forEach(({ stats }, index) => {
    if (stats.calls > 0) {
      const position = { x: (index + 0.5) * step, y: height * (1 - stats[which] / top) };
      if (isBroken) lines.push([position]);
      else lines.at(-1)?.push(position);
    }
    isBroken = stats.calls === 0;
  });
  return lines;
}

/** Returns the index of the point at a horizontal position. */
export function pointIndexAt(x: number, count: number, width: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor((x / width) * count)));
}
