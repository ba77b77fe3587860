const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * Formats a duration in at most two units: `8 s`, `4 min 12 s`, `3 h 5 min`, `2 d 4 h`. Negative durations
 * count as zero.
 */
export function formatDuration(milliseconds: number): string {
  const length = Math.max(0, milliseconds);
  if (length < minute) return `${Math.floor(length / second)} s`;
  if (length < hour) return pair(length, minute, 'min', second, 's');
  if (length < day) return pair(length, hour, 'h', minute, 'min');
  return pair(length, day, 'd', hour, 'h');
}

function pair(length: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((length % large) / small);
  const head = `${Math.floor(length / large)} ${largeUnit}`;
  return rest === 0 ? head : `${head} ${rest} ${smallUnit}`;
}

/** Formats a short measured time: `84 ms`, `1.8 s`. */
export function formatMilliseconds(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / second).toFixed(milliseconds < 9_950 ? 1 : 0)} s`;
}

/** Formats how long ago a moment was, coarsely: `just now`, `12 s ago`, `5 min ago`, `3 d ago`. */
export function formatAgo(at: number, now: number): string {
  const passed = now - at;
  if (passed < 5 * second) return 'just now';
  if (passed < minute) return `${Math.floor(passed / second)} s ago`;
  if (passed < hour) return `${Math.floor(passed / minute)} min ago`;
  if (passed < day) return `${Math.floor(passed / hour)} h ago`;
  return `${Math.floor(passed / day)} d ago`;
}

/** Formats the time until a moment: `in 4 s`; `now` once it has passed. */
export function formatUntil(at: number, now: number): string {
  return at - now < second ? 'now' : `in ${formatDuration(at - now)}`;
}

/** Formats the time of day with seconds, always the same width: `14:03:09`. */
export function formatClock(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** Formats day and time: `27 Nov 2026, 14:03`. */
export function formatMoment(at: number): string {
  return new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}

/** Formats day and time with seconds, for records: `27 Nov 2026, 14:03:09`. */
export function formatExactMoment(at: number): string {
  return new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
}

/** Formats the time for today, else day and time: `14:03:09`, `27 Nov 14:03`. */
export function formatStamp(at: number, now: number): string {
  return isSameDay(at, now) ? formatClock(at) : dayAndTime(at);
}

/** Formats the same without seconds: `14:03`, `27 Nov 14:03`. */
export function formatSince(at: number, now: number): string {
  return isSameDay(at, now) ? formatClock(at).slice(0, 5) : dayAndTime(at);
}

function dayAndTime(at: number): string {
  const day = new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  return `${day} ${formatClock(at).slice(0, 5)}`;
}

function isSameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}
