import { ProblemError, problem } from '../../../shared/error/problem.ts';
import { ConnectionClosedError, type JsonRpcFailure } from '../rpc/message.ts';

/** The server answered a message with an HTTP error. */
export class HttpStatusError extends ConnectionClosedError {
  readonly status: number;
  /** The JSON-RPC error in its body, where there was one, under the id of the request. */
  readonly answer: JsonRpcFailure | undefined;

  constructor(url: URL, { status, headers }: Pick<Response, 'status' | 'headers'>, answer?: JsonRpcFailure) {
    const cause = isUnauthorized(status) ? unauthorized(url, status) : refused(url, status);
    const retryAfter = readRetryAfter(headers);
    super(cause.problem.sentence, !NOT_TAKEN.has(status), {
      cause,
      ...(retryAfter === undefined ? {} : { retryAfter }),
    });
    this.name = 'HttpStatusError';
    this.status = status;
    this.answer = answer;
  }
}

/** The server no longer knows the session, for example since it was restarted; a new one can be begun at once. */
export class SessionGoneError extends ProblemError {
  constructor(url: URL) {
    const sentence = 'The server no longer knows the session.';
    const fix = 'A new one is begun by itself.';
    super(problem('server.unreachable', sentence, fix, { url: publicUrl(url), status: 404 }));
    this.name = 'SessionGoneError';
  }
}

/** Whether a refusal may be over soon: the server, or what stands before it, is busy or starting. */
export function isPassing(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501);
}

/** Neither of the two transports was welcome: `refusal` answered the newer one, `error` the older. */
export function neitherTransport(url: URL, refusal: HttpStatusError, error: unknown): ProblemError {
  const second = problemBehind(url, error);
  if (second.problem.code === 'server.unauthorized') return second;
  const sentence = 'The server speaks neither Streamable HTTP nor SSE at this address.';
  const evidence = {
    'POST status': refusal.status,
    GET: second.problem.evidence.map(({ value }) => value).join(', '),
  };
  return unreachable(url, sentence, evidence, error);
}

/** Whether nothing further can be said to the server: it refuses the credentials, or no connection is to be had. */
export function endsConnection(failure: ConnectionClosedError): boolean {
  return failure instanceof HttpStatusError ? isUnauthorized(failure.status) : !failure.sent;
}

export function notSent(message: string): ConnectionClosedError {
  return new ConnectionClosedError(message, false);
}

/** The ProblemError behind a failure. */
export function problemBehind(url: URL, failure: unknown): ProblemError {
  if (failure instanceof ProblemError) return failure;
  if (failure instanceof ConnectionClosedError && failure.cause instanceof ProblemError) return failure.cause;
  return unreachable(
    url,
    'The server did not answer as an MCP server does.',
    { error: causeMessage(failure) },
    failure,
  );
}

/** Why a request did not get through to the server or its answer back; `sent` is false where no connection was made. */
export function networkError(url: URL, error: unknown): ConnectionClosedError {
  const code = causeCode(error);
  const found = unreachable(
    url,
    'The server cannot be reached.',
    { error: code ?? causeMessage(error) },
    error,
  );
  return new ConnectionClosedError(found.problem.sentence, !isBeforeSending(code), { cause: found });
}

/** The address of a server; throws ProblemError for what is none. */
export function serverUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  const fix = 'Give an address that begins with https:// or http://.';
  throw new ProblemError(problem('server.unreachable', 'The address of the server is not a URL.', fix));
}

/** A ProblemError `server.unreachable` for this address. */
export function unreachable(
  url: URL,
  sentence: string,
  evidence: Readonly<Record<string, string | number | undefined>>,
  cause?: unknown,
): ProblemError {
  const fix = 'Check that the server runs and that its URL is right.';
  return new ProblemError(
    problem('server.unreachable', sentence, fix, { url: publicUrl(url), ...evidence }),
    { cause },
  );
}

/**
 * The address without what may be secret: user info, query and fragment go, and so do long path segments, where some
 * services carry a token.
 */
export function publicUrl(url: URL): string {
  const path = url.pathname
    .split('/')
    .map((segment) => (segment.length > 24 ? '…' : segment))
    .join('/');
  return `${url.protocol}//${url.host}${path}${url.search === '' ? '' : '?…'}`;
}

/** Statuses with which a server refuses a message before acting on it. */
const NOT_TAKEN: ReadonlySet<number> = new Set([401, 403, 404, 405, 406, 413, 415, 429]);

/** Failures that come before the first byte of a request can leave. */
const BEFORE_SENDING: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

function isBeforeSending(code: string | undefined): boolean {
  return code !== undefined && BEFORE_SENDING.has(code);
}

/** When the other side wants to be asked again, as milliseconds from now: the header has seconds, or a date. */
export function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null || text === '') return undefined;
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}

function unauthorized(url: URL, status: number): ProblemError {
  const sentence = 'The server refused the credentials it was given.';
  const fix = 'Check the token or header in its configuration.';
  return new ProblemError(problem('server.unauthorized', sentence, fix, { url: publicUrl(url), status }));
}

function refused(url: URL, status: number): ProblemError {
  return unreachable(url, 'The server answered with an HTTP error.', { status });
}

function isUnauthorized(status: number): boolean {
  return status === 401 || status === 403;
}

/** `fetch` wraps what went wrong; the code is on the innermost error that has one. */
function causeCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return causeCode(error.cause);
}

function causeMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : causeMessage(error.cause);
}
