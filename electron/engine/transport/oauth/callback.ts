import { timingSafeEqual } from 'node:crypto';
import type { ProblemError } from '../../../../shared/error/problem.ts';
import { signInFailed } from './sign-in-problem.ts';

/** What an attempt expects of the browser's return. */
export interface ExpectedAnswer {
  readonly state: string;
  /** Absent where the authorization server has told nothing of itself. */
  readonly issuer?: string;
  /** The authorization server says that it always names itself (RFC 9207). */
  readonly namesIssuer: boolean;
}

export type CallbackJudgement =
  /** Not an answer to this attempt; whoever sent it must not be able to end it. */
  | { readonly kind: 'stranger' }
  | { readonly kind: 'refused'; readonly error: ProblemError }
  | { readonly kind: 'code'; readonly code: string };

/** Judges what a browser brought back. */
export function judgeCallback(params: URLSearchParams, expected: ExpectedAnswer): CallbackJudgement {
  if (!isEqual(params.get('state') ?? '', expected.state)) return { kind: 'stranger' };
  const issuer = params.get('iss') ?? undefined;
  const isMissing = issuer === undefined && expected.namesIssuer;
  const isOther = issuer !== undefined && expected.issuer !== undefined && issuer !== expected.issuer;
  if (isMissing || isOther) return { kind: 'refused', error: otherIssuer(expected.issuer, issuer) };
  const refusal = params.get('error');
  if (refusal !== null) {
    return { kind: 'refused', error: refused(refusal, params.get('error_description')) };
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

function otherIssuer(expected: string | undefined, found: string | undefined): ProblemError {
  const sentence = 'The answer to the sign-in came from another service than the one that was asked.';
  const fix = 'Try again; if it repeats, do not sign in and tell whoever runs the server.';
  return signInFailed(sentence, fix, { expected, found: found ?? '(none)' });
}

function refused(error: string, description: string | null = null): ProblemError {
  const sentence =
    error === 'access_denied' ? 'The sign-in was declined.' : 'The service refused the sign-in.';
  const evidence = { error: plain(error), said: description === null ? undefined : plain(description) };
  return signInFailed(sentence, 'Try again.', evidence);
}

/** From elsewhere, so bounded and without control characters. */
function plain(text: string): string {
  return text.replace(/\p{C}/gu, ' ').slice(0, 300);
}
