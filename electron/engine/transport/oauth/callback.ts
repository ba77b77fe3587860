import { timingSafeEqual } from 'node:crypto';
import type { ProblemError } from '../../../../shared/error/problem.ts';
import { safeAddress } from './discover.ts';
import { isSameIssuer } from './issuer.ts';
import { displayText, type RefusalReason } from './service-refusal.ts';
import { signInFailed, withServerWords } from './sign-in-problem.ts';

/** Values expected in the browser's return. */
export interface ExpectedAnswer {
  readonly state: string;
  /** Absent if the authorization server has no metadata. */
  readonly issuer?: string;
  /** The authorization server states that it always names itself (RFC 9207). */
  readonly namesIssuer: boolean;
}

export type CallbackJudgement =
  /** Not an answer to this attempt; the sender must not be able to end it. */
  | { readonly kind: 'stranger' }
  | (RefusalReason & { readonly kind: 'refused'; readonly error: ProblemError })
  | { readonly kind: 'code'; readonly code: string };

/**
 * Judges the parameters of the browser's return. A refusal without a state is accepted only if a person's
 * browser navigated there (`isNavigation`), which another page cannot do unseen.
 */
export function judgeCallback(
  params: URLSearchParams,
  expected: ExpectedAnswer,
  isNavigation = false,
): CallbackJudgement {
  const states = params.getAll('state').filter((state) => state !== '');
  const refusal = params.get('error') || undefined;
  const isStateless = states.length === 0 && refusal !== undefined && isNavigation;
  const hasState = states.length > 0 && states.every((state) => isEqual(state, expected.state));
  if (!hasState && !isStateless) return { kind: 'stranger' };
  const issuer = params.get('iss') || undefined;
  const isMissing = issuer === undefined && expected.namesIssuer && !isStateless;
  const isOther =
    issuer !== undefined && expected.issuer !== undefined && !isSameIssuer(expected.issuer, issuer);
  if (isMissing || isOther) return { kind: 'refused', error: wrongIssuer(expected.issuer, issuer) };
  if (refusal !== undefined) {
    const words = params.get('error_description') || undefined;
    return { kind: 'refused', code: refusal, words, error: refused(refusal, words) };
  }
  const code = params.get('code');
  return code === null || code === ''
    ? { kind: 'refused', error: refused('no code') }
    : { kind: 'code', code };
}

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function wrongIssuer(expected: string | undefined, found: string | undefined): ProblemError {
  const sentence = 'The answer to the sign-in came from a different service than the one Patchbay asked.';
  const fix = 'Try again. If it keeps happening, do not sign in, and tell whoever runs the server.';
  return signInFailed(sentence, fix, {
    expected: expected === undefined ? undefined : safeAddress(expected),
    found: found === undefined ? '(none)' : safeAddress(found),
  });
}

function refused(error: string, description?: string): ProblemError {
  const isDeclined = error === 'access_denied';
  const sentence = isDeclined ? 'The sign-in was declined.' : 'The service refused the sign-in.';
  const said = description === undefined ? undefined : displayText(description);
  return signInFailed(withServerWords(sentence, said), 'Sign in again.', { error: displayText(error), said });
}
