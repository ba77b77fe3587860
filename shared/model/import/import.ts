import { z } from 'zod';
import { secretNameSchema } from '../hub/secret.ts';

/**
 * An issue of an entry being edited or pasted; `path` is relative to the entry, for example `env.TOKEN`; it
 * is empty for the whole entry and `(key)` for the server's own key.
 */
export const entryIssueSchema = z.object({
  severity: z.enum(['error', 'warning']),
  path: z.string(),
  message: z.string(),
  /** One-based position in the checked text, if known. */
  line: z.number().optional(),
  column: z.number().optional(),
  /**
   * For a text that is probably a secret: its path in the entry, the range within it, and a name to store it
   * under.
   */
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
