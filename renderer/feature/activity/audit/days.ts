/** Returns the local day as a date field writes it: `2026-11-28`. */
export function dayOf(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Returns the first millisecond of the day; undefined for an empty or invalid day. */
export function startOfDay(day: string): number | undefined {
  return parse(day, '00:00:00.000');
}

/** Returns the last millisecond of the day. */
export function endOfDay(day: string): number | undefined {
  return parse(day, '23:59:59.999');
}

function parse(day: string, time: string): number | undefined {
  const at = new Date(`${day}T${time}`).getTime();
  return Number.isNaN(at) ? undefined : at;
}
