import type { LogLine } from '../../../../shared/model/server/server.ts';

export type LogStream = LogLine['stream'];

/** Returns the lines of the chosen streams; all if none is chosen. */
export function linesOfStreams(
  lines: readonly LogLine[],
  streams: ReadonlySet<LogStream>,
): readonly LogLine[] {
  return streams.size === 0 ? lines : lines.filter((line) => streams.has(line.stream));
}

/** Returns the indexes of the lines that contain the text, ignoring case. */
export function findLines(lines: readonly LogLine[], query: string): readonly number[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  return lines.flatMap((line, index) => (line.text.toLowerCase().includes(wanted) ? [index] : []));
}

/** Returns the next or previous match, wrapping around. */
export function stepHit(current: number, count: number, step: 1 | -1): number {
  return count === 0 ? 0 : (current + step + count) % count;
}

/** Formats lines as plain text for the clipboard. */
export function linesText(lines: readonly LogLine[]): string {
  return lines.map((line) => `${new Date(line.at).toISOString()} ${line.stream} ${line.text}`).join('\n');
}
