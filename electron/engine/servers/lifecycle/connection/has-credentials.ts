/** Tells whether the config contains credentials: an Authorization header, or a login in the URL. */
export function hasCredentials(headers: Readonly<Record<string, string>>, url: string): boolean {
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) return true;
  return URL.canParse(url) && new URL(url).username + new URL(url).password !== '';
}
