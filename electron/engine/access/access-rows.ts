import {
  type Grant,
  type GrantScope,
  grantScopeSchema,
  type Identity,
  type ToolToken,
} from '../../../shared/model/access/access.ts';
import type { IdentityRow, PolicyRow, ToolTokenRow } from './tables.ts';

/** An identity with the stored part of its token. */
export interface StoredIdentity {
  readonly identity: Identity;
  /** SHA-256 in hexadecimal. */
  readonly tokenHash: string | undefined;
}

export function identityRow({ identity, tokenHash }: StoredIdentity): IdentityRow {
  return {
    id: identity.id,
    kind: identity.kind,
    name: identity.name,
    owner: identity.owner ?? null,
    created_at: identity.createdAt,
    expires_at: identity.expiresAt ?? null,
    revoked_at: identity.revokedAt ?? null,
    token_hash: tokenHash ?? null,
    last_seen_at: identity.lastSeenAt ?? null,
  };
}

export function toIdentity(row: IdentityRow): StoredIdentity {
  const identity = {
    id: row.id,
    kind: row.kind,
    name: row.name,
    ...(row.owner === null ? {} : { owner: row.owner }),
    createdAt: row.created_at,
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
    ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
    hasToken: row.token_hash !== null,
    ...(row.last_seen_at === null ? {} : { lastSeenAt: row.last_seen_at }),
  };
  return { identity, tokenHash: row.token_hash ?? undefined };
}

export function policyRow(grant: Grant): PolicyRow {
  return {
    id: grant.id,
    agent_id: grant.identityId,
    effect: grant.effect,
    ...subjectOf(grant.scope),
    needs_token: grant.needsToken === true ? 1 : 0,
    granted_at: grant.grantedAt,
    granted_by: grant.grantedBy,
    expires_at: grant.expiresAt ?? null,
  };
}

/** Returns undefined for a row that this version does not know; such a row grants nothing. */
export function toGrant(row: PolicyRow): Grant | undefined {
  const scope = grantScopeSchema.safeParse({
    kind: row.scope,
    serverKey: row.server_id,
    tool: row.tool_name,
    pattern: row.tool_name,
    risk: row.tool_name,
  });
  if (!scope.success) return undefined;
  return {
    id: row.id,
    identityId: row.agent_id,
    effect: row.effect,
    scope: scope.data,
    ...(row.needs_token === 1 ? { needsToken: true } : {}),
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
    grantedAt: row.granted_at,
    grantedBy: row.granted_by,
  };
}

export function tokenRow(token: ToolToken): ToolTokenRow {
  return {
    token_id: token.tokenId,
    agent_id: token.identityId,
    server_id: token.serverKey,
    tool_name: token.tool,
    created_at: token.createdAt,
    expires_at: token.expiresAt,
  };
}

export function toToken(row: ToolTokenRow): ToolToken {
  return {
    tokenId: row.token_id,
    identityId: row.agent_id,
    serverKey: row.server_id,
    tool: row.tool_name,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

function subjectOf(scope: GrantScope): Pick<PolicyRow, 'scope' | 'server_id' | 'tool_name'> {
  switch (scope.kind) {
    case 'all':
      return { scope: 'all', server_id: '', tool_name: '' };
    case 'server':
      return { scope: 'server', server_id: scope.serverKey, tool_name: '' };
    case 'tool':
      return { scope: 'tool', server_id: scope.serverKey, tool_name: scope.tool };
    case 'pattern':
      return { scope: 'pattern', server_id: '', tool_name: scope.pattern };
    case 'risk':
      return { scope: 'risk', server_id: '', tool_name: scope.risk };
  }
}
