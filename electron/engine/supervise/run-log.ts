import type { LogLine } from '../../../shared/model/server.ts';
import type { ServerLog } from './contract.ts';
import type { Redact } from './redact.ts';

/** A server's log as one run of it writes and reads it. */
export interface RunLog {
  append(stream: LogLine['stream'], text: string): void;
  /** The last lines of this run, without blank ones: what an earlier one said proves nothing. */
  tail(count: number, stream: LogLine['stream']): readonly string[];
}

/** Secrets are replaced before anything is kept. */
export function createRunLog(log: ServerLog, redact: Redact): RunLog {
  const heard = new Map<LogLine['stream'], number>();
  return {
    append(stream, text) {
      const redacted = redact(text);
      const lines = redacted.split('\n').filter((line) => line.trim() !== '').length;
      heard.set(stream, (heard.get(stream) ?? 0) + lines);
      log.append(stream, redacted);
    },
    tail: (count, stream) => log.tail(Math.min(count, heard.get(stream) ?? 0), stream),
  };
}
