/** The window's only origin: files of the app, served by our own protocol. */
export const appScheme = 'app';
export const appHost = 'patchbay';
export const appUrl = `${appScheme}://${appHost}/index.html`;

/** True for a page of the window itself; checked for navigation and every IPC message. */
export function isAppUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return (
    url !== undefined &&
    url.protocol === `${appScheme}:` &&
    url.host === appHost &&
    url.username === '' &&
    url.password === ''
  );
}

/**
 * Returns the link if it may be opened in the system's browser or mail program; undefined for any other
 * scheme.
 */
export function externalLink(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && externalProtocols.has(url.protocol) ? url.href : undefined;
}

const externalProtocols: ReadonlySet<string> = new Set(['https:', 'http:', 'mailto:']);
