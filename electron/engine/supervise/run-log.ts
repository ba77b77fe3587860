import type { LogLine } from '../../../shared/model/server.ts';
import type { ServerLog } from './contract.ts';
import { maskLogText } from './log-text.ts';
import type { Redact } from './redact.ts';

/** A server's log, as one of its processes writes and reads it. */
export interface RunLog {
  append(stream: LogLine['stream'], text: string): void;
  /**
   * Returns the last non-blank lines of this process only: output of another one proves nothing. Only a few
   * are stored.
   */
  tail(count: number, stream: LogLine['stream']): readonly string[];
}

/** Masks secrets before anything is stored. */
export function createRunLog(log: ServerLog, redact: Redact): RunLog {
  const last = new Map<LogLine['stream'], readonly string[]>();
  return {
    append(stream, text) {
      const redacted = maskLogText(text, redact);
      const lines = redacted.split('\n').filter((line) => line.trim() !== '');
      const stored = lines.slice(-maxLines).map((line) => line.slice(0, maxLineLength));
      last.set(stream, [...(last.get(stream) ?? []), ...stored].slice(-maxLines));
      log.append(stream, redacted);
    },
    tail: (count, stream) => (last.get(stream) ?? []).slice(-count),
  };
}

const maxLines = 60;
const maxLineLength = 2_000;
