import { z } from 'zod';
import {
  accessViewSchema,
  approvalAnswerSchema,
  approvalRequestSchema,
  grantInputSchema,
  grantSchema,
  identityKindSchema,
  identityNameSchema,
  identitySchema,
} from '../model/access.ts';
import { type IpcRows, nothing } from './parts.ts';

const identity = z.object({ id: z.string() });

/**
 * Calls about access control, one row each; see `contract.ts`. Unknown ids fail with
 * `access.unknown_identity` or `access.unknown_grant`; a change that applies but could not be saved fails
 * with `access.unsaved`.
 */
export const accessCalls = {
  /** Initial state; `access.changed` events update it. */
  'access.get': { input: nothing, output: accessViewSchema },
  /** Rejects with `access.identity_exists`. */
  'access.create': {
    input: z.object({
      kind: identityKindSchema,
      name: identityNameSchema,
      owner: z.string().max(200).optional(),
      expiresAt: z.number().optional(),
    }),
    output: identitySchema,
  },
  /**
   * Issues a new token and copies it to the clipboard, the only place it ever appears; the old token is
   * revoked.
   */
  'access.copyToken': { input: identity, output: nothing },
  'access.revoke': { input: identity, output: nothing },
  'access.restore': { input: identity, output: nothing },
  /** Deletes the identity with all its grants. */
  'access.remove': { input: identity, output: nothing },
  /** Replaces the identity's existing grant for the same target, if there is one. */
  'access.grant': { input: grantInputSchema.omit({ grantedBy: true }), output: grantSchema },
  'access.revokeGrant': { input: z.object({ grantId: z.string() }), output: nothing },
  /** Issues a permission for one tool that expires by itself. */
  'access.issueToken': {
    input: z.object({ identityId: z.string(), serverKey: z.string().min(1), tool: z.string().min(1) }),
    output: z.object({ tokenId: z.string(), expiresAt: z.number() }),
  },
  'access.revokeToken': { input: z.object({ tokenId: z.string() }), output: nothing },
  /** Calls that wait for approval; `approvals.changed` events update them. */
  'access.approvals': {
    input: nothing,
    output: z.object({ approvals: z.array(approvalRequestSchema).readonly() }),
  },
  /** Rejects with `access.approval_gone`. */
  'access.answer': {
    input: z.object({ approvalId: z.string(), answer: approvalAnswerSchema }),
    output: nothing,
  },
  /**
   * Continues with what could be recovered from a damaged database, while the hub has the problem
   * `access.lost`.
   */
  'access.beginAnew': { input: nothing, output: nothing },
} as const satisfies IpcRows;

export const accessEvents = {
  /** The complete access view. */
  'access.changed': accessViewSchema,
  /** All waiting calls, oldest first. */
  'approvals.changed': z.object({ approvals: z.array(approvalRequestSchema).readonly() }),
} as const;
