import { type Problem, ProblemError, problem } from '../../../../shared/error/problem.ts';
import {
  ConnectionClosedError,
  type JsonRpcErrorObject,
  type JsonRpcFailure,
  type JsonRpcResult,
} from '../../jsonrpc/message.ts';
import type { Era } from '../modern/era.ts';
import type { KeyRefusal } from './key-header.ts';
import { causeMessage } from './proxy-error.ts';

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

  /** JSON-RPC error in the body. */
  get error(): JsonRpcErrorObject | undefined {
    return this.answer !== undefined && 'error' in this.answer ? this.answer.error : undefined;
  }
}

/** The server works, but only a new connection to it does; one can be opened at once. */
export abstract class ReconnectError extends ProblemError {}

/** The server was replaced by one of the other era of MCP: with sessions, or without. */
export class EraChangedError extends ReconnectError {
  constructor(url: URL, era: Era) {
    const sentence =
      era === 'legacy'
        ? 'The server had sessions, and is now stateless.'
        : 'The server was stateless, and now has sessions.';
    const fix = 'Patchbay connects again automatically.';
    super(problem('server.unreachable', sentence, fix, { url: publicUrl(url) }));
  }
}

/** The server does not know the session, for example because it restarted. */
export class SessionGoneError extends ReconnectError {
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
  if (!wasSent && loginSchemes.has(scheme.toLowerCase())) return loginNeeded(url, scheme, facts);
  const evidence = { ...facts, header: `${header}: ${scheme === '' ? '' : `${scheme} `}…` };
  return wasSent
    ? problem('server.key_refused', 'The server refused this key.', 'Enter another key.', evidence)
    : problem('server.key_needed', 'This server needs an API key.', 'Enter the key.', evidence);
}

/** Schemes that take a user name and a password in place of a key. */
const loginSchemes: ReadonlySet<string> = new Set(['basic', 'digest', 'negotiate', 'ntlm']);

function loginNeeded(url: URL, scheme: string, facts: Parameters<typeof problem>[3]): Problem {
  if (scheme.toLowerCase() === 'basic') {
    const place = publicUrl(url).replace('://', '://USER:PASSWORD@');
    const sentence = 'This server asks for a user name and a password.';
    return problem('server.unauthorized', sentence, `Put them into its URL: ${place}`, facts);
  }
  const sentence = `This server asks for a sign-in by ${scheme}, which Patchbay does not support.`;
  const fix = 'Ask whoever runs the server for an API key or a token.';
  return problem('server.unauthorized', sentence, fix, facts);
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
