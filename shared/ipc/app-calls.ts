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
  /** All that the window mirrors, for its first paint; events keep it fresh from then on. */
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
  /** Puts connection details on the clipboard from the main process, so that the token never reaches the window. */
  'app.copyConnection': {
    input: z.object({ what: z.enum(['url', 'token', 'http-json', 'bridge-json']) }),
    output: nothing,
  },
  'app.copyText': { input: z.object({ text: z.string().max(4_000_000) }), output: nothing },
  'app.openExternal': { input: z.object({ url: z.string() }), output: nothing },
  'app.openDataFolder': { input: nothing, output: nothing },
  'app.openConfigFile': { input: nothing, output: nothing },
  /** Puts the last good config in the place of a broken file, of which a copy is kept; `undoId` takes it back. */
  'app.restoreConfig': { input: nothing, output: z.object({ undoId: z.string() }) },
  'app.undoRestoreConfig': { input: z.object({ undoId: z.string() }), output: nothing },
  /**
   * The data folder is another hub's that runs without a window: ends that one once its calls have ended, and starts
   * ours. Rejects where it stays; how our start ends shows in the hub's problems.
   */
  'app.takeOver': { input: nothing, output: nothing },
  /** What a quit would cut now. */
  'app.quitPlan': { input: nothing, output: quitPlanSchema },
  /**
   * `drain` lets the calls under way end first, for at most 30 s, and takes no new ones. With `stayOff` no client starts
   * Patchbay again before a person does.
   */
  'app.quit': {
    input: z.object({ how: z.enum(['now', 'drain']), stayOff: z.boolean().optional() }),
    output: nothing,
  },
  /** Calls a quit off that lets calls end first: new ones are taken again. */
  'app.stay': { input: nothing, output: nothing },
  /** Closes the window and serves on in the tray. */
  'app.closeWindow': { input: nothing, output: nothing },
} as const satisfies IpcRows;
