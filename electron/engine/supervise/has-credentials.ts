/** Whether a server's config says who its user is: in an Authorization header or in its address. */
export function hasCredentials(headers: Readonly<Record<string, string>>, url: string): boolean {
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) return true;
  return URL.canParse(url) && new URL(url).username + new URL(url).password !== '';
}
