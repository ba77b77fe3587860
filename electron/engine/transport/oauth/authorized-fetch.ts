import { ProblemError } from '../../../../shared/error/problem.ts';
import { ConnectionClosedError } from '../../rpc/message.ts';
import type { Fetch } from '../http-connections.ts';
import { challengeOf } from './challenge.ts';
import type { AuthChallenge, RemoteAuthorization } from './contract.ts';

/**
 * Sends requests to a server's own origin with its access token. A refusal is answered with another token once; where
 * there is none the request rejects with ConnectionClosedError (not sent), whose cause is the ProblemError
 * `server.unauthorized` with the sign-in as its fix.
 */
export function createAuthorizedFetch(server: URL, fetch: Fetch, authorization: RemoteAuthorization): Fetch {
  return async (url, init) => {
    if (new URL(url).origin !== server.origin) return fetch(url, init);
    const token = await authorization.token();
    const response = await fetch(url, withToken(init, token));
    const challenge = challengeOf(response);
    if (challenge === undefined) return response;
    await response.body?.cancel();
    const other = await authorization.renew(token, challenge);
    if (other === undefined) throw refusal(authorization, challenge, token);
    const again = await fetch(url, withToken(init, other));
    const second = challengeOf(again);
    if (second === undefined) return again;
    await again.body?.cancel();
    throw refusal(authorization, second, other);
  };
}

function withToken(init: RequestInit | undefined, token: string | undefined): RequestInit | undefined {
  if (token === undefined) return init;
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

/** The server refuses a request by its token before it acts on it. */
function refusal(authorization: RemoteAuthorization, challenge: AuthChallenge, token: string | undefined) {
  const cause = new ProblemError(authorization.problem(challenge, token !== undefined));
  return new ConnectionClosedError(cause.message, false, { cause });
}
