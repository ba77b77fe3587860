import { z } from 'zod';
import {
  accessViewSchema,
  approvalAnswerSchema,
  approvalRequestSchema,
  effectSchema,
  grantScopeSchema,
  identityKindSchema,
  identityNameSchema,
} from './access.ts';

/** Whom a command is about, by name; without a kind, a client or an agent, where only one of them has that name. */
const who = { name: identityNameSchema, kind: identityKindSchema.optional() };

/** What `patchbay access` does, with a hub that runs or with what it left. */
export const accessCommandSchema = z.discriminatedUnion('verb', [
  z.object({ verb: z.literal('list') }),
  /** Whether Patchbay asks before destructive tools, for all clients. */
  z.object({ verb: z.literal('ask-destructive'), isOn: z.boolean() }),
  /** Goes on with what could be saved of a database that was damaged. */
  z.object({ verb: z.literal('begin-anew') }),
  z.object({
    verb: z.literal('grant'),
    ...who,
    effect: effectSchema,
    scope: grantScopeSchema,
    /** Minutes after which it ends. */
    minutes: z.number().positive().optional(),
    /** It is meant so, though there is no such server or tool. */
    ahead: z.boolean().optional(),
  }),
  /** The grant about this, or all access where nothing is said. */
  z.object({ verb: z.literal('revoke'), ...who, scope: grantScopeSchema.optional() }),
  z.object({ verb: z.literal('restore'), ...who }),
  /** Calls that somebody has to allow. */
  z.object({ verb: z.literal('waiting') }),
  /** By its id, or the beginning of it. */
  z.object({ verb: z.literal('answer'), id: z.string().min(1), answer: approvalAnswerSchema }),
  /** A client was connected, by the name in its entry: it gets everything unless something was decided already. */
  z.object({ verb: z.literal('connected'), name: identityNameSchema }),
  /** A new token of its own; an agent that nobody knows becomes known. */
  z.object({ verb: z.literal('token'), ...who }),
]);
export type AccessCommand = Readonly<z.infer<typeof accessCommandSchema>>;

export const accessAnswerSchema = z.object({
  /** How things are now. */
  view: accessViewSchema,
  /** Calls that somebody has to allow. */
  waiting: z.array(approvalRequestSchema).readonly().optional(),
  /** The token that was made, this once. */
  token: z.string().optional(),
  /** What to know about what was done. */
  note: z.string().optional(),
});
export type AccessAnswer = Readonly<z.infer<typeof accessAnswerSchema>>;
