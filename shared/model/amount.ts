const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** Formats bytes with at most three digits: `0 B`, `84 MB`, `1.2 GB`. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)));
  const value = Math.max(0, bytes) / 1024 ** power;
  const digits = power > 0 && value < 10 ? 1 : 0;
  return `${value.toFixed(digits)} ${units[power]}`;
}

/** Formats a count with its noun: `1 tool`, `12 tools`; `2 entries` with an explicit plural. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  // Numbers without thousands separators avoid loading a locale, which costs some milliseconds and 2 MB the
  // first time.
  const digits = Math.abs(count) < 1_000 ? String(count) : count.toLocaleString('en');
  return `${digits} ${count === 1 ? noun : plural}`;
}
