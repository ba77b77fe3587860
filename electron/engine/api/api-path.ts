/** Tells whether a path belongs to the REST API. Runs for every request, so it loads nothing. */
export function isApiPath(pathname: string): boolean {
  return pathname.startsWith('/api/') || own.has(pathname);
}

const own: ReadonlySet<string> = new Set(['/api', '/metrics', '/openapi.json', '/docs']);
