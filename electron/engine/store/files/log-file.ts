import { Writable } from 'node:stream';
import pino from 'pino';
import { createStream } from 'rotating-file-stream';
import type { Logger } from '../../base/logger.ts';
import { redact, redactText } from '../../base/mask/redact-log.ts';
import { isWritableFolder } from './private-folder.ts';

export interface LogFile extends Logger {
  /** Resolves when all lines have been written, or after a second. */
  close(): Promise<void>;
}

/**
 * Opens the program's own log: rotated files in `folder`, with secrets redacted. Logs nothing if the folder
 * is not writable.
 */
export function openLogFile(folder: string): LogFile {
  const stream = openStream(folder);
  const output = pino({ level: 'debug', base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
  return {
    log: (level, message, data) => output[level](redact(data ?? {}), redactText(message)),
    close: () => endStream(stream),
  };
}

function openStream(folder: string): Writable {
  // The file stream would wait forever for a folder that cannot be created.
  if (!isWritableFolder(folder)) return new Writable({ write: (_chunk, _encoding, done) => done() });
  const stream = createStream('patchbay.log', { path: folder, size: '5M', maxFiles: 5, mode: 0o600 });
  // Stops on a full disk, which the log itself could not report.
  stream.on('error', () => stream.destroy());
  return stream;
}

function endStream(stream: Writable): Promise<void> {
  if (stream.destroyed || stream.writableEnded) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 1_000);
    stream.end(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
