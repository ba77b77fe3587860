import type { Logger } from '../../engine/engine.ts';

/**
 * Notes faults nobody has caught and goes on. Electron's own answer is a dialog that stops the whole process until
 * somebody closes it, and with it every client's connection; nobody may be there.
 */
export function surviveFaults(program: Pick<NodeJS.Process, 'on'>, logger: Logger): void {
  program.on('uncaughtException', (error) => logger.log('error', 'A fault nobody caught.', { error }));
  program.on('unhandledRejection', (error) => logger.log('error', 'A rejection nobody handled.', { error }));
}
