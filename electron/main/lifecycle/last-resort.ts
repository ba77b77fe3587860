import type { Logger } from '../../engine/engine.ts';

/**
 * Logs uncaught faults and continues. Electron's default is a dialog that blocks the whole process, and with
 * it every client's connection, until someone closes it; nobody may be there.
 */
export function installCrashHandlers(program: Pick<NodeJS.Process, 'on'>, logger: Logger): void {
  program.on('uncaughtException', (error) => logger.log('error', 'Uncaught exception.', { error }));
  program.on('unhandledRejection', (error) => logger.log('error', 'Unhandled rejection.', { error }));
}
