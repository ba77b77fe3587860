/** Formats `today`, `yesterday`, `5 days ago`, for dates without a time. */
export function formatDay(at: number, now: number): string {
  const days = dayNumber(now) - dayNumber(at);
  return words.format(-Math.max(0, days), 'day');
}

/** Returns the local calendar day; days of clock changes count like any other. */
function dayNumber(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
}

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
