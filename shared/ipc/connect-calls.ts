import { z } from 'zod';
import {
  appliedFileSchema,
  connectClientSchema,
  connectIdSchema,
  connectPreviewSchema,
  connectProofSchema,
  connectSnippetSchema,
  journalRecordSchema,
  undoneFileSchema,
} from '../model/connect.ts';
import { type IpcRows, nothing } from './parts.ts';

const id = z.object({ id: connectIdSchema });
const snippet = id.extend({ transport: z.enum(['stdio', 'http']) });

/**
 * Calls that write our entry into other programs' configs, one row each; see `contract.ts`. The order of a connection is
 * `preview`, (`quitClient`, `preview` again,) `apply`, `prove`; restoring a wiped or changed entry is the same. All of
 * them reject with a Problem, `client.unknown` for an id that is not in the list.
 */
export const connectCalls = {
  /** All clients, looked for anew: files are only asked for, never read. `connect.changed` keeps the list fresh. */
  'connect.list': {
    input: nothing,
    output: z.object({ clients: z.array(connectClientSchema).readonly() }),
  },
  /** Opens a dialog to point at the client's config file; `chosen` is false when it was cancelled. */
  'connect.locate': { input: id, output: z.object({ chosen: z.boolean() }) },
  /** Goes back to the places where the client's file is normally found. */
  'connect.forgetFile': { input: id, output: nothing },
  /** Reads the client's files, on the person's click, and tells exactly what would be written. Writes nothing. */
  'connect.preview': { input: id, output: connectPreviewSchema },
  /**
   * Writes what was previewed, after a copy of each file was put aside. Rejects with `client.running` while the client
   * runs that would overwrite it, with `client.config_changed` when a file is not any more as previewed, and with the
   * file's own problem when none could be written.
   */
  'connect.apply': {
    input: id.extend({ previewId: z.string() }),
    output: z.object({ files: z.array(appliedFileSchema).readonly() }),
  },
  /** Starts the entry as it stands in the file, in an almost empty environment. At most 20 s. A failure is an answer. */
  'connect.prove': { input: id, output: connectProofSchema },
  /** Asks the running client to quit, never by force, and waits for it: at most 15 s. False: it still runs. */
  'connect.quitClient': { input: id, output: z.object({ quit: z.boolean() }) },
  /** Takes the entry back. Rejects with `client.running` like `connect.apply`. */
  'connect.undo': { input: id, output: z.object({ files: z.array(undoneFileSchema).readonly() }) },
  /** The wipe or change is meant: the client counts as not connected, its files stay as they are. */
  'connect.accept': { input: id, output: nothing },
  /** Every write, newest first. */
  'connect.journal': {
    input: nothing,
    output: z.object({ records: z.array(journalRecordSchema).readonly() }),
  },
  /** What to put into the client by hand; see the model about the token. */
  'connect.snippet': { input: snippet, output: connectSnippetSchema },
  /** The same, whole, to the clipboard. */
  'connect.copySnippet': { input: snippet, output: nothing },
  /** Hands the `.mcpb` bundle to Claude Desktop, which asks whether to install it. */
  'connect.openBundle': { input: nothing, output: nothing },
} as const satisfies IpcRows;

/** Events about them. */
export const connectEvents = {
  /** The whole list, when anything in it is other than before. */
  'connect.changed': z.object({ clients: z.array(connectClientSchema).readonly() }),
} as const;
