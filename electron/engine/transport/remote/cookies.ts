import { type Cookie, getSetCookies, type Headers as UndiciHeaders } from 'undici';
import type { Clock } from '../../base/clock.ts';
import type { Fetch } from '../http-connections.ts';

/**
 * Creates a fetch that keeps each origin's cookies in memory and sends them back to that origin only: load
 * balancers with sticky cookies then route each request to the replica that started the session. Such a
 * cookie replaces one of the same name in the config.
 */
export function withCookies(fetch: Fetch, clock: Clock): Fetch {
  const jars = new Map<string, CookieJar>();
  return async (url, init) => {
    const target = new URL(url);
    const jar = jars.get(target.origin);
    const response = await fetch(
      target,
      jar === undefined ? init : withHeader(init, jar.cookiesFor(target, clock.now())),
    );
    const set = cookiesOf(response);
    if (set.length > 0) {
      const own = jar ?? new CookieJar();
      jars.set(target.origin, own);
      for (const cookie of set) own.store(cookie, target, clock.now());
    }
    return response;
  };
}

/** Drops invalid cookies, for which the package returns null. */
function cookiesOf({ headers }: Response): readonly Cookie[] {
  // The package's types and Node's own describe the same objects under two names.
  const found: readonly (Cookie | null)[] = getSetCookies(headers as unknown as UndiciHeaders);
  return found.filter((cookie) => cookie !== null);
}

interface StoredCookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly isSecure: boolean;
  /** In epoch milliseconds. */
  readonly expiresAt: number;
}

/** Cookies of one origin, by RFC 6265. */
class CookieJar {
  readonly #cookies = new Map<string, StoredCookie>();

  store(cookie: Cookie, from: URL, now: number): void {
    const { name, value, domain, secure = false } = cookie;
    if (name === '' || name.length + value.length > maxCookieLength || !isDomainOf(from.hostname, domain))
      return;
    const path = cookie.path?.startsWith('/') ? cookie.path : defaultPath(from.pathname);
    const key = JSON.stringify([name, path]);
    const expiresAt = expiryOf(cookie, now);
    this.#cookies.delete(key);
    if (expiresAt <= now) return;
    this.#cookies.set(key, { name, value, path, isSecure: secure, expiresAt });
    const [oldest] = this.#cookies.keys();
    if (this.#cookies.size > maxCookies && oldest !== undefined) this.#cookies.delete(oldest);
  }

  /** Returns the cookies to send to an address, the most specific path first. */
  cookiesFor({ protocol, pathname }: URL, now: number): readonly StoredCookie[] {
    return [...this.#cookies.values()]
      .filter(({ expiresAt, isSecure }) => expiresAt > now && (!isSecure || protocol === 'https:'))
      .filter(({ path }) => isPathWithin(pathname, path))
      .toSorted((one, other) => other.path.length - one.path.length);
  }
}

const maxCookieLength = 4096;
const maxCookies = 50;

function withHeader(
  init: RequestInit | undefined,
  cookies: readonly StoredCookie[],
): RequestInit | undefined {
  if (cookies.length === 0) return init;
  const headers = new Headers(init?.headers);
  const names = new Set(cookies.map(({ name }) => name));
  const configured = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  const others = configured.filter((pair) => pair !== '' && !names.has(pair.split('=', 1)[0]?.trim() ?? ''));
  headers.set('cookie', [...others, ...cookies.map(({ name, value }) => `${name}=${value}`)].join('; '));
  return { ...init, headers };
}

function expiryOf({ maxAge, expires }: Cookie, now: number): number {
  if (maxAge !== undefined) return now + maxAge * 1000;
  const at = expires === undefined ? Number.NaN : new Date(expires).getTime();
  return Number.isNaN(at) ? Number.POSITIVE_INFINITY : at;
}

/**
 * Checks the domain of a cookie. A wider domain is accepted, but the cookie stays with its origin; a foreign
 * domain makes it invalid.
 */
function isDomainOf(host: string, domain = ''): boolean {
  const wanted = domain.replace(/^\./, '').toLowerCase();
  return wanted === '' || host === wanted || host.endsWith(`.${wanted}`);
}

function defaultPath(pathname: string): string {
  return pathname.slice(0, Math.max(1, pathname.lastIndexOf('/')));
}

function isPathWithin(pathname: string, path: string): boolean {
  return (
    pathname === path || (pathname.startsWith(path) && (path.endsWith('/') || pathname[path.length] === '/'))
  );
}
