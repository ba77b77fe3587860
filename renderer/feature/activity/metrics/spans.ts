const hour = 3_600_000;
const day = 24 * hour;

/** Periods to choose from and the number of points each has: minutes, quarter hours, 2 hours, half days. */
export const spans = [
  { label: '1 h', milliseconds: hour, points: 60 },
  { label: '24 h', milliseconds: day, points: 96 },
  { label: '7 d', milliseconds: 7 * day, points: 84 },
  { label: '30 d', milliseconds: 30 * day, points: 60 },
] as const;

export function pointsOf(span: number): number {
  return spans.find(({ milliseconds }) => milliseconds === span)?.points ?? 60;
}
