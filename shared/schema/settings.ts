import { z } from 'zod';
import { newClientsSchema } from '../model/access/access.ts';
import { chosenLimitsSchema } from '../model/hub/limits.ts';

/** Version of `settings.json` that this program writes; newer files are rejected, not changed. */
export const settingsVersion = 1;

const fields = {
  /** Start with the user's session, hidden in the tray. */
  startAtLogin: z.boolean(),
  /** Closing the window keeps the hub serving in the tray. */
  closeToTray: z.boolean(),
  theme: z.enum(['system', 'light', 'dark']),
  /** Limits that differ from the defaults; see model/limits.ts. Environment variables override them. */
  limits: chosenLimitsSchema,
  /** Record actions and actors in `audit.db`, with secrets removed; see model/audit.ts. */
  audit: z.boolean(),
  /** Port of the HTTP endpoint on 127.0.0.1; fixed, so that written client configs stay valid. */
  port: z.int().min(1024).max(65535),
  /** Record calls and their payloads, within limits and with secrets removed; see model/activity.ts. */
  recordActivity: z.boolean(),
  /** Check for app updates daily. */
  checkUpdates: z.boolean(),
  /**
   * System notifications: failed servers and problems of the hub, sign-ins, tools to review, wiped configs.
   */
  notifyServers: z.boolean(),
  notifySignIn: z.boolean(),
  notifyTools: z.boolean(),
  notifyClients: z.boolean(),
  /** Initial access of new clients. */
  newClients: newClientsSchema,
  /** Ask before destructive tools for all clients, unless a more specific rule decides. */
  askDestructive: z.boolean(),
  /** The first steps were completed or dismissed and are no longer shown. */
  firstStepsDone: z.boolean(),
};

/** App settings with their defaults; also the format of `settings.json`. */
export const settingsSchema = z.object({
  version: z.literal(settingsVersion).default(settingsVersion),
  startAtLogin: fields.startAtLogin.default(false),
  closeToTray: fields.closeToTray.default(true),
  limits: fields.limits.default({}),
  audit: fields.audit.default(true),
  theme: fields.theme.default('system'),
  port: fields.port.default(7420),
  recordActivity: fields.recordActivity.default(true),
  checkUpdates: fields.checkUpdates.default(true),
  notifyServers: fields.notifyServers.default(true),
  notifySignIn: fields.notifySignIn.default(true),
  notifyTools: fields.notifyTools.default(true),
  notifyClients: fields.notifyClients.default(true),
  newClients: fields.newClients.default('everything'),
  askDestructive: fields.askDestructive.default(false),
  firstStepsDone: fields.firstStepsDone.default(false),
});

export type Settings = Readonly<z.infer<typeof settingsSchema>>;

/**
 * Changes that the settings screen may send. Built from fields without defaults, which would fill in omitted
 * ones.
 */
export const settingsPatchSchema = z.object(fields).partial();
export type SettingsPatch = Readonly<z.infer<typeof settingsPatchSchema>>;
