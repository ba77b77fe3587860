import { describe, expect, it } from 'vitest';
import type { AuthChallenge } from '../../../../../electron/engine/transport/oauth/contract.ts';
import { memorySecrets, type OAuthBench, oauthBench } from '../../../../helper/oauth.ts';
import { type OddAuthServer, oddAuthServer, signIn } from '../../../../helper/odd-auth-server.ts';

const tooNarrow = (scope?: string): AuthChallenge => ({
  status: 403,
  error: 'insufficient_scope',
  ...(scope === undefined ? {} : { scope }),
});

/** Returns the scopes that the next sign-in asks for. */
async function scopesAsked({ oauth, server }: OAuthBench): Promise<string | null> {
  return new URL((await oauth.signIn(server)).url).searchParams.get('scope');
}

const visits = ({ asked }: OddAuthServer) => asked.filter((one) => one === 'GET /authorize').length;
const grants = { token: (_request: unknown, usual: object) => ({ ...usual, scope: 'read' }) };
const notGiven = {
  code: 'server.unauthorized',
  sentence: expect.stringContaining('did not grant'),
  fix: expect.stringContaining('does not help'),
};

describe('a request that needs more permission', () => {
  it('is asked for with all that was asked for before, and with that of other requests', async () => {
    await using service = await oddAuthServer(grants);
    await using bench = oauthBench(service.url, { options: { scopes: ['read', 'list'] } });
    const authorization = bench.oauth.authorization(bench.server);
    await signIn(bench);
    const token = await bench.token();
    for (const scope of ['write', 'delete write']) {
      expect(await authorization.renew(token, tooNarrow(scope))).toBeUndefined();
      expect(bench.oauth.view('guarded')).toMatchObject({
        signedIn: true,
        problem: { fix: 'Sign in again to grant it.' },
      });
    }
    expect(await scopesAsked(bench)).toBe('read list offline_access write delete');
    await signIn(bench);
    // The service gave less than it was asked for; a later sign-in asks for it once more.
    expect(await scopesAsked(bench)).toBe('read list offline_access write delete');
  });

  it('is asked for with the scopes that the server lists, where its refusal names none', async () => {
    await using service = await oddAuthServer({
      ...grants,
      resource: (usual) => ({ ...usual, scopes_supported: ['read', 'write'] }),
    });
    await using bench = oauthBench(service.url, { options: { scopes: ['read'] } });
    const authorization = bench.oauth.authorization(bench.server);
    expect(await scopesAsked(bench)).toBe('read offline_access');
    await signIn(bench);
    await authorization.renew(await bench.token(), tooNarrow());
    expect(await scopesAsked(bench)).toBe('read offline_access write');
    await signIn(bench);
    await authorization.renew(await bench.token(), tooNarrow());
    expect(bench.oauth.view('guarded')).toMatchObject({ problem: notGiven });
  });

  it('does not ask again and again: a refused permission is reported, also after a restart', async () => {
    await using service = await oddAuthServer(grants);
    const secrets = memorySecrets();
    await using bench = oauthBench(service.url, { secrets });
    const authorization = bench.oauth.authorization(bench.server);
    await signIn(bench);
    await authorization.renew(await bench.token(), tooNarrow('write'));
    await signIn(bench);
    expect(bench.oauth.view('guarded')).toEqual({ signedIn: true, pending: false });
    const token = await bench.token();
    for (let call = 0; call < 5; call += 1) {
      expect(await authorization.renew(token, tooNarrow('write'))).toBeUndefined();
      expect(authorization.problem(tooNarrow('write'), true)).toMatchObject(notGiven);
    }
    expect(authorization.problem(tooNarrow('delete'), true).fix).toBe('Sign in again to grant it.');
    expect(bench.oauth.view('guarded')).toMatchObject({ signedIn: true, problem: notGiven });
    await using later = oauthBench(service.url, { secrets });
    await later.oauth.authorization(later.server).renew(await later.token(), tooNarrow('write'));
    expect(later.oauth.view('guarded')).toMatchObject({ problem: notGiven });
    expect(visits(service)).toBe(2);
  });

  it('is not asked for once another token suffices', async () => {
    await using service = await oddAuthServer(grants);
    await using bench = oauthBench(service.url);
    const authorization = bench.oauth.authorization(bench.server);
    await signIn(bench);
    const first = await bench.token();
    await authorization.renew(first, tooNarrow('write'));
    await signIn(bench);
    expect(await authorization.renew(first, tooNarrow('write'))).toBe('token-2');
    expect(bench.oauth.view('guarded')).toEqual({ signedIn: true, pending: false });
  });
});
