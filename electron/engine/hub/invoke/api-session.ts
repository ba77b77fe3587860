const prefix = 'patchbay-api/';

/** The session that calls over REST are made in: one for each identity, always the same. */
export function apiSession(identityId: string): string {
  return `${prefix}${identityId}`;
}

/** Whose calls are made in it; undefined for any other session. */
export function identityOfApiSession(sessionId: string): string | undefined {
  return sessionId.startsWith(prefix) ? sessionId.slice(prefix.length) : undefined;
}
