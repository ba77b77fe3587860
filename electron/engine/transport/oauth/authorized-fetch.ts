import { ProblemError } from '../../../../shared/error/problem.ts';
import { isRecord, parseJson } from '../../../../shared/json.ts';
import { ConnectionClosedError, rpcErrorCodes } from '../../jsonrpc/message.ts';
import type { Fetch } from '../http-client/http-connections.ts';
import type { AccessRefusal } from '../http-client/http-problem.ts';
import { openBody, readStart } from '../http-client/response/body.ts';
import { challengeOf, namesSignIn, saysInvalidToken } from './challenge.ts';
import type { AuthChallenge, RemoteAuthorization } from './contract.ts';

/** A request needs more permission than the sign-in granted; others may not. */
export class InsufficientScopeError extends ConnectionClosedError {
  /** Body not read yet. */
  readonly response: Response;

  constructor(cause: ProblemError, response: Response) {
    super(cause.message, false, { cause });
    this.response = response;
  }
}

/**
 * Finds out what the server requires instead; the parameters are those of {@link RemoteAuthorization.wanted}.
 */
export type DiagnoseRefusal = (refusal: AccessRefusal, isAlone?: boolean) => Promise<ConnectionClosedError>;

/** A request needs a sign-in, and no token has been sent over this connection yet. */
export class NotSignedInError extends ConnectionClosedError {
  /** Body not read yet. */
  readonly response: Response;
  readonly diagnose: DiagnoseRefusal;

  constructor(cause: ProblemError, response: Response, diagnose: DiagnoseRefusal) {
    super(cause.message, false, { cause });
    this.response = response;
    this.diagnose = diagnose;
  }
}

/** The server refused a request with the best available token; it may still answer others. */
export class TokenRefusedError extends ConnectionClosedError {
  /** Body not read yet. */
  readonly response: Response;
  /** Undefined while the sign-in is still valid. */
  readonly diagnose: DiagnoseRefusal | undefined;

  constructor(cause: ProblemError, response: Response, diagnose: DiagnoseRefusal | undefined) {
    super(cause.message, false, { cause });
    this.response = response;
    this.diagnose = diagnose;
  }
}

/**
 * Adds the access token to requests to the server's own origin. A refusal is retried once with another token.
 * If there is none, the request rejects with ConnectionClosedError (not sent), whose cause is the
 * ProblemError `server.unauthorized` with the sign-in as its fix: InsufficientScopeError if more permission is
 * needed, NotSignedInError if no token has been sent yet, otherwise TokenRefusedError.
 */
export function createAuthorizedFetch(server: URL, fetch: Fetch, authorization: RemoteAuthorization): Fetch {
  let hadToken = false;
  let isFirstRequest = true;
  /**
   * Reads the response's challenge. Apart from 401 and `invalid_token`, a refusal counts as one only for a
   * request without a token; once the server has accepted a request, only with status 403.
   */
  async function challengeIn(response: Response, isNobody: boolean): Promise<AuthChallenge | undefined> {
    const isOfToken = isNobody || saysInvalidToken(response);
    const mayBe = isOfToken && (isFirstRequest || response.status === 403);
    const challenge = challengeOf(response, mayBe && namesSignIn(response) && (await isRefused(response)));
    if (challenge === undefined && response.ok) isFirstRequest = false;
    return challenge;
  }
  return async (url, init) => {
    if (new URL(url).origin !== server.origin) return fetch(url, init);
    const token = await authorization.token();
    hadToken ||= token !== undefined;
    const response = await fetch(url, withToken(init, token));
    const challenge = await challengeIn(response, token === undefined);
    if (challenge === undefined) return response;
    if (!hadToken && challenge.status === 401) {
      const cause = new ProblemError(authorization.problem(challenge, false));
      throw new NotSignedInError(cause, response, diagnoser(authorization, challenge));
    }
    const other = await authorization.renew(token, challenge);
    if (other === undefined) {
      throw refusalError(authorization, challenge, token, response, diagnoser(authorization, challenge));
    }
    await response.body?.cancel();
    const again = await fetch(url, withToken(init, other));
    const second = await challengeIn(again, false);
    if (second === undefined) return again;
    throw refusalError(authorization, second, other, again);
  };
}

/**
 * Detects refusals with status 200 and an error; an error about the method or its parameters concerns only
 * this request.
 */
async function isRefused(response: Response): Promise<boolean> {
  if (!/\bjson\b/i.test(response.headers.get('content-type') ?? '')) return !response.ok;
  const body = await openBody(response.clone(), AbortSignal.timeout(bodyTimeoutMs));
  const answer = parseJson((await readStart(body)).toString('utf8'));
  const error = isRecord(answer) && isRecord(answer.error) ? answer.error : undefined;
  return error === undefined ? !response.ok : !requestErrorCodes.has(error.code);
}

const bodyTimeoutMs = 5000;
const requestErrorCodes: ReadonlySet<unknown> = new Set([
  rpcErrorCodes.methodNotFound,
  rpcErrorCodes.invalidParams,
]);

function withToken(init: RequestInit | undefined, token: string | undefined): RequestInit | undefined {
  if (token === undefined) return init;
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

/** Creates the error for a request that the server refused because of its token, before acting on it. */
function refusalError(
  authorization: RemoteAuthorization,
  challenge: AuthChallenge,
  token: string | undefined,
  response: Response,
  judge?: DiagnoseRefusal,
): ConnectionClosedError {
  const cause = new ProblemError(authorization.problem(challenge, token !== undefined));
  return challenge.status === 403
    ? new InsufficientScopeError(cause, response)
    : new TokenRefusedError(cause, response, judge);
}

function diagnoser(authorization: RemoteAuthorization, challenge: AuthChallenge): DiagnoseRefusal {
  return async (...refused) => {
    const cause = new ProblemError(await authorization.diagnose(challenge, ...refused));
    return new ConnectionClosedError(cause.message, false, { cause });
  };
}
