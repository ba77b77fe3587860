export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Where a program's own log goes. `data` must not hold secrets: redaction is a net, not a licence. */
export interface Logger {
  log(level: LogLevel, message: string, data?: Readonly<Record<string, unknown>>): void;
}

export const silentLogger: Logger = { log: () => {} };
