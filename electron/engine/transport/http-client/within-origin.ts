import type { Fetch } from './http-connections.ts';
import { isLoopback } from './proxy-rule.ts';

/**
 * Creates a fetch that follows redirects only within the request's origin, or to its https form, and only if
 * the method stays the same: credentials and messages go nowhere else. Any other redirect is returned as it
 * is.
 */
export function withinOrigin(fetch: Fetch): Fetch {
  return followRedirects(fetch, isSameOrigin);
}

/**
 * Creates a fetch that also follows redirects to other origins, for public documents alone. Encryption is
 * kept, and only a server on this machine leads to an address on it.
 */
export function acrossOrigins(fetch: Fetch): Fetch {
  return followRedirects(fetch, (from, to) => {
    if (isSameOrigin(from, to)) return true;
    const [isFromHere, isToHere] = [isLoopback(from.hostname), isLoopback(to.hostname)];
    return isToHere ? isFromHere : to.protocol === 'https:';
  });
}

function followRedirects(fetch: Fetch, mayFollow: (from: URL, to: URL) => boolean): Fetch {
  return async (url, init) => {
    let from = new URL(url);
    let response = await fetch(from, { ...init, redirect: 'manual' });
    for (let followed = 0; followed < maxRedirects; followed++) {
      const target = targetOf(response, from, init?.method ?? 'GET');
      if (target === undefined || !mayFollow(from, target)) break;
      await response.body?.cancel();
      from = target;
      response = await fetch(from, { ...init, redirect: 'manual' });
    }
    return response;
  };
}

export function isRedirect({ status }: Response): boolean {
  return status >= 300 && status < 400;
}

const maxRedirects = 5;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function targetOf(response: Response, from: URL, method: string): URL | undefined {
  const location = redirectStatuses.has(response.status) ? response.headers.get('location') : null;
  if (location === null || !URL.canParse(location, from.href)) return undefined;
  const keepsMethod = method === 'GET' || response.status === 307 || response.status === 308;
  const to = new URL(location, from);
  const carriesLogin = to.username !== '' || to.password !== '';
  return keepsMethod && !carriesLogin ? to : undefined;
}

function isSameOrigin(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true;
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:';
  return isUpgrade && from.hostname === to.hostname && from.port === '' && to.port === '';
}
