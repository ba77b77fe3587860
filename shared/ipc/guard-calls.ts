import { z } from 'zod';
import { guardViewSchema, toolReviewSchema } from '../model/guard.ts';
import { type IpcRows, nothing } from './parts.ts';

const seen = z.object({ name: z.string(), digest: z.string() });

/** Calls about tools whose definitions are held back, one row each; see `contract.ts`. */
export const guardCalls = {
  /** `guard.changed` keeps it fresh. */
  'guard.list': { input: nothing, output: guardViewSchema },
  /** One tool against its approved definition; that with this digest, where several are held, else the one offered now. */
  'guard.review': {
    input: z.object({ serverKey: z.string(), name: z.string(), digest: z.string().optional() }),
    output: toolReviewSchema,
  },
  /**
   * Approves definitions as they were seen, or has them stay away. Refused with `guard.changed_meanwhile`, as a whole, where
   * one of them is another one by now.
   */
  'guard.decide': {
    input: z.object({
      serverKey: z.string(),
      tools: z.array(seen).min(1),
      decision: z.enum(['approve', 'block']),
    }),
    output: z.object({ undoId: z.string() }),
  },
  /** Takes a decision back, for a while. */
  'guard.undo': { input: z.object({ undoId: z.string() }), output: nothing },
} as const satisfies IpcRows;

export const guardEvents = {
  /** Everything that is held now. */
  'guard.changed': guardViewSchema,
} as const;
