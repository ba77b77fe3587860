import { z } from 'zod';
import { appUpdateSchema } from '../model/app-update.ts';
import { nothing } from '../operations/parts.ts';

/** Calls about newer versions of the app, one row each; see `contract.ts`. Each answers with how it stands then. */
export const updateCalls = {
  /** `update.changed` keeps it fresh. */
  'update.get': { input: nothing, output: appUpdateSchema },
  /** Asks the server of updates. A failure is an answer. */
  'update.check': { input: nothing, output: appUpdateSchema },
  /** Begins to download what was offered; on its end see the event. */
  'update.download': { input: nothing, output: appUpdateSchema },
  'update.cancelDownload': { input: nothing, output: appUpdateSchema },
  /**
   * Stops the hub and its servers, replaces the app by what was downloaded and starts it again. What it cuts is what a quit
   * would (`app.quitPlan`), and is asked about before. Rejects with `app.update_failed` where it is certain to fail.
   */
  'update.install': { input: z.object({ how: z.enum(['now', 'drain']) }), output: appUpdateSchema },
};

export const updateEvents = { 'update.changed': appUpdateSchema } as const;
