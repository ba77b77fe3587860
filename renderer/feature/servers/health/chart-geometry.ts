import type { HealthSample } from '../../../../shared/model/health.ts';
import { shownHistoryMs } from './health-store.ts';

/** The time range and scale of a chart. */
export interface ChartRange {
  readonly from: number;
  readonly to: number;
  readonly minutes: number;
  /** Milliseconds per span. */
  readonly span: number;
  /** Top of the scale, in milliseconds of response time. */
  readonly top: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export function chartRange(samples: readonly HealthSample[], now: number): ChartRange {
  const to = Math.max(now, samples.at(-1)?.at ?? 0);
  const slowest = Math.max(0, ...samples.map(({ responseMs }) => responseMs ?? 0));
  const span = spanOf(samples);
  const length = to - ((samples[0]?.at ?? to) - span);
  const minutes = shortRanges.find((one) => length <= one * minute) ?? shownHistoryMs / minute;
  return { from: to - minutes * minute, to, minutes, span, top: roundUp(slowest) };
}

const minute = 60_000;

/** Minutes shown while the history is short; each can be divided by three for the axis. */
const shortRanges = [6, 12];

/** Returns where a span starts and how wide it is; its start may lie before the chart. */
export function columnOf(
  { at }: HealthSample,
  range: ChartRange,
  width: number,
): { x: number; width: number } {
  const begin = Math.max(0, scale(at - range.span, range, width));
  return { x: begin, width: Math.max(1, scale(at, range, width) - begin) };
}

/** Returns one response-time line for each stretch without a gap. */
export function responseLines(
  samples: readonly HealthSample[],
  range: ChartRange,
  size: Size,
): readonly (readonly Point[])[] {
  const lines: Point[][] = [];
  let before: number | undefined;
  for (const { at, responseMs } of samples) {
    if (responseMs === undefined) continue;
    const point = {
      x: scale(at - range.span / 2, range, size.width),
      y: size.height * (1 - responseMs / range.top),
    };
    const line = lines.at(-1);
    if (line === undefined || before === undefined || at - before > range.span * 1.9) lines.push([point]);
    else line.push(point);
    before = at;
  }
  return lines;
}

/** Returns the index of the span nearest to a horizontal position. */
export function sampleAt(
  x: number,
  samples: readonly HealthSample[],
  range: ChartRange,
  width: number,
): number {
  const time = range.from + (x / width) * (range.to - range.from);
  const distances = samples.map(({ at }) => Math.abs(at - range.span / 2 - time));
  return distances.indexOf(Math.min(...distances));
}

function scale(at: number, { from, to }: ChartRange, width: number): number {
  return ((at - from) / (to - from)) * width;
}

/** Returns the interval between spans; half a minute while there is only one. */
function spanOf(samples: readonly HealthSample[]): number {
  const gaps = samples.slice(1).map(({ at }, index) => at - (samples[index]?.at ?? at));
  return gaps.length === 0 ? 30_000 : Math.max(1_000, Math.min(...gaps));
}

/** Rounds up to the next of 1, 2, 5, 10, 20, 50… */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 10)));
  return power * ([1, 2, 5].find((step) => value <= step * power) ?? 10);
}
