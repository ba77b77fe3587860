import { z } from 'zod';

/**
 * `changes`: tools are approved as first seen; later changes that raise the risk are quarantined until
 * approved, all others pass and are marked. `each`: every new or changed tool is quarantined. `off`: nothing
 * is.
 */
export const guardModes = ['changes', 'each', 'off'] as const;
export type GuardMode = (typeof guardModes)[number];

/** A finding in a tool definition that is worth a look. It describes what is there, not the intent. */
export const toolFlagSchema = z.object({
  /**
   * `hidden`: invisible or direction-changing characters. `instruction`: text that addresses the model the
   * way attacks do. `lookalike`: a name easily confused with another server's tool. `annotation`: a safety
   * annotation that was removed. `argument`: a new argument of an existing tool.
   */
  kind: z.enum(['hidden', 'instruction', 'lookalike', 'annotation', 'argument']),
  /** Path in the definition, such as `inputSchema.properties.path.description`. */
  place: z.string(),
  /** The finding as a sentence. */
  sentence: z.string(),
  /** The matched text, with hidden characters made visible. */
  excerpt: z.string(),
});
export type ToolFlag = Readonly<z.infer<typeof toolFlagSchema>>;

/** A quarantined definition: clients do not get it until someone has reviewed it. */
export const quarantinedToolSchema = z.object({
  serverKey: z.string(),
  name: z.string(),
  /** Digest of this definition; decisions name it, so that only what was seen gets approved. */
  digest: z.string(),
  kind: z.enum(['new', 'changed']),
  /** True if it was reviewed and blocked. */
  blocked: z.boolean(),
  /** Number of findings, see {@link toolFlagSchema}. */
  flags: z.number(),
  /** Time when this definition was first seen. */
  since: z.number(),
});
export type QuarantinedTool = Readonly<z.infer<typeof quarantinedToolSchema>>;

const held = z.array(quarantinedToolSchema).readonly();
/** Everything that is quarantined, by server in config order. */
export const guardViewSchema = z.object({ held });
export type GuardView = Readonly<z.infer<typeof guardViewSchema>>;

const differenceLineSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['same', 'added', 'removed']),
    /** The line in pieces; pieces that differ between a removed and an added line are marked. */
    pieces: z.array(z.object({ text: z.string(), marked: z.boolean() })).readonly(),
  }),
  /** Unchanged lines far from any change. */
  z.object({ kind: z.literal('gap'), lines: z.number() }),
]);
export type DifferenceLine = Readonly<z.infer<typeof differenceLineSchema>>;

/** A definition that passed without review because nothing in it raises the risk. */
export const autoApprovedSchema = z.object({
  kind: z.enum(['new', 'changed']),
  /** Epoch milliseconds. */
  at: z.number(),
});
export type AutoApproved = Readonly<z.infer<typeof autoApprovedSchema>>;

/** One member of a definition, before and now; hidden characters made visible. */
export const definitionPartSchema = z.object({
  part: z.string(),
  isChanged: z.boolean(),
  lines: z.array(differenceLineSchema).readonly(),
});
export type DefinitionPart = Readonly<z.infer<typeof definitionPartSchema>>;

/** Everything to review before approving a tool. */
export const toolReviewSchema = z.object({
  serverKey: z.string(),
  name: z.string(),
  digest: z.string(),
  state: z.enum(['approved', 'new', 'changed', 'blocked', 'unguarded']),
  /** Approval time of the previous definition. */
  approvedAt: z.number().optional(),
  /**
   * Present if the current definition passed without review; `parts` then compare it with the previous one.
   */
  passed: autoApprovedSchema.optional(),
  /** Diff against the approved definition; the whole definition if there is none. */
  parts: z.array(definitionPartSchema).readonly(),
  /** True if the approved definition is no longer known, only that this one differs. */
  isBeforeLost: z.boolean(),
  flags: z.array(toolFlagSchema).readonly(),
});
export type ToolReview = Readonly<z.infer<typeof toolReviewSchema>>;
