import { z } from 'zod';
import { approvalRequestSchema } from '../model/access.ts';
import { accessAnswerSchema, accessCommandSchema } from '../model/access-command.ts';
import { commandNoteSchema } from '../model/audit.ts';
import {
  backupMadeSchema,
  backupPreviewSchema,
  passphraseSchema,
  restoredSchema,
  restoreHowSchema,
} from '../model/backup.ts';
import { hubViewSchema } from '../model/hub.ts';
import { serverViewSchema } from '../model/server.ts';
import { guardCalls } from './guard-calls.ts';
import { importCalls } from './import-calls.ts';
import { type IpcRows, key, nothing } from './parts.ts';
import { searchCalls } from './search-calls.ts';
import { serverCalls } from './server-calls.ts';

/**
 * What a program of the same user may ask of a running hub over its socket, after a hello of kind `admin`: a JSON-RPC
 * request whose params are `{ input }` and whose result is `{ output }`. A call is one row here and one handler in
 * `electron/engine/hub/admin/admin-handlers.ts`.
 */
export const adminCalls = {
  /** The hub and its servers, in config order, as they are now. */
  'hub.status': {
    input: nothing,
    output: z.object({
      hub: hubViewSchema,
      servers: z.array(serverViewSchema).readonly(),
      /** Calls that somebody has to allow. */
      waiting: z.array(approvalRequestSchema).readonly().default([]),
    }),
  },
  /**
   * Ends a hub that runs without a window, in order: answers which process it is, which has yet to end. Rejects with
   * `hub.already_running` where the hub is an app.
   */
  'hub.stop': { input: nothing, output: z.object({ pid: z.number() }) },
  /** As the button in the window; answers before it is up again. Rejects with `config.unknown_server`. */
  'server.restart': { input: key, output: nothing },
  /** Who may call what; resolves when it is on disk. */
  'access.command': { input: accessCommandSchema, output: accessAnswerSchema },
  /** Begins a sign-in: the address to open in a browser. What becomes of it shows in the server's status. */
  'server.signIn': { input: key, output: z.object({ url: z.string() }) },
  'server.signOut': { input: key, output: nothing },
  /** Stores what a server lacks and starts it with that, as in the window. */
  'server.enterValue': {
    input: serverCalls['server.enterValue'].input,
    output: z.object({ secret: z.string() }),
  },
  /** Writes the client that a person registered into the entry's sign-in. */
  'server.setSignInClient': { input: serverCalls['server.setSignInClient'].input, output: nothing },
  /** Servers of apps, files or a text, taken over as in the window. */
  'import.readApps': importCalls['import.readApps'],
  'import.readFiles': importCalls['import.readFiles'],
  'import.parse': importCalls['import.parse'],
  'import.add': importCalls['import.add'],
  'import.undo': importCalls['import.undo'],
  'import.previewMove': importCalls['import.previewMove'],
  'import.move': importCalls['import.move'],
  /** What is held back of tools, and decisions about it: as in the window. */
  ...guardCalls,
  /** What a command did by itself, for the audit log; written as done by the command line. */
  'audit.note': { input: commandNoteSchema, output: nothing },
  /** The text of a backup of the whole setup. */
  'backup.make': {
    input: z.object({ passphrase: passphraseSchema.optional() }),
    output: backupMadeSchema.extend({ text: z.string() }),
  },
  'backup.preview': { input: z.object({ text: z.string() }), output: backupPreviewSchema },
  'backup.restore': {
    input: z.object({
      text: z.string(),
      how: restoreHowSchema,
      passphrase: z.string().max(1_000).optional(),
    }),
    output: restoredSchema,
  },
  'search.find': searchCalls['search.find'],
} as const satisfies IpcRows;

export type AdminCallName = keyof typeof adminCalls;
export type AdminInput<N extends AdminCallName> = z.infer<(typeof adminCalls)[N]['input']>;
export type AdminOutput<N extends AdminCallName> = z.infer<(typeof adminCalls)[N]['output']>;
