import { timingSafeEqual } from 'node:crypto';
import type { ProblemError } from '../../../../shared/error/problem.ts';
import { type ExpectedIssuer, isExpectedIssuer } from './issuer.ts';
import { displayText, type RefusalReason } from './service-refusal.ts';
import { safeAddress, signInFailed, withServerWords } from './sign-in-problem.ts';

/** Values recorded before the redirect, and expected in the browser's return. */
export interface ExpectedAnswer {
  readonly state: string;
  readonly issuer: ExpectedIssuer;
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
  const issuers = params.getAll('iss').filter((issuer) => issuer !== '');
  // The text of another service is neither shown nor acted on.
  if (issuers.length === 0 && expected.namesIssuer) return { kind: 'refused', error: noIssuer(expected) };
  const other = issuers.find((issuer) => !isExpectedIssuer(expected.issuer, issuer));
  if (other !== undefined) return { kind: 'refused', error: wrongIssuer(expected, other) };
  const words = wordParams.map((name) => params.get(name)).find((text) => text) ?? undefined;
  if (refusal !== undefined) return { kind: 'refused', code: refusal, words, error: refused(refusal, words) };
  const code = params.get('code');
  return code === null || code === ''
    ? { kind: 'refused', error: refused(params.get('error_code') || 'no code', words) }
    : { kind: 'code', code };
}

/** Parameters in which services say why; only the first is standard. */
const wordParams = ['error_description', 'error_message', 'message'] as const;

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function wrongIssuer({ issuer }: ExpectedAnswer, found: string): ProblemError {
  const sentence = 'The sign-in was answered by a different service than the one Patchbay asked.';
  return signInFailed(sentence, tryOnce, { expected: shownIssuer(issuer), found: safeAddress(found) });
}

function noIssuer({ issuer }: ExpectedAnswer): ProblemError {
  const sentence = 'The sign-in answer does not name its service, although the service promised to.';
  return signInFailed(sentence, tryOnce, { expected: shownIssuer(issuer), found: '(none)' });
}

const tryOnce = 'Try again. If it keeps happening, do not sign in, and report it to whoever runs the server.';

function shownIssuer(issuer: ExpectedIssuer): string {
  return safeAddress(issuer.kind === 'guessed' ? issuer.origin : (issuer.names[0] ?? ''));
}

function refused(error: string, description?: string): ProblemError {
  const isDeclined = error === 'access_denied';
  const sentence = isDeclined ? 'The sign-in was declined.' : 'The service refused the sign-in.';
  const said = description === undefined ? undefined : displayText(description);
  return signInFailed(withServerWords(sentence, said), 'Sign in again.', { error: displayText(error), said });
}
