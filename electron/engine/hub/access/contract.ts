import type {
  AccessView,
  ApprovalAnswer,
  ApprovalRequest,
  Decision,
  Grant,
  GrantInput,
  Identity,
  IdentityKind,
  NewClients,
  ToolToken,
} from '../../../../shared/model/access.ts';
import type { Event } from '../../base/emitter.ts';

/** What is told of a new identity. Names are one of their kind. */
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

/** Something that happened to who may call what, for the audit. It holds no secret. */
export interface AccessEvent {
  readonly kind: AccessEventKind;
  readonly at: number;
  /** Undefined for what is about nobody alone. */
  readonly identity?: Pick<Identity, 'id' | 'kind' | 'name'>;
  /** Who did it, as far as that is known: `the window`, `the command line`, `first connection`, `the hub`… */
  readonly by: string;
  /** One plain sentence. */
  readonly text: string;
  readonly grant?: Grant;
  readonly serverKey?: string;
  readonly tool?: string;
  readonly tokenId?: string;
  readonly answer?: ApprovalAnswer;
}

/**
 * The part of the engine that decides who may call what (REQ-MCP-AUTH-001..003). What changes holds at once, and is on
 * disk when the promise resolves; it rejects with `access.unsaved` where that failed, and still holds until the hub ends.
 * `by` says who did it, for the audit. What is not there is `access.unknown_identity` or `access.unknown_grant`.
 */
export interface AccessEngine {
  readonly access: {
    /** All but what waits; `onChange` says that it is another one. */
    view(): AccessView;
    identities(): readonly Identity[];
    byName(kind: IdentityKind, name: string): Identity | undefined;
    /** Rejects with `access.identity_exists`. */
    create(identity: NewIdentity, by?: string): Promise<Identity>;
    /** A new token of its own; the one before is none any more, and the sessions that it opened are closed. */
    rotate(id: string, by?: string): Promise<{ readonly identity: Identity; readonly token: string }>;
    /** It may do nothing from now on: its sessions are closed, its calls refused. */
    revoke(id: string, by?: string): Promise<void>;
    restore(id: string, by?: string): Promise<void>;
    /** Forgets it, with its grants and tokens. A client that connects again is seen for the first time then. */
    remove(id: string, by?: string): Promise<void>;

    grants(identityId?: string): readonly Grant[];
    /** In place of the one of the same identity about the same, if there is one. */
    grant(input: GrantInput): Promise<Grant>;
    revokeGrant(grantId: string, by?: string): Promise<void>;

    tokens(identityId?: string): readonly ToolToken[];
    /** For what a grant allows only with a token, or asks about. As long as the limits say, unless told otherwise. */
    issueToken(
      identityId: string,
      serverKey: string,
      tool: string,
      ttlMs?: number,
      by?: string,
    ): Promise<{ readonly tokenId: string; readonly expiresAt: number }>;
    revokeToken(tokenId: string, by?: string): Promise<void>;

    /** Decides, at once. Nothing may be done by whom nobody knows. */
    authorize(identityId: string, serverKey: string, tool: string): Decision;
    /** Whose bearer token this is: compared in a time that says nothing about it. A revoked or expired one is nobody's. */
    identify(bearer: string): 'admin' | Identity | undefined;

    approvals(): readonly ApprovalRequest[];
    /** Rejects with `access.approval_gone`. */
    answer(approvalId: string, answer: ApprovalAnswer, by?: string): Promise<void>;

    /** Goes on with what could be saved of a damaged database; see `access.lost`. */
    beginAnew(by?: string): Promise<void>;

    /** For clients that are seen for the first time from now on. */
    setNewClients(newClients: NewClients): void;
    /** Destructive tools are asked about from the next call on, where no rule more specific than a grant of everything decides. */
    setAskDestructive(askDestructive: boolean): void;
    /** A client was connected in the window: it is known from now on, and gets everything unless something was decided already. */
    clientConnected(name: string): Promise<void>;

    readonly onChange: Event<AccessView>;
    readonly onApprovals: Event<readonly ApprovalRequest[]>;
    /** Every change, one by one. */
    readonly onEvent: Event<AccessEvent>;
  };
}
