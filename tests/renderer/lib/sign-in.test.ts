import { describe, expect, it } from 'vitest';
import { signInVerb, wantsSignIn } from '../../../renderer/lib/sign-in.ts';

describe('[NFR-SEC3] a sign-in', () => {
  it('is wanted where the server asked for one, not where the config gives credentials', () => {
    expect(wantsSignIn({ status: 'needs-auth', auth: { signedIn: false, pending: false } })).toBe(true);
    expect(wantsSignIn({ status: 'needs-auth' })).toBe(false);
    expect(wantsSignIn({ status: 'connected', auth: { signedIn: true, pending: false } })).toBe(false);
  });

  it.each([
    [{ signedIn: false, pending: false }, 'Sign in'],
    [{ signedIn: true, pending: false }, 'Sign in again'],
    [{ signedIn: false, pending: true }, 'Start again'],
  ])('has a verb for how it stands: %o', (auth, verb) => {
    expect(signInVerb({ auth })).toBe(verb);
  });
});
