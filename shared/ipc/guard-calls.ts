import { z } from 'zod';
import { guardViewSchema, toolReviewSchema } from '../model/guard.ts';
import { type IpcRows, nothing } from './parts.ts';

const seen = z.object({ name: z.string(), digest: z.string() });

/** Calls about quarantined tool definitions, one row each; see `contract.ts`. */
export const guardCalls = {
  /** Initial state; `guard.changed` events update it. */
  'guard.list': { input: nothing, output: guardViewSchema },
  /**
   * Compares one tool with its approved definition. `digest` picks one of several quarantined definitions;
   * the default is the current one.
   */
  'guard.review': {
    input: z.object({ serverKey: z.string(), name: z.string(), digest: z.string().optional() }),
    output: toolReviewSchema,
  },
  /**
   * Approves or blocks definitions as the user saw them. Rejects as a whole with `guard.changed_meanwhile` if
   * any of them has changed since.
   */
  'guard.decide': {
    input: z.object({
      serverKey: z.string(),
      tools: z.array(seen).min(1),
      decision: z.enum(['approve', 'block']),
    }),
    output: z.object({ undoId: z.string() }),
  },
  /** Undoes a decision, for a limited time. */
  'guard.undo': { input: z.object({ undoId: z.string() }), output: nothing },
} as const satisfies IpcRows;

export const guardEvents = {
  /** Everything that is quarantined now. */
  'guard.changed': guardViewSchema,
} as const;
