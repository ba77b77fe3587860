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
 * Calls that a program of the same user may make to a running hub over its socket, after a hello of kind
 * `admin`: a JSON-RPC request with params `{ input }` and result `{ output }`. A call is one row here and one
 * handler in `electron/engine/hub/admin/admin-handlers.ts`.
 */
export const adminCalls = {
  /** The current state of the hub and its servers, in config order. */
  'hub.status': {
    input: nothing,
    output: z.object({
      hub: hubViewSchema,
      servers: z.array(serverViewSchema).readonly(),
      /** Calls that wait for approval. */
      waiting: z.array(approvalRequestSchema).readonly().default([]),
    }),
  },
  /**
   * Stops a hub that runs without a window, in order. Returns the pid of the process, which may still be
   * exiting. Rejects with `hub.already_running` if the hub is an app.
   */
  'hub.stop': { input: nothing, output: z.object({ pid: z.number() }) },
  /**
   * Same as the button in the window; returns before the server is up again. Rejects with
   * `config.unknown_server`.
   */
  'server.restart': { input: key, output: nothing },
  /** Access control commands; resolves once the change is on disk. */
  'access.command': { input: accessCommandSchema, output: accessAnswerSchema },
  /** Starts a sign-in and returns the address to open in a browser. The server's status shows the result. */
  'server.signIn': { input: key, output: z.object({ url: z.string() }) },
  'server.signOut': { input: key, output: nothing },
  /** Stores a missing value and starts the server with it, as in the window. */
  'server.enterValue': {
    input: serverCalls['server.enterValue'].input,
    output: z.object({ secret: z.string() }),
  },
  /** Writes the client id that the user registered into the entry's sign-in settings. */
  'server.setSignInClient': { input: serverCalls['server.setSignInClient'].input, output: nothing },
  /** Imports servers from apps, files or text, as in the window. */
  'import.readApps': importCalls['import.readApps'],
  'import.readFiles': importCalls['import.readFiles'],
  'import.parse': importCalls['import.parse'],
  'import.add': importCalls['import.add'],
  'import.undo': importCalls['import.undo'],
  'import.previewMove': importCalls['import.previewMove'],
  'import.move': importCalls['import.move'],
  /** Quarantined tools and decisions about them, as in the window. */
  ...guardCalls,
  /** Records in the audit log what a command did by itself, with the command line as the actor. */
  'audit.note': { input: commandNoteSchema, output: nothing },
  /** Returns the text of a backup of the whole setup. */
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
