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
 * Calls about who may call what, one row each; see `contract.ts`. What is not there is `access.unknown_identity` or
 * `access.unknown_grant`; what holds but could not be written down is `access.unsaved`.
 */
export const accessCalls = {
  /** `access.changed` keeps it fresh. */
  'access.get': { input: nothing, output: accessViewSchema },
  /** Refused with `access.identity_exists`. */
  'access.create': {
    input: z.object({
      kind: identityKindSchema,
      name: identityNameSchema,
      owner: z.string().max(200).optional(),
      expiresAt: z.number().optional(),
    }),
    output: identitySchema,
  },
  /** Makes a new token of its own and puts it on the clipboard, which is all that is ever seen of it; the old one ends. */
  'access.copyToken': { input: identity, output: nothing },
  'access.revoke': { input: identity, output: nothing },
  'access.restore': { input: identity, output: nothing },
  /** Forgets it, with all that was granted to it. */
  'access.remove': { input: identity, output: nothing },
  /** In place of the grant of the same identity about the same, if there is one. */
  'access.grant': { input: grantInputSchema.omit({ grantedBy: true }), output: grantSchema },
  'access.revokeGrant': { input: z.object({ grantId: z.string() }), output: nothing },
  /** A permission for one tool that ends by itself. */
  'access.issueToken': {
    input: z.object({ identityId: z.string(), serverKey: z.string().min(1), tool: z.string().min(1) }),
    output: z.object({ tokenId: z.string(), expiresAt: z.number() }),
  },
  'access.revokeToken': { input: z.object({ tokenId: z.string() }), output: nothing },
  /** Calls that wait for somebody; `approvals.changed` keeps it fresh. */
  'access.approvals': {
    input: nothing,
    output: z.object({ approvals: z.array(approvalRequestSchema).readonly() }),
  },
  /** Refused with `access.approval_gone`. */
  'access.answer': {
    input: z.object({ approvalId: z.string(), answer: approvalAnswerSchema }),
    output: nothing,
  },
  /** Goes on with what could be saved of a damaged database, while the hub has the problem `access.lost`. */
  'access.beginAnew': { input: nothing, output: nothing },
} as const satisfies IpcRows;

export const accessEvents = {
  /** All of it, whole. */
  'access.changed': accessViewSchema,
  /** All that wait, in the order in which they came. */
  'approvals.changed': z.object({ approvals: z.array(approvalRequestSchema).readonly() }),
} as const;
