import { z } from 'zod';
import type { Problem } from '../error/problem.ts';
import { problemSchema } from '../error/problem-schema.ts';
import { quitPlanSchema } from '../model/call.ts';
import { clientViewSchema } from '../model/client.ts';
import { connectIdSchema } from '../model/connect.ts';
import { healthSampleSchema } from '../model/health.ts';
import { hubViewSchema } from '../model/hub.ts';
import { importPreviewSchema } from '../model/import-session.ts';
import { logLineSchema, processUsageSchema, serverViewSchema } from '../model/server.ts';
import { toolSummarySchema } from '../model/tool.ts';
import { settingsSchema } from '../schema/settings.ts';
import { accessCalls, accessEvents } from './access-calls.ts';
import { activityCalls, activityEvents } from './activity-calls.ts';
import { appCalls } from './app-calls.ts';
import { auditCalls, auditEvents } from './audit-calls.ts';
import { backupCalls } from './backup-calls.ts';
import { clientCalls } from './client-calls.ts';
import { connectCalls, connectEvents } from './connect-calls.ts';
import { guardCalls, guardEvents } from './guard-calls.ts';
import { importCalls } from './import-calls.ts';
import { limitCalls } from './limit-calls.ts';
import { profileCalls, profileEvents } from './profile-calls.ts';
import { searchCalls, searchEvents } from './search-calls.ts';
import { secretCalls, secretEvents } from './secret-calls.ts';
import { serverCalls } from './server-calls.ts';
import { supportCalls } from './support-calls.ts';
import { testerCalls, testerEvents } from './tester-calls.ts';
import { toolCalls } from './tool-calls.ts';
import { updateCalls, updateEvents } from './update-calls.ts';

/**
 * Every call the window can make, once. Handler, preload and caller types are derived from this table; a new
 * call is one row here and one handler in electron/main. A failed call rejects with a Problem.
 */
export const ipcCalls = {
  ...appCalls,
  ...serverCalls,
  ...toolCalls,
  ...connectCalls,
  ...secretCalls,
  ...importCalls,
  ...testerCalls,
  ...activityCalls,
  ...accessCalls,
  ...guardCalls,
  ...clientCalls,
  ...profileCalls,
  ...limitCalls,
  ...auditCalls,
  ...searchCalls,
  ...supportCalls,
  ...backupCalls,
  ...updateCalls,
};

/**
 * Every event pushed to the window. Each carries the changed state itself, so nothing needs to be fetched
 * again.
 */
export const ipcEvents = {
  'hub.changed': hubViewSchema,
  /** Changed servers, complete, and the order of all keys, so that the window can drop removed ones. */
  'servers.changed': z.object({
    servers: z.array(serverViewSchema).readonly(),
    order: z.array(z.string()).readonly(),
  }),
  /** The complete tool lists of the named servers. */
  'tools.changed': z.object({ tools: z.record(z.string(), z.array(toolSummarySchema).readonly()) }),
  'clients.changed': z.object({ clients: z.array(clientViewSchema).readonly() }),
  'settings.changed': settingsSchema,
  'server.log': z.object({ key: z.string(), lines: z.array(logLineSchema).readonly() }),
  /** New samples in a watched server's history. */
  'server.health': z.object({ key: z.string(), samples: z.array(healthSampleSchema).readonly() }),
  'process.usage': z.object({ usage: z.array(processUsageSchema).readonly() }),
  ...connectEvents,
  ...secretEvents,
  ...testerEvents,
  ...activityEvents,
  ...accessEvents,
  ...guardEvents,
  ...profileEvents,
  ...auditEvents,
  ...searchEvents,
  ...updateEvents,
  /** A command chosen outside the window (tray, menu, second launch). */
  'command.run': z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('open-view'),
      view: z.enum(['servers', 'tools', 'activity', 'clients', 'settings']),
    }),
    z.object({ kind: z.literal('open-server'), key: z.string() }),
    /** Opens a server's quarantined tools for review. */
    z.object({ kind: z.literal('review-tools'), key: z.string() }),
    /** Opens the preview of a change to a client's config. */
    z.object({ kind: z.literal('connect-client'), id: connectIdSchema }),
    /** Opens the calls that wait for approval. */
    z.object({ kind: z.literal('show-approvals') }),
    /** Asks for confirmation first. */
    z.object({ kind: z.literal('turn-all-servers'), enabled: z.boolean() }),
    z.object({ kind: z.literal('add-server') }),
    z.object({ kind: z.literal('paste-server') }),
    /** Shows what a link would add, for the user to decide. */
    z.object({ kind: z.literal('show-import'), preview: importPreviewSchema }),
    z.object({ kind: z.literal('refuse-link'), problem: problemSchema }),
    z.object({ kind: z.literal('open-palette') }),
    /** Shows the app's version and available updates. */
    z.object({ kind: z.literal('open-about') }),
    /** Asks before quitting, for a quit from outside the window while clients are connected. */
    z.object({ kind: z.literal('confirm-quit'), plan: quitPlanSchema }),
  ]),
} as const satisfies Record<string, z.ZodType>;

export type IpcCallName = keyof typeof ipcCalls;
export type IpcEventName = keyof typeof ipcEvents;
export type IpcInput<N extends IpcCallName> = z.infer<(typeof ipcCalls)[N]['input']>;
export type IpcOutput<N extends IpcCallName> = z.infer<(typeof ipcCalls)[N]['output']>;
export type IpcEvent<N extends IpcEventName> = z.infer<(typeof ipcEvents)[N]>;

/** The main process's answer to a call: the value, or the problem that stopped it. */
export type IpcAnswer<N extends IpcCallName> =
  | { readonly ok: true; readonly value: IpcOutput<N> }
  | { readonly ok: false; readonly problem: Problem };

/** Exposed by preload as `window.patchbay`: derived from the tables, nothing written by hand per call. */
export interface PatchbayBridge {
  call<N extends IpcCallName>(name: N, input: IpcInput<N>): Promise<IpcAnswer<N>>;
  /** Returns the unsubscribe function. */
  on<N extends IpcEventName>(name: N, listener: (event: IpcEvent<N>) => void): () => void;
  /** Returns the path of a `File` dropped on the window; empty if it is not on disk. */
  pathOf(file: object): string;
}
