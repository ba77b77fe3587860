import { z } from 'zod';
import { problemSchema } from '../../error/problem-schema.ts';

/** Effect of a config change on a server's tools, by their original names. */
export const toolDifferenceSchema = z.object({
  added: z.array(z.string()).readonly(),
  removed: z.array(z.string()).readonly(),
  /** Same name, different definition. */
  changed: z.array(z.string()).readonly(),
});
export type ToolDifference = Readonly<z.infer<typeof toolDifferenceSchema>>;

/**
 * A config change in progress: the new process starts beside the old one, which serves until the new one can.
 * Absent once there is nothing left to report.
 */
export const serverUpdateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('starting'), since: z.number() }),
  /** The new process serves; the old one stops after its last call. */
  z.object({
    kind: z.literal('done'),
    at: z.number(),
    difference: toolDifferenceSchema,
    /** True while the old process still has active calls. */
    draining: z.boolean(),
  }),
  /** The new process failed to start; the old one keeps serving with its old config. */
  z.object({ kind: z.literal('failed'), at: z.number(), problem: problemSchema }),
]);
export type ServerUpdate = Readonly<z.infer<typeof serverUpdateSchema>>;

/** Result of a trial: the edited config was started beside the running server and stopped again. */
export const entryTrialSchema = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    milliseconds: z.number(),
    serverInfo: z.object({ name: z.string(), version: z.string() }).optional(),
    /** Compared with what the server offers now. */
    difference: toolDifferenceSchema,
    tools: z.number(),
  }),
  z.object({ ok: z.literal(false), milliseconds: z.number(), problem: problemSchema }),
]);
export type EntryTrial = Readonly<z.infer<typeof entryTrialSchema>>;
