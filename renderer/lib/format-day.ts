/** `today`, `yesterday`, `5 days ago`: for what is known by the day only. */
export function formatDay(at: number, now: number): string {
  const days = dayNumber(now) - dayNumber(at);
  return words.format(-Math.max(0, days), 'day');
}

/** Of the calendar here; a day of the change of the clocks is one like the others. */
function dayNumber(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
}

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
