import pino from 'pino';
import { createStream, type RotatingFileStream } from 'rotating-file-stream';
import type { EnginePorts } from '../../engine/engine-contract.ts';
import { redact, redactText } from './redact.ts';

export type Logger = EnginePorts['logger'];

export interface AppLogger extends Logger {
  /** Resolves when all lines so far are in the file. */
  close(): Promise<void>;
}

/** The program's own log: rotated files in `folder`, secrets taken out. A folder that cannot be written costs only the log. */
export function createAppLogger(folder: string): AppLogger {
  const stream = openStream(folder);
  const output = pino({ level: 'debug', base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
  return {
    log: (level, message, data) => output[level](redact(data ?? {}), redactText(message)),
    close: () => (stream.destroyed ? Promise.resolve() : new Promise((resolve) => stream.end(resolve))),
  };
}

function openStream(folder: string): RotatingFileStream {
  const stream = createStream('patchbay.log', {
    path: folder,
    size: '5M',
    maxFiles: 5,
    mode: 0o600,
  });
  // Nowhere is left to report it: the log is the place for that.
  stream.on('error', () => stream.destroy());
  return stream;
}
