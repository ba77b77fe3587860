const prefix = 'patchbay-api/';

/** Returns the session id for an identity's calls over REST, one for each identity. */
export function apiSession(identityId: string): string {
  return `${prefix}${identityId}`;
}

/** Returns the identity of a REST session; undefined for any other session. */
export function identityOfApiSession(sessionId: string): string | undefined {
  return sessionId.startsWith(prefix) ? sessionId.slice(prefix.length) : undefined;
}
