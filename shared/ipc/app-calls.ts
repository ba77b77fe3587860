import { z } from 'zod';
import { quitPlanSchema } from '../model/activity/call.ts';
import { clientViewSchema } from '../model/client/client.ts';
import { hubViewSchema } from '../model/hub/hub.ts';
import { serverViewSchema } from '../model/server/server.ts';
import { toolSummarySchema } from '../model/tool/tool.ts';
import { key, nothing } from '../operations/parts.ts';
import { settingsPatchSchema, settingsSchema } from '../schema/settings.ts';

/** Calls about the app and its window, one row each; see `contract.ts`. */
export const appCalls = {
  /** Returns all that the window mirrors, for its first paint; events keep it up to date from then on. */
  'state.get': {
    input: nothing,
    output: z.object({
      hub: hubViewSchema,
      servers: z.array(serverViewSchema).readonly(),
      tools: z.array(toolSummarySchema).readonly(),
      clients: z.array(clientViewSchema).readonly(),
      settings: settingsSchema,
    }),
  },
  'settings.set': { input: settingsPatchSchema, output: settingsSchema },
  /**
   * Copies connection details to the clipboard in the main process, so that the token never reaches the
   * window.
   */
  'app.copyConnection': {
    input: z.object({ what: z.enum(['url', 'token', 'http-json', 'bridge-json']) }),
    output: nothing,
  },
  'app.copyText': { input: z.object({ text: z.string().max(4_000_000) }), output: nothing },
  'app.openExternal': { input: z.object({ url: z.string() }), output: nothing },
  'app.openDataFolder': { input: nothing, output: nothing },
  'app.openConfigFile': { input: nothing, output: nothing },
  /** Opens the browser for a sign-in to a remote server; the view's `auth` shows the progress. */
  'app.signIn': { input: key, output: nothing },
  /** Puts the address of the sign-in in progress on the clipboard, for another browser. */
  'app.copySignInLink': { input: key, output: nothing },
  /**
   * Ends a hub without a window that owns the data folder once its calls have ended, and starts
   * ours. Rejects where it stays; the outcome of our start shows in the hub's problems.
   */
  'app.takeOver': { input: nothing, output: nothing },
  /** Lists what quitting now would interrupt. */
  'app.quitPlan': { input: nothing, output: quitPlanSchema },
  /**
   * `drain` lets active calls end first, for at most 30 s, and takes no new ones. With `stayOff` no client starts
   * Patchbay again before a person does.
   */
  'app.quit': {
    input: z.object({ how: z.enum(['now', 'drain']), stayOff: z.boolean().optional() }),
    output: nothing,
  },
  /** Cancels a quit that lets calls end first: new ones are taken again. */
  'app.stay': { input: nothing, output: nothing },
  /** Closes the window and keeps serving from the tray. */
  'app.closeWindow': { input: nothing, output: nothing },
};
