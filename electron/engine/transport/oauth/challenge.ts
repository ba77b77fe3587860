import type { AuthChallenge } from './contract.ts';
import { displayText } from './service-refusal.ts';

/**
 * Reads the challenge of a refusal; undefined for a response that a sign-in would not change. `mayNameSignIn`
 * means that a refusal which names a sign-in address asks for one, whatever its status.
 */
export function challengeOf(response: Response, mayNameSignIn = false): AuthChallenge | undefined {
  const header = (response.headers.get('www-authenticate') ?? '').slice(0, maxHeaderLength);
  const { status } = response;
  const error = parameter(header, 'error');
  const isInvalidToken = error === 'invalid_token' && status >= 400 && status < 500;
  const isTooNarrow = error === 'insufficient_scope' && status === 403;
  const isSignInNeeded = mayNameSignIn && !isTooNarrow && namesSignIn(response);
  if (status !== 401 && !isInvalidToken && !isTooNarrow && !isSignInNeeded) return undefined;
  const scope = parameter(header, 'scope');
  const said = parameter(header, 'error_description');
  const resourceMetadataUrl = parameter(header, 'resource_metadata');
  return {
    status: isTooNarrow ? status : 401,
    ...(error === undefined ? {} : { error: displayText(error) }),
    ...(said === undefined ? {} : { said: displayText(said) }),
    ...(scope === undefined ? {} : { scope }),
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
  };
}

/** Returns true if a response other than 401 says where to sign in (RFC 9728, 5.1), as some servers do. */
export function namesSignIn({ status, headers }: Response): boolean {
  const header = (headers.get('www-authenticate') ?? '').slice(0, maxHeaderLength);
  return unusualStatuses.has(status) && parameter(header, 'resource_metadata') !== undefined;
}

/** Returns true if the response is about the token that was sent (RFC 6750, 3.1). */
export function saysInvalidToken({ headers }: Response): boolean {
  const header = (headers.get('www-authenticate') ?? '').slice(0, maxHeaderLength);
  return parameter(header, 'error') === 'invalid_token';
}

const unusualStatuses: ReadonlySet<number> = new Set([200, 400, 403]);
const maxHeaderLength = 8000;

/**
 * Finds a parameter of any scheme in the header: after a comma, a semicolon or a quote, in quotes of any kind,
 * which may be escaped or never end, or in none.
 */
function parameter(header: string, name: string): string | undefined {
  const start = `(?:^|[\\s,;"'])${name}\\s{0,4}[=:]\\s{0,4}`;
  const value = `(?:"((?:[^"\\\\]|\\\\.)*)|\\\\"([^"\\\\]*)|'([^']*)|<([^>]*)|([^\\s"',;<\\\\]+))`;
  const [, double, ...others] = new RegExp(start + value, 'i').exec(header) ?? [];
  return double?.replace(/\\(.)/g, '$1') || others.find((other) => other) || undefined;
}
