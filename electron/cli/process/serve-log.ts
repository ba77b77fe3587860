import { type LogFile, type Logger, openLogFile } from '../../engine/engine.ts';

/** Logs to the data folder, as the app does, and to the terminal. */
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
