import { z } from 'zod';
import { autoApprovedSchema } from './guard.ts';

/** A tool in a list: enough to show, search and switch it, without its schemas. */
export const toolSummarySchema = z.object({
  serverKey: z.string(),
  /** Original name at its server. */
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  enabled: z.boolean(),
  /** From the tool's annotations, if present. */
  readOnly: z.boolean().optional(),
  destructive: z.boolean().optional(),
  /** Set if its definition is not approved: clients do not get it. See `guard.ts`. */
  held: z.literal(true).optional(),
  /** Present if the definition is new or recently changed, and passed without review. */
  passed: autoApprovedSchema.optional(),
  /**
   * Set if the definition violates the protocol's schema; clients that reject such lists get a corrected one.
   */
  unfit: z.literal(true).optional(),
});
export type ToolSummary = Readonly<z.infer<typeof toolSummarySchema>>;

/** A complete tool: `definition` is what the server sent, unchanged. */
export const toolDetailSchema = toolSummarySchema.extend({
  /** `serverKey:toolName`, used in logs and policies. */
  canonicalId: z.string(),
  /** Wire name for clients with the hub's default style. */
  safeName: z.string(),
  definition: z.record(z.string(), z.unknown()),
});
export type ToolDetail = Readonly<z.infer<typeof toolDetailSchema>>;
