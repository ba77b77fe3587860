import { z } from 'zod';
import { quitPlanSchema } from '../model/call.ts';
import { clientViewSchema } from '../model/client.ts';
import { hubViewSchema } from '../model/hub.ts';
import { serverViewSchema } from '../model/server.ts';
import { toolSummarySchema } from '../model/tool.ts';
import { settingsPatchSchema, settingsSchema } from '../schema/settings.ts';
import { type IpcRows, nothing } from './parts.ts';

/** Calls about the app and its window, one row each; see `contract.ts`. */
export const appCalls = {
  /** Everything that the window mirrors, for its first paint; events keep it up to date. */
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
  /**
   * Replaces a broken config file with the last good config and keeps a copy of the broken one; `undoId`
   * reverts this.
   */
  'app.restoreConfig': { input: nothing, output: z.object({ undoId: z.string() }) },
  'app.undoRestoreConfig': { input: z.object({ undoId: z.string() }), output: nothing },
  /**
   * For when another hub without a window owns the data folder: stops it once its calls have ended, then
   * starts ours. Rejects if it does not stop; a failed start of ours shows in the hub's problems.
   */
  'app.takeOver': { input: nothing, output: nothing },
  /** Calls and clients that quitting now would interrupt. */
  'app.quitPlan': { input: nothing, output: quitPlanSchema },
  /**
   * `drain` lets active calls finish first, for at most 30 s, and accepts no new ones. With `stayOff`, no
   * client starts Patchbay again until a person does.
   */
  'app.quit': {
    input: z.object({ how: z.enum(['now', 'drain']), stayOff: z.boolean().optional() }),
    output: nothing,
  },
  /** Cancels a draining quit: new calls are accepted again. */
  'app.stay': { input: nothing, output: nothing },
  /** Closes the window; the app keeps serving from the tray. */
  'app.closeWindow': { input: nothing, output: nothing },
} as const satisfies IpcRows;
