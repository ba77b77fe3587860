import { z } from 'zod';
import {
  importChoicesSchema,
  importPreviewSchema,
  importResultSchema,
  moveChoicesSchema,
  movePreviewSchema,
  moveRequestSchema,
  moveResultSchema,
} from '../model/import-session.ts';
import { hubNote, operation, serverNote } from './operation.ts';
import { nothing, undoId } from './parts.ts';

/**
 * Operations that import servers. A source is read on demand, its preview judged, what was chosen of it added in one step, and
 * what Patchbay then runs removed from the apps.
 */
export const importOperations = {
  /** Reads the files of all known clients, or of one; unreadable ones are reported beside the others. */
  'import.readApps': operation({
    input: z.object({ client: z.string().max(64).optional() }),
    output: importPreviewSchema,
    doors: ['window', 'cli'],
  }),
  /** Reads text of any form: a config of another program, instructions, a registry entry. */
  'import.parse': operation({
    input: z.object({ text: z.string().max(4_000_000) }),
    output: importPreviewSchema,
    doors: ['window', 'cli'],
  }),
  /** Reads files as one list; unreadable ones are reported beside the others. */
  'import.readFiles': operation({
    input: z.object({ files: z.array(z.string().min(1).max(4096)).min(1).max(100) }),
    output: importPreviewSchema,
    doors: ['window', 'cli'],
  }),
  'import.add': operation({
    input: importChoicesSchema,
    output: importResultSchema,
    doors: ['window', 'cli'],
    audit: ({ entries, inputs }) => [
      ...entries.map(({ key }) => serverNote('add', key, 'Imported.')),
      ...[...entries.flatMap(({ secrets }) => secrets), ...inputs].flatMap(({ secretName }) =>
        secretName === undefined ? [] : hubNote('set-secret', `${secretName}, from an import`),
      ),
    ],
  }),
  /** Shows what would be written to each app's file; writes nothing. */
  'import.previewMove': operation({
    input: moveRequestSchema,
    output: z.object({ apps: z.array(movePreviewSchema).readonly() }),
    doors: ['window', 'cli'],
  }),
  /** Writes what was previewed; apps that cannot be written are outcomes. */
  'import.move': operation({
    input: moveChoicesSchema,
    output: moveResultSchema,
    doors: ['window', 'cli'],
    audit: ({ apps }) => apps.map(({ client }) => hubNote('connect-client', client)),
  }),
  'import.undo': operation({
    input: undoId,
    output: nothing,
    doors: ['window', 'cli'],
    audit: () => [{ kind: 'server', action: 'undo-import' }],
  }),
  /** Forgets what was read. */
  'import.close': operation({ input: z.object({ session: z.string() }), output: nothing, doors: ['window'] }),
};
