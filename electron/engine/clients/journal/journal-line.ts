import { z } from 'zod';

/** Grows when an older program could no longer understand what is written. */
export const journalVersion = 1;

const common = { v: z.literal(journalVersion), at: z.number(), id: z.string(), file: z.string() };

const placeSchema = z.object({ within: z.array(z.string()).optional(), root: z.string(), key: z.string() });

/**
 * A line of `clients.journal`. A write is noted before it is made, so that a program that is killed half-way leaves
 * word of it; `settled` follows when it has been.
 */
export const journalLineSchema = z.discriminatedUnion('action', [
  z.object({
    ...common,
    action: z.literal('connect'),
    write: z.string(),
    ...placeSchema.shape,
    /** The entry as written. */
    entry: z.record(z.string(), z.unknown()),
    /** Entries of others that it took out, since Patchbay runs them. */
    taken: z.array(placeSchema).optional(),
    /** Digests of the file; without `before` there was none. */
    before: z.string().optional(),
    after: z.string(),
    backup: z.string().optional(),
    /** An entry of ours was there before, so `before` is nothing to go back to. */
    hadEntry: z.boolean(),
  }),
  z.object({
    ...common,
    action: z.literal('undo'),
    write: z.string(),
    before: z.string().optional(),
    after: z.string().optional(),
  }),
  /** Entries of others that came back; `of` is the `connect` that took them. An older Patchbay took them on their own. */
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
  /** What was noticed of a file that we had written. */
  z.object({ ...common, action: z.enum(['wiped', 'changed', 'found-again', 'forgotten']) }),
  /** The person has pointed at the client's file, or does not any more. */
  z.object({ ...common, action: z.enum(['chosen', 'unchosen']) }),
  z.object({ ...common, action: z.literal('proved'), ok: z.boolean(), tools: z.number().optional() }),
]);
export type JournalLine = Readonly<z.infer<typeof journalLineSchema>>;
export type ConnectLine = Extract<JournalLine, { action: 'connect' }>;

/** A line without what every line has. */
export type NewLine = JournalLine extends infer L
  ? L extends JournalLine
    ? Omit<L, 'v' | 'at'>
    : never
  : never;
