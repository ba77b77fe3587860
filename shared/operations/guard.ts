import { z } from 'zod';
import { guardViewSchema, toolReviewSchema } from '../model/tool/guard.ts';
import { operation, toolNote } from './operation.ts';
import { nothing, undoId } from './parts.ts';

const seen = z.object({ name: z.string(), digest: z.string() });

/** Operations on tools whose definitions are quarantined. */
export const guardOperations = {
  /** `guard.changed` keeps it up to date. */
  'guard.list': operation({ input: nothing, output: guardViewSchema, doors: ['window', 'cli'] }),
  /**
   * Compares a tool with its approved definition. `digest` selects one if several are quarantined; the
   * default is the current one.
   */
  'guard.review': operation({
    input: z.object({ serverKey: z.string(), name: z.string(), digest: z.string().optional() }),
    output: toolReviewSchema,
    doors: ['window', 'cli'],
  }),
  /**
   * Approves or blocks definitions as they were seen. Rejects as a whole with `guard.changed_meanwhile` if
   * one of them has changed since.
   */
  'guard.decide': operation({
    input: z.object({
      serverKey: z.string(),
      tools: z.array(seen).min(1),
      decision: z.enum(['approve', 'block']),
    }),
    output: undoId,
    doors: ['window', 'cli'],
    audit: ({ serverKey, tools, decision }) =>
      tools.map(({ name }) => toolNote(`${decision}-definition`, serverKey, name)),
  }),
  'guard.undo': operation({
    input: undoId,
    output: nothing,
    doors: ['window', 'cli'],
    audit: () => [{ kind: 'server', action: 'undo-definition-decision' }],
  }),
};

export const guardEvents = {
  /** All quarantined definitions. */
  'guard.changed': guardViewSchema,
} as const;
