import type { Writable } from 'node:stream';
import type { Logger, LogLevel } from '../engine/base/logger.ts';
import { printableLines } from '../engine/base/printable.ts';
import { redact, redactText } from '../engine/base/redact-log.ts';

/** A logger for commands: a line each, warnings and errors only unless `debug` is on (FR-015), secrets taken out. */
export function createStderrLogger(debug: boolean, stream: Writable = process.stderr): Logger {
  return {
    log(level, message, data) {
      if (!debug && !alwaysShown.has(level)) return;
      const details = data === undefined || !debug ? '' : ` ${JSON.stringify(redact(data))}`;
      stream.write(`${printableLines(`${level}: ${redactText(message)}${details}`)}\n`);
    },
  };
}

const alwaysShown: ReadonlySet<LogLevel> = new Set(['warn', 'error']);
