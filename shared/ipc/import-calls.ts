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
 * Calls that bring servers along from elsewhere, one row each; see `contract.ts`. A source is read on demand, its
 * preview judged, what was chosen of it added in one step, and what Patchbay then runs taken out of the apps.
 */
export const importCalls = {
  /** Reads the files of all known clients, or of one; what cannot be read is told beside the others. */
  'import.readApps': {
    input: z.object({ client: z.string().max(64).optional() }),
    output: importPreviewSchema,
  },
  /** Text of any form: a config of another program, instructions, a registry entry. */
  'import.parse': { input: z.object({ text: z.string().max(4_000_000) }), output: importPreviewSchema },
  /** Files that were dropped on the window, as one list; what cannot be read is told beside the others. */
  'import.readFiles': {
    input: z.object({ files: z.array(z.string().min(1).max(4096)).min(1).max(100) }),
    output: importPreviewSchema,
  },
  /** The text on the clipboard, as far as it holds servers. */
  'import.clipboard': { input: nothing, output: z.object({ text: z.string().optional() }) },
  /** Opens a dialog to point at a file: a config, a `server.json`, an `.mcpb` bundle. */
  'import.openFile': { input: nothing, output: z.object({ preview: importPreviewSchema.optional() }) },
  /** Opens a dialog for an input that is a folder or a file. */
  'import.choosePath': {
    input: z.object({ kind: z.enum(['folder', 'file']), title: z.string().max(200) }),
    output: z.object({ path: z.string().optional() }),
  },
  'import.add': { input: importChoicesSchema, output: importResultSchema },
  /** Tells what would be written to each app's file; writes nothing. */
  'import.previewMove': {
    input: moveWishSchema,
    output: z.object({ apps: z.array(movePreviewSchema).readonly() }),
  },
  /** Writes what was previewed; apps that cannot be written are outcomes. */
  'import.move': { input: moveChoicesSchema, output: moveResultSchema },
  'import.undo': { input: z.object({ undoId: z.string() }), output: nothing },
  /** Forgets what was read. */
  'import.close': { input: session, output: nothing },
} as const satisfies IpcRows;
