export interface ScopeSources {
  /** Scopes in the user's config. */
  readonly configured?: readonly string[];
  /** Scopes named in the server's refusal. */
  readonly challenged?: string;
  /** Scopes of the current sign-in; set only to extend it. */
  readonly granted?: string;
  /** `scopes_supported` of the protected resource. */
  readonly resource?: readonly string[];
  /** `scopes_supported` of the authorization server. */
  readonly offered?: readonly string[];
}

/**
 * Returns the scopes to request, or undefined for the authorization server's default. Scopes named by the
 * server come before the general list; an extended sign-in keeps its earlier scopes; `offline_access` is
 * added if the service needs it for a refresh token.
 */
export function scopesToRequest(sources: ScopeSources): string | undefined {
  const named = [...words(sources.granted), ...(sources.configured ?? []), ...words(sources.challenged)];
  const wanted = named.length > 0 ? named : (sources.resource ?? []);
  const offline = sources.offered?.includes('offline_access') ? ['offline_access'] : [];
  const all = [...new Set([...wanted, ...offline])];
  return all.length === 0 ? undefined : all.join(' ');
}

function words(scope: string | undefined): readonly string[] {
  return scope?.split(' ').filter((word) => word !== '') ?? [];
}
