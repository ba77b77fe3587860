import { z } from 'zod';
import { secretNameSchema } from './secret.ts';

/**
 * One thing wrong with an entry being edited or pasted; `path` is relative to the entry, for example `env.TOKEN`;
 * it is empty for the whole entry and `(key)` for the server's own key.
 */
export const entryIssueSchema = z.object({
  severity: z.enum(['error', 'warning']),
  path: z.string(),
  message: z.string(),
  /** One-based place in the text that was judged, where it is known. */
  line: z.number().optional(),
  column: z.number().optional(),
  /** For a text that is likely to be a secret: its place in the entry, the part of it, and a name to store it under. */
  secret: z
    .object({
      path: z.array(z.union([z.string(), z.number()])).readonly(),
      from: z.number(),
      to: z.number(),
      name: secretNameSchema,
    })
    .optional(),
});
export type EntryIssue = Readonly<z.infer<typeof entryIssueSchema>>;

/** An entry found in pasted text. */
export const pastedEntrySchema = z.object({
  /** Key as written; empty where the text held one server without a name. */
  key: z.string(),
  /** The entry in our form, ready to be added. */
  entry: z.record(z.string(), z.unknown()),
  issues: z.array(entryIssueSchema).readonly(),
  /** True when the config already has a server of this key. */
  exists: z.boolean(),
});

/** What pasted text holds: entries that can be judged one by one, or one reason why it cannot be read. */
export const pastePreviewSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('entries'), entries: z.array(pastedEntrySchema).readonly() }),
  z.object({
    kind: z.literal('unreadable'),
    message: z.string(),
    line: z.number().optional(),
    column: z.number().optional(),
  }),
]);
export type PastePreview = z.infer<typeof pastePreviewSchema>;
export type PastedEntry = Readonly<z.infer<typeof pastedEntrySchema>>;
