import { type LogFile, type Logger, openLogFile } from '../engine/engine.ts';

/** Into the log of the data folder, as the app writes it, and past whoever is at the terminal. */
export function createServeLog(folder: string, shown: Logger): LogFile {
  const file = openLogFile(folder);
  return {
    log(level, message, data) {
      file.log(level, message, data);
      shown.log(level, message, data);
    },
    close: file.close,
  };
}
