import { z } from 'zod';
import { activityOutcomes, maxFilterTextLength } from './activity.ts';

/**
 * `invocation`: a call of a tool, prompt or resource. `server`: a server was added, changed, renamed,
 * removed, switched or connected, or its tool definitions were approved or blocked. `identity`, `grant`,
 * `token`, `approval`: access control. `hub`: the hub itself: start and stop, settings, secrets (by name),
 * profiles, client configs, updates and the audit log.
 */
export const auditKinds = ['invocation', 'server', 'identity', 'grant', 'token', 'approval', 'hub'] as const;
export type AuditKind = (typeof auditKinds)[number];

/**
 * The activity outcomes, plus `denied` by access control and `failed` for an action that did not succeed.
 */
export const auditOutcomes = [...activityOutcomes, 'denied', 'failed'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** One recorded action, without secrets. */
export const auditRowSchema = z.object({
  /** Increases by one per row, across restarts. */
  seq: z.number(),
  /** Time of the action in epoch milliseconds. */
  at: z.number(),
  kind: z.enum(auditKinds),
  /** For example `call`, `add`, `revoke`, `connected`. */
  action: z.string(),
  /** The acting identity, a client by its name, `window`, `admin` or `hub`. */
  actor: z.string(),
  outcome: z.enum(auditOutcomes),
  serverKey: z.string().optional(),
  /** Original name of the tool or prompt, or the resource's URI. */
  tool: z.string().optional(),
  text: z.string().optional(),
  /** Fields from here on are for invocations. */
  correlationId: z.string().optional(),
  method: z.string().optional(),
  /** SHA-256 of the canonical text of the arguments, with secrets removed. */
  paramsHash: z.string().optional(),
  /** Up to 500 characters of the result, with secrets removed. */
  resultSummary: z.string().optional(),
  attempts: z.number().optional(),
  milliseconds: z.number().optional(),
  decision: z.enum(['ALLOW', 'ASK', 'DENY']).optional(),
  /** True if the access decision came from the cache. */
  cached: z.boolean().optional(),
  /** Set if the payload is unknown because the hub was killed before it was written. */
  isPartial: z.literal(true).optional(),
  /** SHA-256 of this row and the previous row's hash. */
  hash: z.string(),
});
export type AuditRow = Readonly<z.infer<typeof auditRowSchema>>;

/** An action that a command took on a data folder by itself, for the audit log of the running hub. */
export const commandNoteSchema = z.object({
  kind: z.enum(['server', 'hub']),
  action: z.enum([
    'set-secret',
    'replace-secret',
    'delete-secret',
    'sign-in',
    'sign-out',
    'connect-client',
    'disconnect-client',
    'choose-client-file',
    'back-up',
    'restore-backup',
    'import',
  ]),
  outcome: z.enum(['ok', 'failed']),
  serverKey: z.string().optional(),
  text: z.string().max(500).optional(),
});
export type CommandNote = Readonly<z.infer<typeof commandNoteSchema>>;

/** Filter for rows; a row must match all given fields. */
export const auditFilterSchema = z.object({
  since: z.number().optional(),
  until: z.number().optional(),
  kinds: z.array(z.enum(auditKinds)).readonly().optional(),
  /** Matches `actor`. */
  identity: z.string().optional(),
  serverKey: z.string().optional(),
  tool: z.string().optional(),
  outcomes: z.array(z.enum(auditOutcomes)).readonly().optional(),
  /** Part of the action, actor, server, tool, text or correlation id; ASCII letters match in either case. */
  text: z.string().max(maxFilterTextLength).optional(),
});
export type AuditFilter = Readonly<z.infer<typeof auditFilterSchema>>;

export const auditQuerySchema = auditFilterSchema.extend({
  limit: z.int().min(1).max(500),
  /** Returns only rows older than this one: the last one of the previous page. */
  before: z.number().optional(),
});
export type AuditQuery = Readonly<z.infer<typeof auditQuerySchema>>;

export const auditPageSchema = z.object({
  /** Newest first. */
  rows: z.array(auditRowSchema).readonly(),
  hasMore: z.boolean(),
});
export type AuditPage = Readonly<z.infer<typeof auditPageSchema>>;

/** Result of verifying that the log has not been altered. */
export const auditVerdictSchema = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    rows: z.number(),
    /** Time of the oldest row. */
    since: z.number().optional(),
    /** Hash of the newest row: stored elsewhere, it proves that no rows were cut from the end. */
    head: z.string().optional(),
  }),
  z.object({ ok: z.literal(false), rows: z.number(), at: z.number(), why: z.string() }),
]);
export type AuditVerdict = Readonly<z.infer<typeof auditVerdictSchema>>;

/** Something that was done, for the audit log; what is secret in it is masked before it is written. */
export interface AuditNote {
  readonly kind: Exclude<AuditKind, 'invocation'>;
  readonly action: string;
  /** Absent: the one who runs the operation. */
  readonly actor?: string | undefined;
  /** Absent: `ok`. */
  readonly outcome?: AuditOutcome | undefined;
  readonly serverKey?: string | undefined;
  readonly tool?: string | undefined;
  readonly text?: string | undefined;
  /** Epoch milliseconds; absent: now. */
  readonly at?: number | undefined;
}
