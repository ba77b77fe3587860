import type { Writable } from 'node:stream';
import { printableLines } from '../../../shared/printable.ts';
import type { Logger, LogLevel } from '../../engine/base/logger.ts';
import { redact, redactText } from '../../engine/base/mask/redact-log.ts';

/**
 * Logs to standard error, one line per entry: only warnings and errors unless `debug` is on (FR-015). Secrets
 * are masked.
 */
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
