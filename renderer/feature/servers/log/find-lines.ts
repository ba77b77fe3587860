import type { LogLine } from '../../../../shared/model/server.ts';

export type LogStream = LogLine['stream'];

/** The lines of the chosen streams; all of them when none is chosen. */
export function linesOfStreams(
  lines: readonly LogLine[],
  streams: ReadonlySet<LogStream>,
): readonly LogLine[] {
  return streams.size === 0 ? lines : lines.filter((line) => streams.has(line.stream));
}

/** Indexes of the lines that hold the text, in any case. */
export function findLines(lines: readonly LogLine[], query: string): readonly number[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  return lines.flatMap((line, index) => (line.text.toLowerCase().includes(wanted) ? [index] : []));
}

/** The hit after (or before) another one, round the ends. */
export function stepHit(current: number, count: number, step: 1 | -1): number {
  return count === 0 ? 0 : (current + step + count) % count;
}

/** Lines as plain text, for the clipboard. */
export function linesText(lines: readonly LogLine[]): string {
  return lines.map((line) => `${new Date(line.at).toISOString()} ${line.stream} ${line.text}`).join('\n');
}
