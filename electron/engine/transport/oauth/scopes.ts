export interface ScopeSources {
  /** What the user's config names. */
  readonly configured?: readonly string[];
  /** What the server's refusal named. */
  readonly challenged?: string;
  /** What the present sign-in was given; set only to widen it. */
  readonly granted?: string;
  /** `scopes_supported` of the protected resource. */
  readonly resource?: readonly string[];
  /** `scopes_supported` of the authorization server. */
  readonly offered?: readonly string[];
}

/**
 * The scopes to ask for, or undefined for the authorization server's default. The server's word comes before the
 * general list; a wider sign-in keeps what the narrower had; `offline_access` is added where it is what a refresh
 * token takes.
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
