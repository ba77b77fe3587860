import { z } from 'zod';
import type { Problem } from '../error/problem.ts';
import { problemSchema } from '../error/problem-schema.ts';
import { quitPlanSchema } from '../model/activity/call.ts';
import { connectIdSchema } from '../model/client/connect.ts';
import { importPreviewSchema } from '../model/import/import-session.ts';
import { hubEvents } from '../operations/events.ts';
import type { OperationName, OperationsBehind } from '../operations/table.ts';
import { isBehind, operations } from '../operations/table.ts';
import { settingsSchema } from '../schema/settings.ts';
import { appCalls } from './app-calls.ts';
import { supportCalls } from './support-calls.ts';
import { updateCalls, updateEvents } from './update-calls.ts';
import { windowCalls } from './window-calls.ts';

/** Calls that the shell around the window answers itself; all others are operations of the hub. */
export const shellCalls = { ...appCalls, ...windowCalls, ...supportCalls, ...updateCalls };

/**
 * Every event pushed to the window. Each carries the changed state itself, so nothing needs to be fetched
 * again.
 */
export const ipcEvents = {
  ...hubEvents,
  'settings.changed': settingsSchema,
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

export type ShellCallName = keyof typeof shellCalls;
export type IpcCallName = ShellCallName | OperationsBehind<'window'>;
export type IpcEventName = keyof typeof ipcEvents;
type Row<N extends IpcCallName> = N extends ShellCallName
  ? (typeof shellCalls)[N]
  : N extends OperationName
    ? (typeof operations)[N]
    : never;
export type IpcInput<N extends IpcCallName> = z.infer<Row<N>['input']>;
export type IpcOutput<N extends IpcCallName> = z.infer<Row<N>['output']>;
export type IpcEvent<N extends IpcEventName> = z.infer<(typeof ipcEvents)[N]>;

/** Returns the row of a call that the window may make; undefined for any other name. */
export function ipcRow(name: string): { readonly input: z.ZodType; readonly output: z.ZodType } | undefined {
  if (Object.hasOwn(shellCalls, name)) return shellCalls[name as ShellCallName];
  return isBehind('window', name) ? operations[name] : undefined;
}

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
