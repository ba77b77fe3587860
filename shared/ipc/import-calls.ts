import { z } from 'zod';
import {
  importChoicesSchema,
  importPreviewSchema,
  importResultSchema,
  moveChoicesSchema,
  movePreviewSchema,
  moveResultSchema,
  moveWishSchema,
} from '../model/import-session.ts';
import { type IpcRows, nothing } from './parts.ts';

const session = z.object({ session: z.string() });

/**
 * Calls that import servers, one row each; see `contract.ts`. A source is read on demand and previewed, the
 * chosen servers are added in one step, and servers that Patchbay then runs are removed from the apps.
 */
export const importCalls = {
  /** Reads the files of all known clients, or of one; unreadable files are reported with the results. */
  'import.readApps': {
    input: z.object({ client: z.string().max(64).optional() }),
    output: importPreviewSchema,
  },
  /** Parses text of any form: another program's config, instructions, a registry entry. */
  'import.parse': { input: z.object({ text: z.string().max(4_000_000) }), output: importPreviewSchema },
  /** Reads files dropped on the window, as one list; unreadable files are reported with the results. */
  'import.readFiles': {
    input: z.object({ files: z.array(z.string().min(1).max(4096)).min(1).max(100) }),
    output: importPreviewSchema,
  },
  /** Returns the clipboard's text if it contains servers. */
  'import.clipboard': { input: nothing, output: z.object({ text: z.string().optional() }) },
  /** Opens a dialog to choose a file: a config, a `server.json`, an `.mcpb` bundle. */
  'import.openFile': { input: nothing, output: z.object({ preview: importPreviewSchema.optional() }) },
  /** Opens a dialog for an input of type folder or file. */
  'import.choosePath': {
    input: z.object({ kind: z.enum(['folder', 'file']), title: z.string().max(200) }),
    output: z.object({ path: z.string().optional() }),
  },
  'import.add': { input: importChoicesSchema, output: importResultSchema },
  /** Returns what would be written to each app's file; writes nothing. */
  'import.previewMove': {
    input: moveWishSchema,
    output: z.object({ apps: z.array(movePreviewSchema).readonly() }),
  },
  /** Writes the previewed changes; apps that cannot be written are part of the result. */
  'import.move': { input: moveChoicesSchema, output: moveResultSchema },
  'import.undo': { input: z.object({ undoId: z.string() }), output: nothing },
  /** Discards what was read. */
  'import.close': { input: session, output: nothing },
} as const satisfies IpcRows;
