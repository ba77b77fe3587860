import { type Problem, ProblemError, problem } from '../../../../shared/error/problem.ts';
import { ConnectionClosedError, type JsonRpcFailure, type JsonRpcResult } from '../../jsonrpc/message.ts';
import type { KeyRefusal } from './key-header.ts';

/** Details of a message that the server refused. */
export interface RefusalDetails {
  /** JSON-RPC answer in the body, under the id of the request. */
  readonly answer?: JsonRpcFailure | JsonRpcResult | undefined;
  /** True if the answer carried that id, which shows that the server speaks this transport. */
  readonly answersById?: boolean | undefined;
  /** Other text from the server, safe to show. */
  readonly words?: string | undefined;
  /** Key that was refused or is missing, if the refusal is about a key. */
  readonly key?: KeyRefusal | undefined;
  /** True if the body is a web page. */
  readonly isPage?: boolean;
  /** True for the first message: then the server refuses the whole connection. */
  readonly isInitialize: boolean;
  /** True if the server answers other messages with the same credentials. */
  readonly isRequestOnly?: boolean;
}

/** The server answered a message with an HTTP error, or with a redirect that is not followed. */
export class HttpStatusError extends ConnectionClosedError {
  readonly status: number;
  readonly answer: JsonRpcFailure | JsonRpcResult | undefined;
  readonly answersById: boolean;
  readonly words: string | undefined;
  readonly isPage: boolean;
  /** The credentials are not accepted, for this message or any other. */
  readonly isUnauthorized: boolean;

  constructor(url: URL, { status, headers }: Pick<Response, 'status' | 'headers'>, refusal: RefusalDetails) {
    const {
      answer,
      answersById = false,
      words,
      key,
      isPage = false,
      isInitialize,
      isRequestOnly = false,
    } = refusal;
    const isUnauthorized = (status === 401 && !isRequestOnly) || (status === 403 && isInitialize);
    const isOtherSite = isPage && isInitialize && status >= 400 && !isTransient(status);
    const cause = isUnauthorized
      ? new ProblemError(accessProblem(url, { status, words, key }))
      : isOtherSite
        ? notMcp(url, words, true, { status })
        : refusalProblem(url, status, words, headers.get('location'));
    const retryAfter = readRetryAfter(headers);
    super(cause.problem.sentence, !NOT_PROCESSED_STATUSES.has(status), {
      cause,
      ...(retryAfter === undefined ? {} : { retryAfterMs: retryAfter }),
    });
    this.name = 'HttpStatusError';
    this.status = status;
    this.answer = answer;
    this.answersById = answersById;
    this.words = words;
    this.isPage = isPage;
    this.isUnauthorized = isUnauthorized;
  }
}

/** The server closed the connection before its answer was complete; it may have processed the message. */
export class CutOffError extends ConnectionClosedError {
  constructor(cause: ProblemError) {
    super(cause.message, true, { cause });
    this.name = 'CutOffError';
  }
}

/**
 * The server does not know the session, for example because it restarted; a new one can be started at once.
 */
export class SessionGoneError extends ProblemError {
  constructor(url: URL, status: number, wasKnown: boolean) {
    const sentence = wasKnown
      ? 'The server no longer knows the session.'
      : 'The server does not recognize the session it has just started.';
    const fix = wasKnown
      ? 'Patchbay starts a new session automatically.'
      : 'Several copies of the server may share one address without sharing sessions. Run one copy, or route each session to the same copy, for example by cookie.';
    super(problem('server.unreachable', sentence, fix, { url: publicUrl(url), status }));
    this.name = 'SessionGoneError';
  }
}

/** Returns true if the refusal may pass soon: the server, or a proxy in front of it, is busy or starting. */
export function isTransient(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501);
}

/** Both transports failed: `refusal` answered the newer one, `error` the older. */
export function neitherTransport(url: URL, refusal: HttpStatusError, error: unknown): ProblemError {
  const second = problemBehind(url, error);
  if (refusesAccess(second.problem)) return second;
  const evidence = {
    'POST status': refusal.status,
    'POST answer': refusal.words,
    GET: second.problem.evidence.map(({ value }) => value).join(', '),
  };
  if (refusal.isPage || second.problem.cause?.code === 'web_page')
    return notMcp(url, undefined, true, evidence, error);
  const found = notMcp(url, undefined, false, evidence, error);
  const sentence = 'This address supports neither Streamable HTTP nor SSE, so it is not an MCP server.';
  return new ProblemError({ ...found.problem, sentence }, { cause: error });
}

/** An answer arrived, but not from an MCP server; `words` is its text, `isPage` marks a web page. */
export function notMcp(
  url: URL,
  words: string | undefined,
  isPage: boolean,
  evidence: Readonly<Record<string, string | number | undefined>>,
  cause?: unknown,
): ProblemError {
  const said = words === undefined ? '' : `: ${words}`;
  const page = isPage ? ` (it returned a web page${said})` : said;
  const sentence = `This address doesn't respond like an MCP server${page}.`;
  const fix =
    "Check the address. The server's documentation gives the one for MCP; it often ends with /mcp or /sse.";
  const found = problem('server.unreachable', sentence, fix, { url: publicUrl(url), ...evidence });
  const reason = isPage ? { cause: { code: 'web_page', subject: url.host } as const } : {};
  return new ProblemError({ ...found, ...reason }, { cause });
}

/**
 * Returns true if no further message can succeed: the credentials are refused, or no connection can be made.
 */
export function endsConnection(failure: ConnectionClosedError): boolean {
  return failure instanceof HttpStatusError ? failure.isUnauthorized : !failure.sent;
}

export function notSent(message: string): ConnectionClosedError {
  return new ConnectionClosedError(message, false);
}

/** Extracts the ProblemError behind a failure. */
export function problemBehind(url: URL, failure: unknown): ProblemError {
  if (failure instanceof ProblemError) return failure;
  if (failure instanceof ConnectionClosedError && failure.cause instanceof ProblemError) return failure.cause;
  return notMcp(url, undefined, false, { error: causeMessage(failure) }, failure);
}

/** Explains why a request or its answer was lost; `sent` is false if no connection was made. */
export function networkError(url: URL, error: unknown): ConnectionClosedError {
  const code = causeCode(error);
  const found = unreachable(url, '', { error: code ?? causeMessage(error) }, error);
  const cause = new ProblemError({ ...found.problem, ...describeNetworkError(url, code) }, { cause: error });
  if (code !== undefined && CUT_OFF_CODES.has(code)) return new CutOffError(cause);
  return new ConnectionClosedError(cause.problem.sentence, !isBeforeSending(code), { cause });
}

/** Turns a network error code into a sentence that starts with the cause. */
function describeNetworkError(url: URL, code = ''): Pick<Problem, 'sentence' | 'fix' | 'cause'> {
  const { hostname: host } = url;
  const online = 'Check your internet connection, and the address in the config.';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const cause = { code: 'host_not_found', subject: host } as const;
    return { sentence: `${host} was not found. Are you online?`, fix: online, cause };
  }
  if (code === 'ECONNREFUSED') {
    const place = `${host}:${portOf(url)}`;
    const cause = { code: 'connection_refused', subject: place } as const;
    const fix = 'Start the server, or fix the address in the config.';
    return { sentence: `Nothing is listening on ${place}.`, fix, cause };
  }
  const flaw = certificateFlaws[code];
  if (flaw !== undefined) {
    const fix =
      'If you trust it, set NODE_EXTRA_CA_CERTS to the certificate of its issuer before you start Patchbay. Otherwise ask whoever runs the server.';
    return {
      sentence: `The certificate of ${host} ${flaw}.`,
      fix,
      cause: { code: 'certificate', subject: host },
    };
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) {
    const fix = 'If this is your own server without HTTPS, use http:// in its address.';
    return { sentence: `${host}:${portOf(url)} does not speak HTTPS as expected.`, fix };
  }
  if (CUT_OFF_CODES.has(code)) {
    return {
      sentence: 'The server closed the connection without an answer.',
      fix: 'Try again. If it keeps happening, check the server’s log.',
    };
  }
  if (code.endsWith('TIMEOUT') || code === 'ETIMEDOUT') {
    return { sentence: `${host} did not answer in time.`, fix: online };
  }
  return describeUnreadableAnswer(url, code) ?? { sentence: `${host} cannot be reached.`, fix: online };
}

/** The server received the request, but its answer is incomplete or unreadable. */
export function brokenAnswer(url: URL, error: unknown): ConnectionClosedError {
  const code = causeCode(error);
  const garbled = describeUnreadableAnswer(url, code);
  const found = unreachable(url, cutOffSentence, { error: code }, error);
  const cause = new ProblemError({ ...found.problem, ...garbled }, { cause: error });
  return garbled === undefined
    ? new CutOffError(cause)
    : new ConnectionClosedError(cause.problem.sentence, true, { cause });
}

const cutOffSentence = 'The server closed the connection in the middle of its answer.';

function describeUnreadableAnswer(
  { hostname }: URL,
  code = '',
): Pick<Problem, 'sentence' | 'fix'> | undefined {
  const [, how] = unreadableForms.find(([form]) => form.test(code)) ?? [];
  if (how === undefined) return undefined;
  const fix = 'Report this to whoever runs the server, or the proxy in front of it.';
  return { sentence: `${hostname} ${how}, so Patchbay cannot read its answer.`, fix };
}

/** Reasons why an answer cannot be read, by the error codes of Node and its HTTP client. */
const unreadableForms: readonly (readonly [RegExp, string])[] = [
  [/^UND_ERR_HEADERS_OVERFLOW$/, 'sends too many headers'],
  [/^(?:HPE_|UND_ERR_RES_CONTENT_LENGTH)/, 'does not follow the HTTP standard'],
  [/^(?:Z_|ERR_BROTLI|ERR__ERROR_FORMAT|ERR_PADDING)/, 'declares a compression that its answer does not use'],
];

function portOf({ port, protocol }: URL): string {
  return port === '' ? ({ 'http:': '80', 'https:': '443' }[protocol] ?? '') : port;
}

const certificateFlaws: Readonly<Partial<Record<string, string>>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed, so this computer does not trust it',
  SELF_SIGNED_CERT_IN_CHAIN: 'comes from an issuer that this computer does not trust',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes from an issuer that this computer does not trust',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from an issuer that this computer does not trust',
  CERT_HAS_EXPIRED: 'has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'was issued for another name',
};

/** Parses the address of a server; throws ProblemError if it is not a URL. */
export function serverUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  const fix = 'Enter an address that starts with https:// or http://.';
  throw new ProblemError(problem('server.unreachable', 'The address of the server is not a URL.', fix));
}

/** Creates a ProblemError `server.unreachable` for this address. */
export function unreachable(
  url: URL,
  sentence: string,
  evidence: Readonly<Record<string, string | number | undefined>>,
  cause?: unknown,
): ProblemError {
  const fix = 'Check that the server is running and that its URL is correct.';
  return new ProblemError(
    problem('server.unreachable', sentence, fix, { url: publicUrl(url), ...evidence }),
    { cause },
  );
}

/**
 * Returns the address without anything that may be secret: user info, query, fragment, and long path
 * segments, which some services use for tokens.
 */
export function publicUrl(url: URL): string {
  const path = url.pathname
    .split('/')
    .map((segment) => (segment.length > 24 ? '…' : segment))
    .join('/');
  return `${url.protocol}//${url.host}${path}${url.search === '' ? '' : '?…'}`;
}

/** Statuses with which a server refuses a message before acting on it. */
const NOT_PROCESSED_STATUSES: ReadonlySet<number> = new Set([
  301, 302, 307, 308, 401, 403, 404, 405, 406, 413, 415, 429,
]);

/** Failures that occur before the first byte of a request can be sent. */
const BEFORE_SENDING_CODES: ReadonlySet<string> = new Set([
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

/** Failures of an established connection. */
const CUT_OFF_CODES: ReadonlySet<string> = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET']);

function isBeforeSending(code: string | undefined): boolean {
  return code !== undefined && BEFORE_SENDING_CODES.has(code);
}

/** Returns the Retry-After delay in milliseconds; the header holds seconds or a date. */
export function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null || text === '') return undefined;
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}

function refusalProblem(
  url: URL,
  status: number,
  words: string | undefined,
  location: string | null,
): ProblemError {
  if (status >= 300 && status < 400) return redirectProblem(url, status, location);
  if (words === undefined) return unreachable(url, `The server answered with HTTP ${status}.`, { status });
  return unreachable(url, `The server answered with HTTP ${status}: ${words}`, { status });
}

/** Describes how a server refused access altogether. */
export interface AccessRefusal {
  readonly status: number;
  readonly words?: string | undefined;
  readonly key?: KeyRefusal | undefined;
}

/**
 * The server refuses access; `header` in the evidence shows where the key goes: `Authorization: Bearer …`.
 */
export function accessProblem(url: URL, { status, words, key }: AccessRefusal): Problem {
  const facts = { url: publicUrl(url), status, 'the server said': words };
  if (key === undefined) {
    const sentence = `The server denied access (HTTP ${status}).`;
    return problem(
      'server.unauthorized',
      sentence,
      'It may need an API key, or may block your IP address.',
      facts,
    );
  }
  const { header, scheme, wasSent } = key;
  if (wasSent && scheme.toLowerCase() === 'basic') {
    const sentence = 'The server refused this user name and password.';
    return problem('server.unauthorized', sentence, 'Fix them in its config.', facts);
  }
  const evidence = { ...facts, header: `${header}: ${scheme === '' ? '' : `${scheme} `}…` };
  return wasSent
    ? problem('server.key_refused', 'The server refused this key.', 'Enter another key.', evidence)
    : problem('server.key_needed', 'This server needs an API key.', 'Enter the key.', evidence);
}

/** Returns true if the problem is missing or wrong credentials. */
export function refusesAccess({ code }: Problem): boolean {
  return accessCodes.has(code);
}

const accessCodes: ReadonlySet<Problem['code']> = new Set([
  'server.unauthorized',
  'server.key_needed',
  'server.key_refused',
  'server.client_id_needed',
]);

function redirectProblem(url: URL, status: number, location: string | null): ProblemError {
  const isUrl = location !== null && URL.canParse(location, url.href);
  const target = isUrl ? publicUrl(new URL(location, url)) : 'nowhere';
  const sentence = `The server redirects to ${target} (HTTP ${status}). Patchbay does not send messages or credentials there.`;
  const fix = 'If that is the right address, use it as the URL of this server.';
  const evidence = { url: publicUrl(url), status, 'redirects to': target };
  return new ProblemError(problem('server.unreachable', sentence, fix, evidence));
}

/** Finds the error code; `fetch` wraps the original error, and the innermost one has the code. */
function causeCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return causeCode(error.cause);
}

function causeMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : causeMessage(error.cause);
}
