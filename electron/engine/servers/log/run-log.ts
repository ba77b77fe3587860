import type { LogLine } from '../../../../shared/model/server/server.ts';
import type { ServerLog } from '../contract.ts';
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
  const last = new Map<LogLine['stream'], string[]>();
  return {
    append(stream, text) {
      const redacted = maskLogText(text, redact);
      const stored = last.get(stream) ?? [];
      last.set(stream, stored);
      for (const line of redacted.split('\n'))
        if (line.trim() !== '') stored.push(line.slice(0, maxLineLength));
      // Removed in bulk, because a copy for each line of a flood costs as much as masking it.
      if (stored.length > 2 * maxLines) stored.splice(0, stored.length - maxLines);
      log.append(stream, redacted);
    },
    tail: (count, stream) => (last.get(stream) ?? []).slice(-Math.min(count, maxLines)),
  };
}

const maxLines = 60;
const maxLineLength = 2_000;
