import { z } from 'zod';
import { appUpdateSchema } from '../model/hub/app-update.ts';
import { nothing } from '../operations/parts.ts';

/** Calls about app updates, one row each; see `contract.ts`. Each returns the resulting update state. */
export const updateCalls = {
  /** Initial state; `update.changed` events update it. */
  'update.get': { input: nothing, output: appUpdateSchema },
  /** Asks the update server. A failure is a result, not a rejection. */
  'update.check': { input: nothing, output: appUpdateSchema },
  /** Starts the download of the available update; the event reports the end. */
  'update.download': { input: nothing, output: appUpdateSchema },
  'update.cancelDownload': { input: nothing, output: appUpdateSchema },
  /**
   * Stops the hub and its servers, replaces the app with the downloaded version and starts it again.
   * Interrupts the same calls as a quit (`app.quitPlan`), so the window asks first. Rejects with
   * `app.update_failed` if it is certain to fail.
   */
  'update.install': { input: z.object({ how: z.enum(['now', 'drain']) }), output: appUpdateSchema },
};

export const updateEvents = { 'update.changed': appUpdateSchema } as const;
