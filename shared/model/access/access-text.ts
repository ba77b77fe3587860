import type { GrantScope } from './access.ts';
import type { Verdict } from './access-decision.ts';

/** Returns a server's display name; in texts for clients, its key. */
type TitleOf = (serverKey: string) => string;

const sameKey: TitleOf = (key) => key;

/**
 * Explains the decision in one sentence. The sentence does not name the tool, so it is the same for every
 * tool a grant covers.
 */
export function reasonOf({ code, grant }: Verdict, titleOf: TitleOf = sameKey): string {
  const what = grant === undefined ? '' : scopeText(grant.scope, titleOf);
  switch (code) {
    case 'granted':
      return grant?.scope.kind === 'all' ? 'Allowed by default.' : `A rule allows ${what}.`;
    case 'granted_with_token':
      return `Allowed temporarily; a rule for ${what} asks first.`;
    case 'asks':
      return `A rule says to ask first for ${what}.`;
    case 'asks_destructive':
      return 'Patchbay asks before destructive tools.';
    case 'denied':
      return `A rule denies ${what}.`;
    case 'token_needed':
      return `A rule allows ${what} only temporarily, and it is not allowed now.`;
    case 'no_grant':
      return grant === undefined ? 'No rule allows this tool.' : `The rule for ${what} has ended.`;
    case 'identity_unknown':
      return 'The client is unknown.';
    case 'identity_revoked':
      return 'Access was revoked.';
    case 'identity_expired':
      return 'Access has expired.';
    case 'unreadable':
      return 'The access rules cannot be read.';
  }
}

export function scopeText(scope: GrantScope, titleOf: TitleOf = sameKey): string {
  switch (scope.kind) {
    case 'all':
      return 'everything';
    case 'server':
      return `all of ${titleOf(scope.serverKey)}`;
    case 'tool':
      return `${titleOf(scope.serverKey)}:${scope.tool}`;
    case 'pattern':
      return `tools named ${scope.pattern}`;
    case 'risk':
      return scope.risk === 'high' ? 'high-risk tools' : 'low-risk tools';
  }
}

/** Returns equal keys exactly for scopes that cover the same tools. */
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
