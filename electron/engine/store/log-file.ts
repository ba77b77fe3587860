import { accessSync, constants, mkdirSync } from 'node:fs';
import { Writable } from 'node:stream';
import pino from 'pino';
import { createStream } from 'rotating-file-stream';
import type { Logger } from '../base/logger.ts';
import { redact, redactText } from '../base/redact-log.ts';

export interface LogFile extends Logger {
  /** Resolves when all lines so far are in the file, or after a second. */
  close(): Promise<void>;
}

/** A program's own log: rotated files in `folder`, secrets taken out. Where nothing can be written it is silent. */
export function openLogFile(folder: string): LogFile {
  const stream = openStream(folder);
  const output = pino({ level: 'debug', base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
  return {
    log: (level, message, data) => output[level](redact(data ?? {}), redactText(message)),
    close: () => endStream(stream),
  };
}

function openStream(folder: string): Writable {
  if (!isWritableFolder(folder)) return new Writable({ write: (_chunk, _encoding, done) => done() });
  const stream = createStream('patchbay.log', { path: folder, size: '5M', maxFiles: 5, mode: 0o600 });
  // A full disk: the log is what would tell of it.
  stream.on('error', () => stream.destroy());
  return stream;
}

/** The file stream itself would wait for ever for a folder that cannot be made. */
function isWritableFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function endStream(stream: Writable): Promise<void> {
  if (stream.destroyed || stream.writableEnded) return Promise.resolve();
  return new Promise((resolve) => {
    const limit = setTimeout(resolve, 1_000);
    stream.end(() => {
      clearTimeout(limit);
      resolve();
    });
  });
}
