/** The proxy in the environment refused a request or could not be reached; nothing reached the server. */
export class ProxyError extends Error {
  /** Host and port. */
  readonly proxy: string;
  readonly code: 'PROXY_REFUSED' | 'PROXY_UNREACHABLE';

  constructor(proxy: string, code: ProxyError['code'], cause: unknown) {
    super(causeMessage(cause), { cause });
    this.name = 'ProxyError';
    this.proxy = URL.canParse(proxy) ? new URL(proxy).host : '';
    this.code = code;
  }
}

/** Returns the error behind a proxy as one of the proxy, if that is what failed. */
export function asProxyError(proxy: string, error: unknown): unknown {
  const codes = codesOf(error);
  if (codes.some((code) => refusalCodes.has(code))) return new ProxyError(proxy, 'PROXY_REFUSED', error);
  const isUnreachable = codes.some((code) => unreachableCodes.has(code));
  return isUnreachable ? new ProxyError(proxy, 'PROXY_UNREACHABLE', error) : error;
}

/** Codes of all errors in a chain of causes; `fetch` wraps the original error. */
function codesOf(error: unknown): readonly unknown[] {
  return error instanceof Error ? ['code' in error ? error.code : undefined, ...codesOf(error.cause)] : [];
}

/** Codes of a tunnel that the proxy refused, and of a plain request that it answered with 407. */
const refusalCodes: ReadonlySet<unknown> = new Set(['UND_ERR_ABORTED', 'UND_ERR_INVALID_ARG']);
/** Through a proxy, only the proxy itself is connected to. */
const unreachableCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Returns the message of the innermost error. */
export function causeMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : causeMessage(error.cause);
}
