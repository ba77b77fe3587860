import { z } from 'zod';
import { newClientsSchema } from '../model/access.ts';
import { chosenLimitsSchema } from '../model/limits.ts';

/** The version of `settings.json` this program writes; a newer file is refused, not changed. */
export const settingsVersion = 1;

const fields = {
  /** Start with the user's session, hidden in the tray. */
  startAtLogin: z.boolean(),
  /** Closing the window keeps the hub serving in the tray. */
  closeToTray: z.boolean(),
  theme: z.enum(['system', 'light', 'dark']),
  /** Numbers other than the defaults; see model/limits.ts. Variables come before them. */
  limits: chosenLimitsSchema,
  /** What is done and who does it is kept in `audit.db`, secrets taken out; see model/audit.ts. */
  audit: z.boolean(),
  /** Port of the HTTP endpoint on 127.0.0.1; fixed, so that written client configs stay valid. */
  port: z.int().min(1024).max(65535),
  /** Calls and what they carried are kept, within bounds and with secrets taken out; see model/activity.ts. */
  recordActivity: z.boolean(),
  /** Look for newer versions of the app each day. */
  checkUpdates: z.boolean(),
  /** Notifications of the system: a server that failed or the hub's own trouble, a sign-in, held tools, a wiped config. */
  notifyServers: z.boolean(),
  notifySignIn: z.boolean(),
  notifyTools: z.boolean(),
  notifyClients: z.boolean(),
  /** What clients get that are seen for the first time. */
  newClients: newClientsSchema,
  /** Destructive tools are asked about for all clients, unless a more specific rule decides. */
  askDestructive: z.boolean(),
  /** The steps to a first proven call were made or put away, and are not shown any more. */
  firstStepsDone: z.boolean(),
};

/** App settings with their defaults; also the form of `settings.json`. */
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

/** What the settings screen may change. Built from fields without defaults, which would fill in what is left out. */
export const settingsPatchSchema = z.object(fields).partial();
export type SettingsPatch = Readonly<z.infer<typeof settingsPatchSchema>>;
