export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Destination of a program's own log. `data` must not hold secrets: redaction is only a safety net. */
export interface Logger {
  log(level: LogLevel, message: string, data?: Readonly<Record<string, unknown>>): void;
}

export const silentLogger: Logger = { log: () => {} };
