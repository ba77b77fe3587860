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

/**
 * The part of the engine that decides who may call what (REQ-MCP-AUTH-001..003). Changes take effect at once
 * and are on disk when the promise resolves. If saving fails it rejects with `access.unsaved`, and the change
 * still applies until the hub quits. `by` names who did it, for the audit log. Unknown ids are reported as
 * `access.unknown_identity` or `access.unknown_grant`.
 */
export interface AccessEngine {
  readonly access: {
    /** Everything except pending approvals; `onChange` fires with each new view. */
    view(): AccessView;
    identities(): readonly Identity[];
    byName(kind: IdentityKind, name: string): Identity | undefined;
    /** Rejects with `access.identity_exists`. */
    create(identity: NewIdentity, by?: string): Promise<Identity>;
    /** Issues a new bearer token. The previous one stops working, and its sessions are closed. */
    rotate(id: string, by?: string): Promise<{ readonly identity: Identity; readonly token: string }>;
    /** Takes away all access: closes the sessions of the identity and refuses its calls. */
    revoke(id: string, by?: string): Promise<void>;
    restore(id: string, by?: string): Promise<void>;
    /** Removes an identity with its grants and tokens. If the client connects again, it counts as new. */
    remove(id: string, by?: string): Promise<void>;

    grants(identityId?: string): readonly Grant[];
    /** Replaces the grant of the same identity with the same scope, if there is one. */
    grant(input: GrantInput): Promise<Grant>;
    revokeGrant(grantId: string, by?: string): Promise<void>;

    tokens(identityId?: string): readonly ToolToken[];
    /**
     * Issues a temporary permission for a tool whose grant needs a token or asks first. Lasts as long as the
     * limits say by default.
     */
    issueToken(
      identityId: string,
      serverKey: string,
      tool: string,
      ttlMs?: number,
      by?: string,
    ): Promise<{ readonly tokenId: string; readonly expiresAt: number }>;
    revokeToken(tokenId: string, by?: string): Promise<void>;

    /** Decides synchronously. Unknown identities may do nothing. */
    authorize(identityId: string, serverKey: string, tool: string): Decision;
    /**
     * Returns the owner of a bearer token, compared in constant time; undefined if it was revoked or has
     * expired.
     */
    identify(bearer: string): 'admin' | Identity | undefined;

    approvals(): readonly ApprovalRequest[];
    /** Rejects with `access.approval_gone`. */
    answer(approvalId: string, answer: ApprovalAnswer, by?: string): Promise<void>;

    /** Continues with what could be salvaged of a damaged database; see `access.lost`. */
    beginAnew(by?: string): Promise<void>;

    /** Applies to clients that connect for the first time from now on. */
    setNewClients(newClients: NewClients): void;
    /**
     * Asks before destructive tools from the next call on, unless a rule more specific than "everything"
     * decides.
     */
    setAskDestructive(askDestructive: boolean): void;
    /**
     * Adds a client that was connected in the window, with full access unless something was decided about it
     * already.
     */
    clientConnected(name: string): Promise<void>;

    readonly onChange: Event<AccessView>;
    readonly onApprovals: Event<readonly ApprovalRequest[]>;
    /** Fires once per change. */
    readonly onEvent: Event<AccessEvent>;
  };
}
