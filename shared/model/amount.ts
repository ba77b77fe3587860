const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes with at most three digits: `0 B`, `84 MB`, `1.2 GB`. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)));
  const value = Math.max(0, bytes) / 1024 ** power;
  const digits = power > 0 && value < 10 ? 1 : 0;
  return `${value.toFixed(digits)} ${units[power]}`;
}

/** A count with its noun: `1 tool`, `12 tools`, `2 entries` when a plural is given. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  // What needs no commas needs no locale either: the first one takes a program some milliseconds and 2 MB.
  const digits = Math.abs(count) < 1_000 ? String(count) : count.toLocaleString('en');
  return `${digits} ${count === 1 ? noun : plural}`;
}
