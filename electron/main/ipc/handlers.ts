import type { ShellHandlers } from './dispatcher.ts';
import type { HandlerContext } from './handler-context.ts';
import { appHandlers } from './handlers/app-handlers.ts';
import { backupHandlers } from './handlers/backup-handlers.ts';
import { supportHandlers } from './handlers/support-handlers.ts';
import { updateHandlers } from './handlers/update-handlers.ts';
import { windowHandlers } from './handlers/window-handlers.ts';

/** Collects one handler for each call that the shell answers itself. */
export function createHandlers(context: HandlerContext): ShellHandlers {
  return {
    ...appHandlers(context),
    ...supportHandlers(context),
    ...backupHandlers(context),
    ...updateHandlers(context),
    ...windowHandlers(context),
  };
}
