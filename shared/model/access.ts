import { z } from 'zod';

/** Control characters, and those that let a name look like another: of other directions, of other lines, of no width. */
export const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u;

/** What an identity may be called: a client by what it calls itself or its entry, an agent by what it was named. */
export const identityNameSchema = z
  .string()
  .min(1, 'an identity needs a name')
  .max(200, 'a name has at most 200 characters')
  .refine((name) => name.trim() !== '', 'a name has something to be seen by')
  .refine((name) => !unseen.test(name), 'a name has no control characters, nor any that are not seen');

export const identityKindSchema = z.enum(['client', 'agent']);
export type IdentityKind = z.infer<typeof identityKindSchema>;

/** Who asks. Times in epoch milliseconds. */
export const identitySchema = z.object({
  id: z.string(),
  kind: identityKindSchema,
  /** One of its kind. */
  name: z.string(),
  owner: z.string().optional(),
  createdAt: z.number(),
  /** From then on it may do nothing. */
  expiresAt: z.number().optional(),
  revokedAt: z.number().optional(),
  /** Whether it has a token of its own; the token itself is kept nowhere. */
  hasToken: z.boolean(),
  /** To the day. */
  lastSeenAt: z.number().optional(),
});
export type Identity = Readonly<z.infer<typeof identitySchema>>;

export const riskSchema = z.enum(['low', 'high']);
export type Risk = z.infer<typeof riskSchema>;

const serverKey = z.string().min(1);

/** What a grant is about. A pattern is compared with `serverKey:tool`; `*` stands for any characters, `?` for one. */
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
  /** It holds only while a token of its identity for the very tool is alive; see {@link toolTokenSchema}. */
  needsToken: z.boolean().optional(),
  expiresAt: z.number().optional(),
  grantedAt: z.number(),
  grantedBy: z.string(),
});
export type Grant = Readonly<z.infer<typeof grantSchema>>;

/** What somebody grants. One of the same identity, scope and kind of effect is replaced by it. */
export const grantInputSchema = grantSchema
  .omit({ id: true, grantedAt: true, grantedBy: true })
  .extend({ grantedBy: z.string().optional() });
export type GrantInput = Readonly<z.infer<typeof grantInputSchema>>;

/** A permission for one tool that ends by itself, for whoever needs one or has been asked for. It is no secret. */
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
  /** One plain sentence. */
  reason: z.string(),
  code: decisionCodeSchema,
  /** The grant that decided; where none is in force, one that was. */
  grantId: z.string().optional(),
  /** It may be another one from then on. */
  until: z.number().optional(),
  cached: z.boolean(),
});
export type Decision = Readonly<z.infer<typeof decisionSchema>>;

/** A call that waits for somebody to allow it. */
export const approvalRequestSchema = z.object({
  id: z.string(),
  identityId: z.string(),
  clientName: z.string(),
  serverKey: z.string(),
  tool: z.string(),
  risk: riskSchema,
  /** What it is called with, secrets masked; cut where it is long. */
  argumentsText: z.string(),
  askedAt: z.number(),
  expiresAt: z.number(),
  /** Calls of this tool by the same identity that wait behind it; they are shown when it was allowed once. */
  behind: z.number(),
});
export type ApprovalRequest = Readonly<z.infer<typeof approvalRequestSchema>>;

/** `deny` refuses this call and those behind it, not later ones. */
export const approvalAnswerSchema = z.enum(['once', 'for-15-minutes', 'always', 'deny']);
export type ApprovalAnswer = z.infer<typeof approvalAnswerSchema>;

/** What a client gets that is seen for the first time: a grant of everything, one that asks, or none. */
export const newClientsSchema = z.enum(['everything', 'ask', 'nothing']);
export type NewClients = z.infer<typeof newClientsSchema>;

/** All about who may call what, but for what waits. */
export const accessViewSchema = z.object({
  identities: z.array(identitySchema).readonly(),
  grants: z.array(grantSchema).readonly(),
  tokens: z.array(toolTokenSchema).readonly(),
  newClients: newClientsSchema,
  /** Destructive tools are asked about for everybody that no more specific rule lets call them. */
  askDestructive: z.boolean(),
});
export type AccessView = Readonly<z.infer<typeof accessViewSchema>>;
