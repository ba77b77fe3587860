import { z } from 'zod';
import { passedSchema } from './guard.ts';

/** A tool in a list: enough to show, search and switch it, without its schemas. */
export const toolSummarySchema = z.object({
  serverKey: z.string(),
  /** The name its server gave it. */
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  enabled: z.boolean(),
  /** From the tool's annotations, where it states them. */
  readOnly: z.boolean().optional(),
  destructive: z.boolean().optional(),
  /** Its definition is not approved: clients do not get it. See `guard.ts`. */
  held: z.literal(true).optional(),
  /** Present where the definition is new or changed lately, and went through without approval. */
  passed: passedSchema.optional(),
  /** Present where the definition breaks the protocol's schema; clients that refuse such lists get a corrected one. */
  unfit: z.literal(true).optional(),
});
export type ToolSummary = Readonly<z.infer<typeof toolSummarySchema>>;

/** A tool whole: `definition` is what the server sent, untouched. */
export const toolDetailSchema = toolSummarySchema.extend({
  /** `serverKey:toolName`, the id of logs and policy. */
  canonicalId: z.string(),
  /** What clients with the hub's default style are told it is called. */
  safeName: z.string(),
  definition: z.record(z.string(), z.unknown()),
});
export type ToolDetail = Readonly<z.infer<typeof toolDetailSchema>>;
