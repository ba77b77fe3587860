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
