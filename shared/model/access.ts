import { z } from 'zod';

/**
 * Characters that can make a name look like another: control, direction, line-separator and zero-width
 * characters.
 */
export const invisibleCharacters =
  /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u;

/**
 * Name of an identity: for a client, the name it reports or its entry's name; for an agent, the name it was
 * given.
 */
export const identityNameSchema = z
  .string()
  .min(1, 'an identity needs a name')
  .max(200, 'a name must have at most 200 characters')
  .refine((name) => name.trim() !== '', 'a name needs at least one visible character')
  .refine(
    (name) => !invisibleCharacters.test(name),
    'a name must not contain control or invisible characters',
  );

export const identityKindSchema = z.enum(['client', 'agent']);
export type IdentityKind = z.infer<typeof identityKindSchema>;

/** A client or agent that makes calls. Times in epoch milliseconds. */
export const identitySchema = z.object({
  id: z.string(),
  kind: identityKindSchema,
  /** Unique within its kind. */
  name: z.string(),
  owner: z.string().optional(),
  createdAt: z.number(),
  /** From this time on everything is denied. */
  expiresAt: z.number().optional(),
  revokedAt: z.number().optional(),
  /** True if it has its own token; the token itself is not stored. */
  hasToken: z.boolean(),
  /** Accurate to the day. */
  lastSeenAt: z.number().optional(),
});
export type Identity = Readonly<z.infer<typeof identitySchema>>;

export const riskSchema = z.enum(['low', 'high']);
export type Risk = z.infer<typeof riskSchema>;

const serverKey = z.string().min(1);

/**
 * Tools that a grant covers. A pattern is matched against `serverKey:tool`; `*` matches any characters, `?`
 * matches one.
 */
export const grantScopeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('all') }),
  z.object({ kind: z.literal('server'), serverKey }),
  z.object({ kind: z.literal('tool'), serverKey, tool: z.string().min(1) }),
  z.object({ kind: z.literal('pattern'), pattern: z.string().min(1).max(500) }),
  z.object({ kind: z.literal('risk'), risk: riskSchema }),
]);
export type GrantScope = Readonly<z.infer<typeof grantScopeSchema>>;

export const effectSchema = z.enum(['allow', 'ask', 'deny']);
export type Effect = z.infer<typeof effectSchema>;

export const grantSchema = z.object({
  id: z.string(),
  identityId: z.string(),
  effect: effectSchema,
  scope: grantScopeSchema,
  /**
   * True if the grant applies only with a valid token for this identity and tool; see {@link
   * toolTokenSchema}.
   */
  needsToken: z.boolean().optional(),
  expiresAt: z.number().optional(),
  grantedAt: z.number(),
  grantedBy: z.string(),
});
export type Grant = Readonly<z.infer<typeof grantSchema>>;

/** Input for a grant. It replaces one with the same identity, scope and kind of effect. */
export const grantInputSchema = grantSchema
  .omit({ id: true, grantedAt: true, grantedBy: true })
  .extend({ grantedBy: z.string().optional() });
export type GrantInput = Readonly<z.infer<typeof grantInputSchema>>;

/** A temporary permission for one tool, for grants that need a token or ask. It is not a secret. */
export const toolTokenSchema = z.object({
  tokenId: z.string(),
  identityId: z.string(),
  serverKey: z.string(),
  tool: z.string(),
  createdAt: z.number(),
  expiresAt: z.number(),
});
export type ToolToken = Readonly<z.infer<typeof toolTokenSchema>>;

export const decisionCodeSchema = z.enum([
  'granted',
  'granted_with_token',
  'asks',
  'asks_destructive',
  'denied',
  'no_grant',
  'token_needed',
  'identity_unknown',
  'identity_revoked',
  'identity_expired',
  'unreadable',
]);
export type DecisionCode = z.infer<typeof decisionCodeSchema>;

export const decisionSchema = z.object({
  effect: effectSchema,
  /** One sentence. */
  reason: z.string(),
  code: decisionCodeSchema,
  /** The deciding grant; if none is in force, one that has expired. */
  grantId: z.string().optional(),
  /** Time until which the decision is valid. */
  until: z.number().optional(),
  cached: z.boolean(),
});
export type Decision = Readonly<z.infer<typeof decisionSchema>>;

/** A call that waits for approval. */
export const approvalRequestSchema = z.object({
  id: z.string(),
  identityId: z.string(),
  clientName: z.string(),
  serverKey: z.string(),
  tool: z.string(),
  risk: riskSchema,
  /** Arguments as text: secrets masked, cut if long. */
  argumentsText: z.string(),
  askedAt: z.number(),
  expiresAt: z.number(),
  /**
   * Number of calls of the same tool by the same identity queued behind this one; they appear after a
   * one-time approval.
   */
  behind: z.number(),
});
export type ApprovalRequest = Readonly<z.infer<typeof approvalRequestSchema>>;

/** `deny` rejects this call and those queued behind it, not later ones. */
export const approvalAnswerSchema = z.enum(['once', 'for-15-minutes', 'always', 'deny']);
export type ApprovalAnswer = z.infer<typeof approvalAnswerSchema>;

/** Initial access of a new client: a grant of everything, one that asks, or none. */
export const newClientsSchema = z.enum(['everything', 'ask', 'nothing']);
export type NewClients = z.infer<typeof newClientsSchema>;

/** Complete access control state, except for waiting calls. */
export const accessViewSchema = z.object({
  identities: z.array(identitySchema).readonly(),
  grants: z.array(grantSchema).readonly(),
  tokens: z.array(toolTokenSchema).readonly(),
  newClients: newClientsSchema,
  /** True if every client needs approval for destructive tools, unless a more specific rule allows them. */
  askDestructive: z.boolean(),
});
export type AccessView = Readonly<z.infer<typeof accessViewSchema>>;
