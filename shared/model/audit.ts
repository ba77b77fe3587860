import { z } from 'zod';
import { activityOutcomes, longestFilterText } from './activity.ts';

/**
 * `invocation`: a call of a tool, prompt or resource. `server`: a server was added, changed, renamed, removed, switched, connected,
 * or somebody decided about definitions of its tools.
 * `identity`, `grant`, `token`, `approval`: who may do what. `hub`: the hub itself: its start
 * and end, settings, secrets (by name), profiles, configs of clients, updates, and the audit log.
 */
export const auditKinds = ['invocation', 'server', 'identity', 'grant', 'token', 'approval', 'hub'] as const;
export type AuditKind = (typeof auditKinds)[number];

/** `ok` and the rest as in activity; `denied`: by who may do what; `failed`: what was to be done was not. */
export const auditOutcomes = [...activityOutcomes, 'denied', 'failed'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** One thing that was done, with nothing secret in it. */
export const auditRowSchema = z.object({
  /** Grows by one with each, across restarts. */
  seq: z.number(),
  /** Epoch milliseconds, when it was done. */
  at: z.number(),
  kind: z.enum(auditKinds),
  /** `call`, or `add`, `revoke`, `connected`, … */
  action: z.string(),
  /** Who did it: an identity, a client by its name, `window`, `admin`, `hub`. */
  actor: z.string(),
  outcome: z.enum(auditOutcomes),
  serverKey: z.string().optional(),
  /** The tool's or prompt's own name, or the resource's URI. */
  tool: z.string().optional(),
  text: z.string().optional(),
  /** Of an invocation, as are all below. */
  correlationId: z.string().optional(),
  method: z.string().optional(),
  /** SHA-256 of the canonical text of the arguments, their secrets taken out. */
  paramsHash: z.string().optional(),
  /** Up to 500 characters of the result, its secrets taken out. */
  resultSummary: z.string().optional(),
  attempts: z.number().optional(),
  milliseconds: z.number().optional(),
  decision: z.enum(['ALLOW', 'ASK', 'DENY']).optional(),
  /** The decision was remembered. */
  cached: z.boolean().optional(),
  /** What it carried is not known: the hub was killed before it was written. */
  isPartial: z.literal(true).optional(),
  /** SHA-256 of this row and of the hash of the one before. */
  hash: z.string(),
});
export type AuditRow = Readonly<z.infer<typeof auditRowSchema>>;

/** What a command did by itself to a data folder, for the audit log of the hub that runs on it. */
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

/** Which rows; all that is given has to hold. */
export const auditFilterSchema = z.object({
  since: z.number().optional(),
  until: z.number().optional(),
  kinds: z.array(z.enum(auditKinds)).readonly().optional(),
  /** By `actor`. */
  identity: z.string().optional(),
  serverKey: z.string().optional(),
  tool: z.string().optional(),
  outcomes: z.array(z.enum(auditOutcomes)).readonly().optional(),
  /** Part of its action, actor, server, tool, text or correlation id; A to Z in either case. */
  text: z.string().max(longestFilterText).optional(),
});
export type AuditFilter = Readonly<z.infer<typeof auditFilterSchema>>;

export const auditQuerySchema = auditFilterSchema.extend({
  limit: z.int().min(1).max(500),
  /** Only those older than this one: the last of the page before. */
  before: z.number().optional(),
});
export type AuditQuery = Readonly<z.infer<typeof auditQuerySchema>>;

export const auditPageSchema = z.object({
  /** Newest first. */
  rows: z.array(auditRowSchema).readonly(),
  hasMore: z.boolean(),
});
export type AuditPage = Readonly<z.infer<typeof auditPageSchema>>;

/** Whether the log is what it was when it was written. */
export const auditVerdictSchema = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    rows: z.number(),
    /** When the oldest row was made. */
    since: z.number().optional(),
    /** Hash of the newest row: noted elsewhere, it proves that nothing was taken from the end. */
    head: z.string().optional(),
  }),
  z.object({ ok: z.literal(false), rows: z.number(), at: z.number(), why: z.string() }),
]);
export type AuditVerdict = Readonly<z.infer<typeof auditVerdictSchema>>;

/** Something that was done, for the audit log; what is secret in it is masked before it is written. */
export interface AuditNote {
  readonly kind: Exclude<AuditKind, 'invocation'>;
  readonly action: string;
  /** Absent: whoever runs the operation. */
  readonly actor?: string | undefined;
  /** Absent: `ok`. */
  readonly outcome?: AuditOutcome | undefined;
  readonly serverKey?: string | undefined;
  readonly tool?: string | undefined;
  readonly text?: string | undefined;
  /** Epoch milliseconds; absent: now. */
  readonly at?: number | undefined;
}
