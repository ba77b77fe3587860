import { ProblemError } from '../../../../shared/error/problem.ts';
import { isRecord, parseJson } from '../../../../shared/json.ts';
import { ConnectionClosedError, rpcErrorCodes } from '../../rpc/message.ts';
import type { Fetch } from '../http-connections.ts';
import type { AccessRefusal } from '../http-problem.ts';
import { openBody, readStart } from '../remote/body.ts';
import { challengeOf, namesSignIn, saysDeadToken } from './challenge.ts';
import type { AuthChallenge, RemoteAuthorization } from './contract.ts';

/** One request needs more permission than the sign-in gave; others may need none. */
export class TooNarrowError extends ConnectionClosedError {
  /** Response whose body has not been read. */
  readonly response: Response;

  constructor(cause: ProblemError, response: Response) {
    super(cause.message, false, { cause });
    this.response = response;
  }
}

/** Finds out what the server wants instead; `isAlone` as for {@link RemoteAuthorization.wanted}. */
export type Judge = (refusal: AccessRefusal, isAlone?: boolean) => Promise<ConnectionClosedError>;

/** A request was refused for want of a sign-in over a connection that has had none so far. */
export class NotSignedInError extends ConnectionClosedError {
  /** Response whose body has not been read. */
  readonly response: Response;
  readonly judge: Judge;

  constructor(cause: ProblemError, response: Response, judge: Judge) {
    super(cause.message, false, { cause });
    this.response = response;
    this.judge = judge;
  }
}

/** A request was refused with the best token there is; others may still be answered. */
export class TokenRefusedError extends ConnectionClosedError {
  /** Response whose body has not been read. */
  readonly response: Response;
  /** Undefined where the sign-in still holds. */
  readonly judge: Judge | undefined;

  constructor(cause: ProblemError, response: Response, judge: Judge | undefined) {
    super(cause.message, false, { cause });
    this.response = response;
    this.judge = judge;
  }
}

/**
 * Sends requests to a server's own origin with its access token. A refusal is answered with another token once; where
 * there is none the request rejects with ConnectionClosedError (not sent), whose cause is the ProblemError
 * `server.unauthorized` with the sign-in as its fix; TooNarrowError where that would be a wider one, NotSignedInError
 * where no token has been sent yet, else TokenRefusedError.
 */
export function createAuthorizedFetch(server: URL, fetch: Fetch, authorization: RemoteAuthorization): Fetch {
  let hadToken = false;
  let isGreeting = true;
  /**
   * Reads the response's challenge. Beside 401 and a challenge that names a dead token, a refusal says so only of a request
   * without a token; once the server has taken something, only with 403.
   */
  async function asked(response: Response, isNobody: boolean): Promise<AuthChallenge | undefined> {
    const isOfToken = isNobody || saysDeadToken(response);
    const mayBe = isOfToken && (isGreeting || response.status === 403);
    const challenge = challengeOf(response, mayBe && namesSignIn(response) && (await isRefused(response)));
    if (challenge === undefined && response.ok) isGreeting = false;
    return challenge;
  }
  return async (url, init) => {
    if (new URL(url).origin !== server.origin) return fetch(url, init);
    const token = await authorization.token();
    hadToken ||= token !== undefined;
    const response = await fetch(url, withToken(init, token));
    const challenge = await asked(response, token === undefined);
    if (challenge === undefined) return response;
    if (!hadToken && challenge.status === 401) {
      const cause = new ProblemError(authorization.problem(challenge, false));
      throw new NotSignedInError(cause, response, judging(authorization, challenge));
    }
    const other = await authorization.renew(token, challenge);
    if (other === undefined) {
      throw refusal(authorization, challenge, token, response, judging(authorization, challenge));
    }
    await response.body?.cancel();
    const again = await fetch(url, withToken(init, other));
    const second = await asked(again, false);
    if (second === undefined) return again;
    throw refusal(authorization, second, other, again);
  };
}

/** A server may refuse with status 200 and an error; one about the method or its parameters is about these alone. */
async function isRefused(response: Response): Promise<boolean> {
  if (!/\bjson\b/i.test(response.headers.get('content-type') ?? '')) return !response.ok;
  const body = await openBody(response.clone(), AbortSignal.timeout(patience));
  const answer = parseJson((await readStart(body)).toString('utf8'));
  const error = isRecord(answer) && isRecord(answer.error) ? answer.error : undefined;
  return error === undefined ? !response.ok : !aboutRequest.has(error.code);
}

const patience = 5000;
const aboutRequest: ReadonlySet<unknown> = new Set([
  rpcErrorCodes.methodNotFound,
  rpcErrorCodes.invalidParams,
]);

function withToken(init: RequestInit | undefined, token: string | undefined): RequestInit | undefined {
  if (token === undefined) return init;
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

/** The server refuses a request by its token before it acts on it. */
function refusal(
  authorization: RemoteAuthorization,
  challenge: AuthChallenge,
  token: string | undefined,
  response: Response,
  judge?: Judge,
): ConnectionClosedError {
  const cause = new ProblemError(authorization.problem(challenge, token !== undefined));
  return challenge.status === 403
    ? new TooNarrowError(cause, response)
    : new TokenRefusedError(cause, response, judge);
}

function judging(authorization: RemoteAuthorization, challenge: AuthChallenge): Judge {
  return async (...refused) => {
    const cause = new ProblemError(await authorization.wanted(challenge, ...refused));
    return new ConnectionClosedError(cause.message, false, { cause });
  };
}
