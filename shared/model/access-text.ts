import type { GrantScope } from './access.ts';
import type { Verdict } from './access-decision.ts';

/** Why it was decided so, in one plain sentence. It names no tool, so that it is the same for all that a grant decides. */
export function reasonOf({ code, grant }: Verdict): string {
  const what = grant === undefined ? '' : scopeText(grant.scope);
  switch (code) {
    case 'granted':
      return `A grant allows ${what}.`;
    case 'granted_with_token':
      return `A grant is about ${what}, and the tool is permitted for a while.`;
    case 'asks':
      return `A grant of ${what} says that somebody has to be asked.`;
    case 'denied':
      return `A grant denies ${what}.`;
    case 'token_needed':
      return `A grant of ${what} holds only while the tool is permitted for a while, and now it is not.`;
    case 'no_grant':
      return grant === undefined
        ? 'Nothing that this tool is part of has been granted.'
        : `A grant of ${what} has ended.`;
    case 'identity_unknown':
      return 'Nobody knows who asks.';
    case 'identity_revoked':
      return 'Its access has been revoked.';
    case 'identity_expired':
      return 'Its access has ended.';
    case 'unreadable':
      return 'What has been granted cannot be read.';
  }
}

export function scopeText(scope: GrantScope): string {
  switch (scope.kind) {
    case 'all':
      return 'everything';
    case 'server':
      return `all of ${scope.serverKey}`;
    case 'tool':
      return `${scope.serverKey}:${scope.tool}`;
    case 'pattern':
      return `what is called ${scope.pattern}`;
    case 'risk':
      return scope.risk === 'high' ? 'tools of high risk' : 'tools of low risk';
  }
}

/** Equal for two scopes exactly when they are about the same. */
export function scopeKey(scope: GrantScope): string {
  const { kind } = scope;
  switch (kind) {
    case 'all':
      return kind;
    case 'server':
      return JSON.stringify([kind, scope.serverKey]);
    case 'tool':
      return JSON.stringify([kind, scope.serverKey, scope.tool]);
    case 'pattern':
      return JSON.stringify([kind, scope.pattern]);
    case 'risk':
      return JSON.stringify([kind, scope.risk]);
  }
}
