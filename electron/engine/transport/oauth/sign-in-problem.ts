import { OAuthError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { type Problem, ProblemError, problem } from '../../../../shared/error/problem.ts';
import { publicUrl } from '../http-problem.ts';
import type { AuthChallenge } from './contract.ts';

/** The server wants its user signed in; the fix is the verb that does it. */
export function signInNeeded(url: URL, challenge: AuthChallenge, hadToken: boolean): Problem {
  const { status, scope } = challenge;
  const evidence = { url: publicUrl(url), status, scope };
  const say = (sentence: string, fix: string) => problem('server.unauthorized', sentence, fix, evidence);
  if (status === 403) {
    return say('The server asks for more permission than your sign-in gave.', 'Sign in again to grant it.');
  }
  return hadToken
    ? say('Your sign-in to this server is no longer valid.', 'Sign in again.')
    : say('The server wants you to sign in.', 'Sign in to it.');
}

/** A sign-in that did not succeed. */
export function signInFailed(
  sentence: string,
  fix: string,
  evidence: Readonly<Record<string, string | number | undefined>> = {},
  cause?: unknown,
): ProblemError {
  return new ProblemError(problem('server.sign_in_failed', sentence, fix, evidence), { cause });
}

/**
 * What may be told of a failed exchange with an authorization server: its error code, or the kind of failure. The
 * message may quote the answer, and with it a token.
 */
export function failureName(error: unknown): string {
  if (error instanceof OAuthError) return error.errorCode;
  const code = codeOf(error);
  if (code !== undefined) return code;
  return error instanceof Error ? error.name : typeof error;
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause);
}
