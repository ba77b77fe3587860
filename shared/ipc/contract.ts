import { z } from 'zod';
import type { Problem } from '../error/problem.ts';
import { quitPlanSchema } from '../model/call.ts';
import { clientViewSchema } from '../model/client.ts';
import { commandExplanationSchema } from '../model/command.ts';
import { healthSampleSchema } from '../model/health.ts';
import { hubViewSchema } from '../model/hub.ts';
import { entryIssueSchema, pastePreviewSchema } from '../model/import.ts';
import { logLineSchema, processUsageSchema, serverViewSchema } from '../model/server.ts';
import { entryTrialSchema } from '../model/server-update.ts';
import { toolDetailSchema, toolSummarySchema } from '../model/tool.ts';
import { settingsPatchSchema, settingsSchema } from '../schema/settings.ts';

const key = z.object({ key: z.string() });
const entry = z.record(z.string(), z.unknown());
const nothing = z.undefined();

/**
 * Every call the window can make, once. Handler, preload and caller types are derived from this table; adding a
 * call is one row here and one handler in electron/main. A call fails with a Problem.
 */
export const ipcCalls = {
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
  'server.setEnabled': { input: key.extend({ enabled: z.boolean() }), output: nothing },
  'server.setAllEnabled': { input: z.object({ enabled: z.boolean() }), output: nothing },
  /** Ends the running process, if any, and starts afresh; also the "try now" of a failed server. */
  'server.restart': { input: key, output: nothing },
  /** Ends the process and keeps its tools listed; the next call starts it. */
  'server.sleep': { input: key, output: nothing },
  /** Checks the health of a running server now; the view's `health` tells the outcome. */
  'server.checkHealth': { input: key, output: nothing },
  /** The short history of its health; from then on `server.health` events follow until `server.unwatchHealth`. */
  'server.watchHealth': {
    input: key,
    output: z.object({ samples: z.array(healthSampleSchema).readonly() }),
  },
  'server.unwatchHealth': { input: key, output: nothing },
  /** Which file a stdio server's command runs and which others it could mean. Asks the programs for their versions. */
  'server.explainCommand': { input: key, output: commandExplanationSchema },
  /** Writes another `command` into the entry: a file to pin it, a plain name to have it looked up again. */
  'server.setCommand': { input: key.extend({ command: z.string().min(1) }), output: nothing },
  /** Starts an entry under edit beside the running server, lists what it offers, and ends it again. */
  'server.tryEntry': { input: key.extend({ text: z.string().max(4_000_000) }), output: entryTrialSchema },
  /** After an `update` that failed: ends the old process and starts the new config all the same. */
  'server.forceUpdate': { input: key, output: nothing },
  /** The `update` has been read. */
  'server.dismissUpdate': { input: key, output: nothing },
  /** Reads the login shell's environment anew; names of variables that are other now. Servers use it from their next start. */
  'environment.reload': { input: nothing, output: z.object({ changed: z.array(z.string()).readonly() }) },
  /** Opens the browser for a sign-in to a remote server; the view's `auth` tells how it goes. */
  'server.signIn': { input: key, output: nothing },
  'server.signOut': { input: key, output: nothing },
  'server.add': {
    input: z.object({ servers: z.array(z.object({ key: z.string(), entry })) }),
    output: nothing,
  },
  /** Replaces an entry, changing only what differs in the file; `newKey` renames it in place. */
  'server.update': { input: key.extend({ newKey: z.string().optional(), entry }), output: nothing },
  /** Returns the key of the copy, which is added right after the original and switched off. */
  'server.duplicate': { input: key, output: key },
  /** Removes an entry; `undoId` puts the exact text back in its old place while the hub runs. */
  'server.remove': { input: key, output: z.object({ undoId: z.string() }) },
  'server.undoRemove': { input: z.object({ undoId: z.string() }), output: nothing },
  /** The entry as it stands in the file: its JSON text with comments, and its parsed value. */
  'server.entry': { input: key, output: z.object({ text: z.string(), entry }) },
  /**
   * Saves the entry's JSON text as typed, comments included. `base` is the text the editing began with: what changed in
   * the file since then is kept, field by field. Where both sides changed a field the answer is the problem
   * `config.changed_meanwhile`, its evidence labelled with the fields; `resolve` then decides them, as far as the file
   * still says what was `seen`. Without `base` the entry is added. Returns the text as it stands in the file now.
   */
  'server.saveText': {
    input: key.extend({
      text: z.string(),
      base: z.string().optional(),
      newKey: z.string().optional(),
      resolve: z.object({ keep: z.enum(['mine', 'theirs']), seen: z.string() }).optional(),
    }),
    output: z.object({ text: z.string() }),
  },
  /** What is wrong with an entry under edit; `text` is JSONC. Nothing is written. */
  'server.validate': {
    input: z.object({ key: z.string(), originalKey: z.string().optional(), text: z.string() }),
    output: z.object({ issues: z.array(entryIssueSchema).readonly(), entry: entry.optional() }),
  },
  'server.parsePaste': { input: z.object({ text: z.string().max(4_000_000) }), output: pastePreviewSchema },
  /** The log kept in memory; from then on `server.log` events follow until `server.unwatchLog`. */
  'server.watchLog': { input: key, output: z.object({ lines: z.array(logLineSchema).readonly() }) },
  'server.unwatchLog': { input: key, output: nothing },
  'server.clearLog': { input: key, output: nothing },
  /** Turns the memory sampler on or off; it costs nothing while off. */
  'process.watch': { input: z.object({ on: z.boolean() }), output: nothing },
  'tool.get': { input: z.object({ serverKey: z.string(), name: z.string() }), output: toolDetailSchema },
  'tool.setEnabled': {
    input: z.object({ serverKey: z.string(), names: z.array(z.string()), enabled: z.boolean() }),
    output: nothing,
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
  /** What a quit would cut now. */
  'app.quitPlan': { input: nothing, output: quitPlanSchema },
  /** `drain` lets the calls under way end first, for at most 30 s, and takes no new ones. */
  'app.quit': { input: z.object({ how: z.enum(['now', 'drain']) }), output: nothing },
  /** Closes the window and serves on in the tray. */
  'app.closeWindow': { input: nothing, output: nothing },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;

/** Every event pushed to the window. Each carries the changed state itself, so nothing is fetched again. */
export const ipcEvents = {
  'hub.changed': hubViewSchema,
  /** Servers that changed, whole; and the order of all keys, so that removed ones are known. */
  'servers.changed': z.object({
    servers: z.array(serverViewSchema).readonly(),
    order: z.array(z.string()).readonly(),
  }),
  /** The complete tool lists of the servers named. */
  'tools.changed': z.object({ tools: z.record(z.string(), z.array(toolSummarySchema).readonly()) }),
  'clients.changed': z.object({ clients: z.array(clientViewSchema).readonly() }),
  'settings.changed': settingsSchema,
  'server.log': z.object({ key: z.string(), lines: z.array(logLineSchema).readonly() }),
  /** Spans that came to a watched server's history. */
  'server.health': z.object({ key: z.string(), samples: z.array(healthSampleSchema).readonly() }),
  'process.usage': z.object({ usage: z.array(processUsageSchema).readonly() }),
  /** A command chosen outside the window (tray, menu, second launch). */
  'command.run': z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('open-view'),
      view: z.enum(['servers', 'tools', 'activity', 'clients', 'settings']),
    }),
    z.object({ kind: z.literal('open-server'), key: z.string() }),
    z.object({ kind: z.literal('add-server') }),
    z.object({ kind: z.literal('open-palette') }),
    /** A quit was asked for outside the window while clients are connected. */
    z.object({ kind: z.literal('confirm-quit'), plan: quitPlanSchema }),
  ]),
} as const satisfies Record<string, z.ZodType>;

export type IpcCallName = keyof typeof ipcCalls;
export type IpcEventName = keyof typeof ipcEvents;
export type IpcInput<N extends IpcCallName> = z.infer<(typeof ipcCalls)[N]['input']>;
export type IpcOutput<N extends IpcCallName> = z.infer<(typeof ipcCalls)[N]['output']>;
export type IpcEvent<N extends IpcEventName> = z.infer<(typeof ipcEvents)[N]>;

/** What the main process answers to a call: the value, or the problem that stopped it. */
export type IpcAnswer<N extends IpcCallName> =
  | { readonly ok: true; readonly value: IpcOutput<N> }
  | { readonly ok: false; readonly problem: Problem };

/** What preload exposes on `window.patchbay`: derived from the tables, nothing by hand per call. */
export interface PatchbayBridge {
  call<N extends IpcCallName>(name: N, input: IpcInput<N>): Promise<IpcAnswer<N>>;
  /** Returns the function that ends the subscription. */
  on<N extends IpcEventName>(name: N, listener: (event: IpcEvent<N>) => void): () => void;
}
