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
} from '../model/access/access.ts';
import { accessAnswerSchema, accessCommandSchema } from '../model/access/access-command.ts';
import { operation } from './operation.ts';
import { nothing } from './parts.ts';

const identity = z.object({ id: z.string() });

/**
 * Operations on identities, grants, tokens and approvals. Changes take effect at once and are on disk when
 * the operation ends; they reject with `access.unsaved` if that failed. Missing identities and grants reject
 * with `access.unknown_identity` and `access.unknown_grant`. The audit notes come from the access room's
 * events.
 */
export const accessOperations = {
  /** `access.changed` keeps it up to date. */
  'access.get': operation({ input: nothing, output: accessViewSchema, doors: ['window', 'rest'] }),
  /** Rejects with `access.identity_exists`. */
  'access.create': operation({
    input: z.object({
      kind: identityKindSchema,
      name: identityNameSchema,
      owner: z.string().max(200).optional(),
      expiresAt: z.number().optional(),
    }),
    output: identitySchema,
    doors: ['window', 'rest'],
  }),
  /** Creates a new token; the old one and the sessions it opened end. The token never reaches the window. */
  'access.rotate': operation({
    input: identity,
    output: z.object({ identity: identitySchema, token: z.string() }),
    doors: ['rest'],
  }),
  /** Closes its sessions and refuses its calls. */
  'access.revoke': operation({ input: identity, output: nothing, doors: ['window', 'rest'] }),
  'access.restore': operation({ input: identity, output: nothing, doors: ['window', 'rest'] }),
  /** Removes an identity with everything that was granted to it. */
  'access.remove': operation({ input: identity, output: nothing, doors: ['window', 'rest'] }),
  /** Adds a grant, replacing one of the same identity with the same scope. */
  'access.grant': operation({
    input: grantInputSchema.omit({ grantedBy: true }),
    output: grantSchema,
    doors: ['window', 'rest'],
  }),
  'access.revokeGrant': operation({
    input: z.object({ grantId: z.string() }),
    output: nothing,
    doors: ['window', 'rest'],
  }),
  /**
   * Issues a permission for one tool that expires by itself, after `ttlMs` milliseconds or the default from
   * the limits.
   */
  'access.issueToken': operation({
    input: z.object({
      identityId: z.string(),
      serverKey: z.string().min(1),
      tool: z.string().min(1),
      ttlMs: z.number().positive().optional(),
    }),
    output: z.object({ tokenId: z.string(), expiresAt: z.number() }),
    doors: ['window', 'rest'],
  }),
  'access.revokeToken': operation({
    input: z.object({ tokenId: z.string() }),
    output: nothing,
    doors: ['window', 'rest'],
  }),
  /** Lists calls that wait for approval; `approvals.changed` keeps it up to date. */
  'access.approvals': operation({
    input: nothing,
    output: z.object({ approvals: z.array(approvalRequestSchema).readonly() }),
    doors: ['window', 'rest'],
  }),
  /** Rejects with `access.approval_gone`. */
  'access.answer': operation({
    input: z.object({ approvalId: z.string(), answer: approvalAnswerSchema }),
    output: nothing,
    doors: ['window', 'rest'],
  }),
  /** Continues with what could be salvaged of a damaged database, while the hub has the problem `access.lost`. */
  'access.beginAnew': operation({ input: nothing, output: nothing, doors: ['window'] }),
  /** Runs a command of `patchbay access`; resolves when it is on disk. */
  'access.command': operation({ input: accessCommandSchema, output: accessAnswerSchema, doors: ['cli'] }),
  /** Grants everything to a client that a person connected, unless something was decided already. */
  'access.clientConnected': operation({
    input: z.object({ name: z.string() }),
    output: nothing,
    doors: [],
  }),
};

export const accessEvents = {
  /** All identities, grants and tokens. */
  'access.changed': accessViewSchema,
  /** All calls that wait for approval, oldest first. */
  'approvals.changed': z.object({ approvals: z.array(approvalRequestSchema).readonly() }),
} as const;
