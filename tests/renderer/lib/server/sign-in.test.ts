import { describe, expect, it } from 'vitest';
import { signInProblem, signInVerb, wantsSignIn } from '../../../../renderer/lib/server/sign-in.ts';
import { type ProblemCode, problem } from '../../../../shared/error/problem.ts';
import { aServer } from '../../helper/sample-views.ts';

function aProblem(code: ProblemCode) {
  return problem(code, 'A sentence.', 'A fix.');
}

describe('[NFR-SEC3] a sign-in', () => {
  it('is wanted where the server asked for one, not where the config gives credentials', () => {
    expect(wantsSignIn({ status: 'needs-auth', auth: { signedIn: false, pending: false } })).toBe(true);
    expect(wantsSignIn({ status: 'needs-auth' })).toBe(false);
    expect(wantsSignIn({ status: 'connected', auth: { signedIn: true, pending: false } })).toBe(false);
  });

  it('shows the last failure before the first refusal, and nothing else', () => {
    const refusal = aProblem('server.unauthorized');
    const failure = aProblem('server.sign_in_failed');
    const asked = { signedIn: false, pending: false };
    const wanted = aServer('a', { status: 'needs-auth', problem: refusal, auth: asked });
    expect(signInProblem(wanted)).toBe(refusal);
    expect(signInProblem({ ...wanted, auth: { ...asked, problem: failure } })).toBe(failure);
    expect(signInProblem(aServer('a', { status: 'error', problem: refusal }))).toBeUndefined();
  });

  it.each([
    [{ signedIn: false, pending: false }, 'Sign in'],
    [{ signedIn: true, pending: false }, 'Sign in again'],
    [{ signedIn: false, pending: true }, 'Start again'],
  ])('has a verb for how it stands: %o', (auth, verb) => {
    expect(signInVerb({ auth })).toBe(verb);
  });
});
