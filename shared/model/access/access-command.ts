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

/** Name of the identity. Without a kind it means a client or an agent, if only one of them has that name. */
const who = { name: identityNameSchema, kind: identityKindSchema.optional() };

/** Commands of `patchbay access`, for a running hub or for a stopped hub's data folder. */
export const accessCommandSchema = z.discriminatedUnion('verb', [
  z.object({ verb: z.literal('list') }),
  /** Sets whether Patchbay asks before destructive tools, for all clients. */
  z.object({ verb: z.literal('ask-destructive'), isOn: z.boolean() }),
  /** Continues with what could be recovered from a damaged database. */
  z.object({ verb: z.literal('begin-anew') }),
  z.object({
    verb: z.literal('grant'),
    ...who,
    effect: effectSchema,
    scope: grantScopeSchema,
    /** Minutes until the grant expires. */
    minutes: z.number().positive().optional(),
    /** Allows a grant for a server or tool that does not exist yet. */
    ahead: z.boolean().optional(),
  }),
  /** Revokes the grant for this scope, or all access without a scope. */
  z.object({ verb: z.literal('revoke'), ...who, scope: grantScopeSchema.optional() }),
  z.object({ verb: z.literal('restore'), ...who }),
  /** Lists calls that wait for approval. */
  z.object({ verb: z.literal('waiting') }),
  /** Answers a call by its id, or the first characters of it. */
  z.object({ verb: z.literal('answer'), id: z.string().min(1), answer: approvalAnswerSchema }),
  /**
   * Registers a newly connected client by the name in its entry: it gets access to everything unless a rule
   * for it exists.
   */
  z.object({ verb: z.literal('connected'), name: identityNameSchema }),
  /** Issues a new token; an unknown agent is created. */
  z.object({ verb: z.literal('token'), ...who }),
]);
export type AccessCommand = Readonly<z.infer<typeof accessCommandSchema>>;

export const accessAnswerSchema = z.object({
  /** Access as it is after the command. */
  view: accessViewSchema,
  /** Calls that wait for approval. */
  waiting: z.array(approvalRequestSchema).readonly().optional(),
  /** The new token, shown only this once. */
  token: z.string().optional(),
  /** Additional information about the result. */
  note: z.string().optional(),
});
export type AccessAnswer = Readonly<z.infer<typeof accessAnswerSchema>>;
