import type { Grant, GrantScope, Identity } from '../../../../shared/model/access.ts';
import { scopeText } from '../../../../shared/model/access-text.ts';
import { clientTitle } from '../../../lib/client-title.ts';
import { formatAgo, formatUntil } from '../../../lib/format-time.ts';

export function identityTitle({ kind, name }: Pick<Identity, 'kind' | 'name'>): string {
  return kind === 'client' ? clientTitle({ name }) : name;
}

export function identitySearchText(identity: Identity): string {
  const { kind, name, owner = '' } = identity;
  return `${identityTitle(identity)} ${name} ${owner} ${kind}`.toLowerCase();
}

/** Describes the identity's status in a few words. */
export function identityNote({ revokedAt, expiresAt, lastSeenAt }: Identity, now: number): string {
  if (revokedAt !== undefined) return 'Revoked';
  if (expiresAt !== undefined && expiresAt <= now) return 'Expired';
  if (expiresAt !== undefined) return `Expires ${formatUntil(expiresAt, now)}`;
  return lastSeenAt === undefined ? 'Never seen' : `Seen ${lastSeenText(lastSeenAt, now)}`;
}

const day = 86_400_000;

/** Describes when it was last seen, which is known to the day. */
export function lastSeenText(at: number, now: number): string {
  return now - at < day ? 'today' : formatAgo(at, now);
}

/** Returns the title of a rule: what it applies to. */
export function scopeTitle(scope: GrantScope, titleOf: (serverKey: string) => string): string {
  switch (scope.kind) {
    case 'all':
      return 'Everything';
    case 'server':
      return `All tools of ${titleOf(scope.serverKey)}`;
    case 'tool':
      return `${titleOf(scope.serverKey)}:${scope.tool}`;
    case 'pattern':
      return `Tools named ${scope.pattern}`;
    case 'risk':
      return scope.risk === 'high' ? 'High-risk tools' : 'Low-risk tools';
  }
}

/** Sorts general rules first, then those of servers, then those of tools. */
export function byBreadth(one: Grant, other: Grant): number {
  return (
    breadth[one.scope.kind] - breadth[other.scope.kind] ||
    scopeText(one.scope).localeCompare(scopeText(other.scope))
  );
}

const breadth = { all: 0, risk: 1, pattern: 2, server: 3, tool: 4 } as const;
