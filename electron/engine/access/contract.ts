import type { ApprovalAnswer, Grant, Identity, IdentityKind } from '../../../shared/model/access/access.ts';

/** Input for a new identity. Names are unique per kind. */
export interface NewIdentity {
  readonly kind: IdentityKind;
  readonly name: string;
  readonly owner?: string | undefined;
  readonly expiresAt?: number | undefined;
}

export type AccessEventKind =
  | 'access.begun_anew'
  | 'identity.created'
  | 'identity.revoked'
  | 'identity.restored'
  | 'identity.removed'
  | 'identity.expired'
  | 'identity.token_made'
  | 'grant.made'
  | 'grant.revoked'
  | 'grant.moved'
  | 'grant.dropped'
  | 'token.issued'
  | 'token.revoked'
  | 'approval.asked'
  | 'approval.answered'
  | 'approval.withdrawn'
  | 'approval.timed_out';

/** A change of who may call what, for the audit log. Contains no secrets. */
export interface AccessEvent {
  readonly kind: AccessEventKind;
  readonly at: number;
  /** Undefined for events that do not concern a single identity. */
  readonly identity?: Pick<Identity, 'id' | 'kind' | 'name'>;
  /** The actor, as far as known: `the window`, `the command line`, `first connection`, `the hub`… */
  readonly by: string;
  /** One plain sentence. */
  readonly text: string;
  readonly grant?: Grant;
  readonly serverKey?: string;
  readonly tool?: string;
  readonly tokenId?: string;
  readonly answer?: ApprovalAnswer;
}
