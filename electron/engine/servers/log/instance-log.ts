import type { ServerLog } from '../contract.ts';
import { maskLogText } from './log-text.ts';
import type { Redact } from './redact.ts';

/** Log of the server, which also gets the instance's lines, so that people find all lines in one place. */
export interface SharedLog {
  readonly log: ServerLog;
  /** Label of the instance. */
  readonly label: string;
}

/** Creates the log of an instance: its own lines, as evidence, are also written to the log of its server. */
export function createInstanceLog(own: ServerLog, redact: Redact, { log, label }: SharedLog): ServerLog {
  return {
    get lines() {
      return own.lines;
    },
    onLines: own.onLines,
    append(stream, text) {
      own.append(stream, text);
      // The other log masks the secrets of its own processes only, not ours.
      const lines = maskLogText(text, redact).split('\n');
      log.append(stream, lines.map((line) => `[${label}] ${line}`).join('\n'));
    },
    clear: () => own.clear(),
    tail: (count, stream) => own.tail(count, stream),
  };
}
