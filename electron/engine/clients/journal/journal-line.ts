import { z } from 'zod';

/** Incremented when older programs could no longer understand the lines. */
export const journalVersion = 1;

const common = { v: z.literal(journalVersion), at: z.number(), id: z.string(), file: z.string() };

const placeSchema = z.object({ within: z.array(z.string()).optional(), root: z.string(), key: z.string() });

/**
 * A line of `clients.journal`. A write is recorded before it is made, so that a killed program leaves a trace
 * of it; `settled` follows afterwards.
 */
export const journalLineSchema = z.discriminatedUnion('action', [
  z.object({
    ...common,
    action: z.literal('connect'),
    write: z.string(),
    ...placeSchema.shape,
    /** The entry as written. */
    entry: z.record(z.string(), z.unknown()),
    /** Entries of other servers that the write removed, since Patchbay runs them. */
    taken: z.array(placeSchema).optional(),
    /** Digests of the file; `before` is absent if there was no file. */
    before: z.string().optional(),
    after: z.string(),
    backup: z.string().optional(),
    /** An entry of ours already existed, so `before` is not a state to restore. */
    hadEntry: z.boolean(),
  }),
  z.object({
    ...common,
    action: z.literal('undo'),
    write: z.string(),
    before: z.string().optional(),
    after: z.string().optional(),
  }),
  /**
   * Returns entries of other servers; `of` is the `connect` that removed them. Older versions of Patchbay
   * removed them in a step of its own.
   */
  z.object({
    ...common,
    action: z.enum(['taken-out', 'put-back']),
    write: z.string(),
    of: z.string().optional(),
    keys: z.array(z.string()),
    before: z.string(),
    after: z.string(),
    backup: z.string().optional(),
  }),
  z.object({ ...common, action: z.literal('settled'), write: z.string(), ok: z.boolean() }),
  /** A change noticed in a file that we had written. */
  z.object({ ...common, action: z.enum(['wiped', 'changed', 'found-again', 'forgotten']) }),
  /** The user has chosen the client's file, or reset that choice. */
  z.object({ ...common, action: z.enum(['chosen', 'unchosen']) }),
  z.object({ ...common, action: z.literal('proved'), ok: z.boolean(), tools: z.number().optional() }),
]);
export type JournalLine = Readonly<z.infer<typeof journalLineSchema>>;
export type ConnectLine = Extract<JournalLine, { action: 'connect' }>;

/** A line without the fields common to all lines. */
export type NewLine = JournalLine extends infer L
  ? L extends JournalLine
    ? Omit<L, 'v' | 'at'>
    : never
  : never;
