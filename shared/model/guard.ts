import { z } from 'zod';

/**
 * `changes`: a server's tools are approved as they are when they are first seen; later ones that raise risk are held until
 * they are approved, all others go through and are marked. `each`: every new or changed one is held. `off`: none ever is.
 */
export const guardModes = ['changes', 'each', 'off'] as const;
export type GuardMode = (typeof guardModes)[number];

/** Something about a definition that a person may want to look at. It says what is there, not what it is for. */
export const toolFlagSchema = z.object({
  /**
   * `hidden`: characters that are not seen or turn the text around. `instruction`: words that speak to the model in a way
   * that attacks do. `lookalike`: a name that can be taken for that of another server's tool. `annotation`: a promise of
   * safety that is gone. `argument`: a new argument for what the tool did without so far.
   */
  kind: z.enum(['hidden', 'instruction', 'lookalike', 'annotation', 'argument']),
  /** Where, as a path in the definition: `inputSchema.properties.path.description`. */
  place: z.string(),
  /** What, in a sentence. */
  sentence: z.string(),
  /** The words themselves, hidden characters made visible. */
  excerpt: z.string(),
});
export type ToolFlag = Readonly<z.infer<typeof toolFlagSchema>>;

/** A definition that clients do not get until somebody has looked at it. */
export const heldToolSchema = z.object({
  serverKey: z.string(),
  name: z.string(),
  /** Of this definition; a decision names it, so that nothing is approved that was not seen. */
  digest: z.string(),
  kind: z.enum(['new', 'changed']),
  /** Somebody has looked and wants it to stay away. */
  blocked: z.boolean(),
  /** How much of it is worth a look, see {@link toolFlagSchema}. */
  flags: z.number(),
  /** When it was first seen like this. */
  since: z.number(),
});
export type HeldTool = Readonly<z.infer<typeof heldToolSchema>>;

const held = z.array(heldToolSchema).readonly();
/** Everything that is held, by server in config order. */
export const guardViewSchema = z.object({ held });
export type GuardView = Readonly<z.infer<typeof guardViewSchema>>;

const differenceLineSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['same', 'added', 'removed']),
    /** The line in pieces; those that make the difference between a removed and an added line are marked. */
    pieces: z.array(z.object({ text: z.string(), marked: z.boolean() })).readonly(),
  }),
  /** Lines that are equal and far from any that are not. */
  z.object({ kind: z.literal('gap'), lines: z.number() }),
]);
export type DifferenceLine = Readonly<z.infer<typeof differenceLineSchema>>;

/** A definition that went through without anybody's approval, since nothing in it raises risk. */
export const passedSchema = z.object({
  kind: z.enum(['new', 'changed']),
  /** Epoch milliseconds. */
  at: z.number(),
});
export type Passed = Readonly<z.infer<typeof passedSchema>>;

/** One member of a definition, before and now; hidden characters made visible. */
export const definitionPartSchema = z.object({
  part: z.string(),
  isChanged: z.boolean(),
  lines: z.array(differenceLineSchema).readonly(),
});
export type DefinitionPart = Readonly<z.infer<typeof definitionPartSchema>>;

/** All there is to know before a tool is approved. */
export const toolReviewSchema = z.object({
  serverKey: z.string(),
  name: z.string(),
  digest: z.string(),
  state: z.enum(['approved', 'new', 'changed', 'blocked', 'unguarded']),
  /** When the definition before it was approved. */
  approvedAt: z.number().optional(),
  /** There where the definition that clients get now went through by itself; `parts` are then against the one before. */
  passed: passedSchema.optional(),
  /** Against the approved one; the whole definition where there is none. */
  parts: z.array(definitionPartSchema).readonly(),
  /** The approved one is not known any more, only that this is another one. */
  isBeforeLost: z.boolean(),
  flags: z.array(toolFlagSchema).readonly(),
});
export type ToolReview = Readonly<z.infer<typeof toolReviewSchema>>;
