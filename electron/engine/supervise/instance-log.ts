import type { ServerLog } from './contract.ts';
import { maskLogText } from './log-text.ts';
import type { Redact } from './redact.ts';

/** Where an instance's lines stand beside those of its server, so that people find them in one place. */
export interface SharedLog {
  readonly log: ServerLog;
  /** Whose lines they are. */
  readonly label: string;
}

/** The log of an instance: its own, which is its evidence, with every line also in the one of its server. */
export function createInstanceLog(own: ServerLog, redact: Redact, { log, label }: SharedLog): ServerLog {
  return {
    get lines() {
      return own.lines;
    },
    onLines: own.onLines,
    append(stream, text) {
      own.append(stream, text);
      // The other log knows the secrets of its own runs, not of ours.
      const lines = maskLogText(text, redact).split('\n');
      log.append(stream, lines.map((line) => `[${label}] ${line}`).join('\n'));
    },
    clear: () => own.clear(),
    tail: (count, stream) => own.tail(count, stream),
  };
}
