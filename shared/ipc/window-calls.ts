import { z } from 'zod';
import { activityFilterSchema, activityFormats } from '../model/activity/activity.ts';
import { auditFilterSchema } from '../model/activity/audit.ts';
import { connectIdSchema } from '../model/client/connect.ts';
import {
  backupMadeSchema,
  backupPreviewSchema,
  passphraseSchema,
  restoredSchema,
  restoreHowSchema,
} from '../model/hub/backup.ts';
import { limitViewSchema } from '../model/hub/limits.ts';
import { importPreviewSchema } from '../model/import/import-session.ts';
import { healthSampleSchema } from '../model/server/health.ts';
import { logLineSchema } from '../model/server/server.ts';
import { snippetWishSchema } from '../operations/connect.ts';
import { key, nothing } from '../operations/parts.ts';
import { runId } from '../operations/tester.ts';

const client = z.object({ id: connectIdSchema });
const saved = z.object({ saved: z.boolean(), rows: z.number() });

/**
 * Calls that need the system around the window (dialogs, the clipboard) or concern what the window watches, one row each; see
 * `contract.ts`.
 */
export const windowCalls = {
  /** Returns the log kept in memory; `server.log` events follow until `server.unwatchLog`. */
  'server.watchLog': { input: key, output: z.object({ lines: z.array(logLineSchema).readonly() }) },
  'server.unwatchLog': { input: key, output: nothing },
  /** Returns the short history of its health; `server.health` events follow until `server.unwatchHealth`. */
  'server.watchHealth': {
    input: key,
    output: z.object({ samples: z.array(healthSampleSchema).readonly() }),
  },
  'server.unwatchHealth': { input: key, output: nothing },
  /** Turns the memory sampler on or off; it costs nothing while off. */
  'process.watch': { input: z.object({ on: z.boolean() }), output: nothing },
  /** Starts `activity.added` events, until `activity.unwatch`. */
  'activity.watch': { input: nothing, output: nothing },
  'activity.unwatch': { input: nothing, output: nothing },
  /** Opens a dialog for the file; `saved` is false when it was cancelled. */
  'activity.export': {
    input: z.object({ filter: activityFilterSchema, format: z.enum(activityFormats) }),
    output: saved,
  },
  /** Opens a dialog for the file, JSON lines, oldest first; `saved` is false when it was cancelled. */
  'audit.export': { input: z.object({ filter: auditFilterSchema }), output: saved },
  /** Makes a new token for an agent and puts it on the clipboard, the only place where it is shown; the old one ends. */
  'access.copyToken': { input: z.object({ id: z.string() }), output: nothing },
  /** Opens a dialog to choose the client's config file; `chosen` is false when it was cancelled. */
  'connect.locate': { input: client, output: z.object({ chosen: z.boolean() }) },
  /** Goes back to the places where the client's file is normally found. */
  'connect.forgetFile': { input: client, output: nothing },
  /** Puts the whole snippet, token included, on the clipboard. */
  'connect.copySnippet': { input: snippetWishSchema, output: nothing },
  /** Hands the `.mcpb` bundle to Claude Desktop, which asks whether to install it. */
  'connect.openBundle': { input: nothing, output: nothing },
  /** Returns the text on the clipboard, if it contains servers. */
  'import.clipboard': { input: nothing, output: z.object({ text: z.string().optional() }) },
  /** Opens a dialog to choose a file: a config, a `server.json`, an `.mcpb` bundle. */
  'import.openFile': { input: nothing, output: z.object({ preview: importPreviewSchema.optional() }) },
  /** Opens a dialog for an input that is a folder or a file. */
  'import.choosePath': {
    input: z.object({ kind: z.enum(['folder', 'file']), title: z.string().max(200) }),
    output: z.object({ path: z.string().optional() }),
  },
  /** Opens a dialog and writes the whole answer of one of the last runs there; `saved` is false when it was cancelled. */
  'tester.save': { input: z.object({ runId }), output: z.object({ saved: z.boolean() }) },
  /** Saves a limit and applies it; null removes the setting. Rejects with `hub.bad_limit`, naming it. */
  'limits.set': {
    input: z.object({ name: limitViewSchema.shape.name, value: z.number().nullable() }),
    output: z.array(limitViewSchema).readonly(),
  },
  /** Opens a dialog and saves a backup there; no file when it was cancelled. Secrets are in it only with a passphrase. */
  'app.saveBackup': {
    input: z.object({ passphrase: passphraseSchema.optional() }),
    output: backupMadeSchema.extend({ file: z.string() }).or(z.object({})),
  },
  /** Opens a dialog for a backup and previews it; nothing when it was cancelled. */
  'app.chooseBackup': {
    input: nothing,
    output: z.object({
      chosen: z.object({ id: z.string(), file: z.string(), preview: backupPreviewSchema }).optional(),
    }),
  },
  /** Restores the backup that was previewed. Rejects with `backup.wrong_passphrase`. */
  'app.restoreBackup': {
    input: z.object({
      id: z.string(),
      how: restoreHowSchema,
      passphrase: z.string().max(1_000).optional(),
    }),
    output: restoredSchema,
  },
};
