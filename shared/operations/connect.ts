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
} from '../model/client/connect.ts';
import { hubNote, operation } from './operation.ts';
import { nothing } from './parts.ts';

const id = z.object({ id: connectIdSchema });
export const snippetWishSchema = id.extend({ transport: z.enum(['stdio', 'http']) });

/**
 * Operations that write our entry into other programs' configs. The order of a connection is `preview`,
 * (`quitClient`, `preview` again,) `apply`, `prove`; restoring a removed or changed entry works the same way.
 * All of them reject with a Problem, `client.unknown` for an id that is not in the list.
 */
export const connectOperations = {
  /**
   * Looks for all clients again; only checks whether files exist and never reads them. `connect.changed`
   * keeps the list up to date.
   */
  'connect.list': operation({
    input: nothing,
    output: z.object({ clients: z.array(connectClientSchema).readonly() }),
    doors: ['window'],
  }),
  /** Uses this file as the client's config; without one, the default locations apply again. */
  'connect.setFile': operation({
    input: id.extend({ file: z.string().optional() }),
    output: nothing,
    doors: [],
    audit: ({ id, file }) => [
      hubNote('choose-client-file', file === undefined ? `${id}: the default one` : id),
    ],
  }),
  /**
   * Reads the client's files when the person asks for it, and shows exactly what would be written. Writes
   * nothing.
   */
  'connect.preview': operation({ input: id, output: connectPreviewSchema, doors: ['window'] }),
  /**
   * Writes what was previewed, after backing up each file. Rejects with `client.running` while the running
   * client would overwrite it, with `client.config_changed` if a file has changed since the preview, and with
   * the file's own problem if none could be written.
   */
  'connect.apply': operation({
    input: id.extend({ previewId: z.string() }),
    output: z.object({ files: z.array(appliedFileSchema).readonly() }),
    doors: ['window'],
    audit: ({ id }) => [hubNote('connect-client', id)],
  }),
  /**
   * Starts the entry as it is in the file, in an almost empty environment, for at most 20 s. A failure is an
   * answer.
   */
  'connect.prove': operation({ input: id, output: connectProofSchema, doors: ['window'] }),
  /**
   * Asks the running client to quit, never by force, and waits for at most 15 s. Returns false if it still
   * runs.
   */
  'connect.quitClient': operation({ input: id, output: z.object({ quit: z.boolean() }), doors: ['window'] }),
  /** Removes the entry. Rejects with `client.running` like `connect.apply`. */
  'connect.undo': operation({
    input: id,
    output: z.object({ files: z.array(undoneFileSchema).readonly() }),
    doors: ['window'],
    audit: ({ id }) => [hubNote('disconnect-client', id)],
  }),
  /**
   * Accepts that the entry was removed or changed: the client counts as not connected, its files stay as they
   * are.
   */
  'connect.accept': operation({ input: id, output: nothing, doors: ['window'] }),
  /** Lists every write, newest first. */
  'connect.journal': operation({
    input: nothing,
    output: z.object({ records: z.array(journalRecordSchema).readonly() }),
    doors: ['window'],
  }),
  /** Returns the text to add to the client by hand; see the model about the token. */
  'connect.snippet': operation({ input: snippetWishSchema, output: connectSnippetSchema, doors: ['window'] }),
  /** Returns the same text with the token, for the clipboard. */
  'connect.wholeSnippet': operation({
    input: snippetWishSchema,
    output: z.object({ text: z.string() }),
    doors: [],
  }),
  /** Returns the path of the `.mcpb` bundle for Claude Desktop. */
  'connect.bundleFile': operation({ input: nothing, output: z.object({ file: z.string() }), doors: [] }),
};

export const connectEvents = {
  /** The whole list, sent when anything in it has changed. */
  'connect.changed': z.object({ clients: z.array(connectClientSchema).readonly() }),
} as const;
