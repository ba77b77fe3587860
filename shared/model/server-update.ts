import { z } from 'zod';
import { problemSchema } from '../error/problem-schema.ts';

/** What a changed config does to a server's tools, by their own names. */
export const toolDifferenceSchema = z.object({
  added: z.array(z.string()).readonly(),
  removed: z.array(z.string()).readonly(),
  /** Same name, other definition. */
  changed: z.array(z.string()).readonly(),
});
export type ToolDifference = Readonly<z.infer<typeof toolDifferenceSchema>>;

/**
 * A changed config on its way: started beside the old process, which serves until the new one can. Absent once nothing
 * of it is left to tell.
 */
export const serverUpdateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('starting'), since: z.number() }),
  /** The new one serves; the old one ends when its last call has been answered. */
  z.object({
    kind: z.literal('done'),
    at: z.number(),
    difference: toolDifferenceSchema,
    /** The old one still works on calls. */
    draining: z.boolean(),
  }),
  /** The new one could not be started; the old one serves on, with the config it was started with. */
  z.object({ kind: z.literal('failed'), at: z.number(), problem: problemSchema }),
]);
export type ServerUpdate = Readonly<z.infer<typeof serverUpdateSchema>>;

/** How a config under edit did when it was started beside the running server, and ended again. */
export const entryTrialSchema = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    milliseconds: z.number(),
    serverInfo: z.object({ name: z.string(), version: z.string() }).optional(),
    /** Against what the server offers now. */
    difference: toolDifferenceSchema,
    tools: z.number(),
  }),
  z.object({ ok: z.literal(false), milliseconds: z.number(), problem: problemSchema }),
]);
export type EntryTrial = Readonly<z.infer<typeof entryTrialSchema>>;
