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
 * Calls that write our entry into other programs' configs, one row each; see `contract.ts`. The steps of a
 * connection are `preview`, (`quitClient`, `preview` again,) `apply`, `prove`; restoring a wiped or changed
 * entry takes the same steps. All of them reject with a Problem, `client.unknown` for an id that is not in
 * the list.
 */
export const connectCalls = {
  /**
   * Looks for all clients again; checks only whether files exist, never reads them. `connect.changed` events
   * update the list.
   */
  'connect.list': {
    input: nothing,
    output: z.object({ clients: z.array(connectClientSchema).readonly() }),
  },
  /** Opens a dialog to point at the client's config file; `chosen` is false when it was cancelled. */
  'connect.locate': { input: id, output: z.object({ chosen: z.boolean() }) },
  /** Goes back to the default locations of the client's file. */
  'connect.forgetFile': { input: id, output: nothing },
  /**
   * Reads the client's files, when the user clicks, and returns exactly what would be written. Writes
   * nothing.
   */
  'connect.preview': { input: id, output: connectPreviewSchema },
  /**
   * Writes the previewed change after backing up each file. Rejects with `client.running` while the client is
   * running and would overwrite it, with `client.config_changed` if a file no longer matches the preview, and
   * with the file's own problem if none could be written.
   */
  'connect.apply': {
    input: id.extend({ previewId: z.string() }),
    output: z.object({ files: z.array(appliedFileSchema).readonly() }),
  },
  /**
   * Starts the entry as it is in the file, in an almost empty environment. Takes at most 20 s. A failure is a
   * result, not a rejection.
   */
  'connect.prove': { input: id, output: connectProofSchema },
  /**
   * Asks the running client to quit, never by force, and waits for at most 15 s. False if it is still
   * running.
   */
  'connect.quitClient': { input: id, output: z.object({ quit: z.boolean() }) },
  /** Removes our entry. Rejects with `client.running` like `connect.apply`. */
  'connect.undo': { input: id, output: z.object({ files: z.array(undoneFileSchema).readonly() }) },
  /** Accepts the wipe or change: the client counts as not connected, its files stay as they are. */
  'connect.accept': { input: id, output: nothing },
  /** Every write, newest first. */
  'connect.journal': {
    input: nothing,
    output: z.object({ records: z.array(journalRecordSchema).readonly() }),
  },
  /** Text to paste into the client by hand; see the model for how the token is handled. */
  'connect.snippet': { input: snippet, output: connectSnippetSchema },
  /** Copies the full snippet, with the token, to the clipboard. */
  'connect.copySnippet': { input: snippet, output: nothing },
  /** Hands the `.mcpb` bundle to Claude Desktop, which asks whether to install it. */
  'connect.openBundle': { input: nothing, output: nothing },
} as const satisfies IpcRows;

export const connectEvents = {
  /** The whole list, whenever anything in it changed. */
  'connect.changed': z.object({ clients: z.array(connectClientSchema).readonly() }),
} as const;
