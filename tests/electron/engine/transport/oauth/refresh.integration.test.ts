import { describe, expect, it } from 'vitest';
import { authServer } from '../../../../helper/auth-server.ts';
import { memorySecrets, type OAuthBench, oauthBench } from '../../../../helper/oauth.ts';
import { visit } from '../../../../helper/scripted-browser.ts';

async function signedIn(bench: OAuthBench): Promise<string> {
  const { url } = await bench.oauth.signIn(bench.server);
  await visit(url);
  const token = await bench.token();
  if (token === undefined) throw new Error('not signed in');
  return token;
}

const refusal = { status: 401, error: 'invalid_token' };
const minute = 60_000;

describe('a token', () => {
  it('[NFR-SEC3] is refreshed before its end, once for all who wait, and not sooner', async () => {
    await using auth = await authServer();
    await using bench = oauthBench(auth.url);
    const first = await signedIn(bench);
    await bench.clock.advance(58 * minute);
    expect(await bench.token()).toBe(first);
    await bench.clock.advance(1.5 * minute);
    const tokens = await Promise.all(Array.from({ length: 5 }, () => bench.token()));
    expect(new Set(tokens).size).toBe(1);
    expect(tokens[0]).not.toBe(first);
    expect((await bench.ask(tokens[0])).status).toBe(200);
    expect(await auth.counts()).toMatchObject({ refresh: 1, failed: 0, refused: 0 });
    // The rotated refresh token was stored: the next refresh works too, even for a hub started later.
    await using later = oauthBench(auth.url, { secrets: bench.secrets });
    await later.clock.advance(119 * minute);
    expect((await later.ask(await later.token())).status).toBe(200);
    expect(await auth.counts()).toMatchObject({ refresh: 2, failed: 0 });
  });

  it('[NFR-SEC3] that two hubs need at once is refreshed by one of them', async () => {
    await using auth = await authServer();
    const secrets = memorySecrets();
    await using one = oauthBench(auth.url, { secrets });
    await using other = oauthBench(auth.url, { secrets });
    await signedIn(one);
    expect(await other.token()).toBe(await one.token());
    await one.clock.advance(60 * minute);
    await other.clock.advance(60 * minute);
    const [mine, theirs] = await Promise.all([one.token(), other.token()]);
    expect(mine).toBe(theirs);
    expect(await auth.counts()).toMatchObject({ refresh: 1, failed: 0 });
  });

  it('[NFR-SEC3] that was refused is renewed without the user while the sign-in holds', async () => {
    await using auth = await authServer();
    await using bench = oauthBench(auth.url);
    const first = await signedIn(bench);
    await auth.revoke({ accessTokensOnly: true });
    const renewed = await Promise.all([
      bench.oauth.authorization(bench.server).renew(first, refusal),
      bench.oauth.authorization(bench.server).renew(first, refusal),
    ]);
    expect(new Set(renewed).size).toBe(1);
    // A caller that was refused with the old token only later gets the same new one.
    expect(await bench.oauth.authorization(bench.server).renew(first, refusal)).toBe(renewed[0]);
    expect((await bench.ask(renewed[0])).status).toBe(200);
    expect(await auth.counts()).toMatchObject({ refresh: 1, failed: 0 });
  });

  it('[NFR-SEC3] of a sign-in that was revoked is given up, and the user asked', async () => {
    await using auth = await authServer();
    await using bench = oauthBench(auth.url);
    const first = await signedIn(bench);
    await auth.revoke();
    const authorization = bench.oauth.authorization(bench.server);
    expect(await authorization.renew(first, refusal)).toBeUndefined();
    expect(bench.oauth.view('guarded')).toEqual({ signedIn: false, pending: false });
    expect([...bench.secrets.values.keys()]).toEqual([]);
    // The connection may be useful without it.
    expect(bench.changes).toEqual(['guarded']);
    const problem = await authorization.diagnose(refusal, { status: 401 }, true);
    expect(problem).toMatchObject({ code: 'server.unauthorized', fix: 'Sign in again.' });
    expect(bench.oauth.view('guarded')).toEqual({ signedIn: false, pending: false, problem });
  });

  it('[NFR-R2] outlives an authorization server that is down: used to its end, then an error that passes', async () => {
    await using auth = await authServer();
    await using bench = oauthBench(auth.url);
    const first = await signedIn(bench);
    await auth.set({ down: true });
    await bench.clock.advance(59.5 * minute);
    expect(await bench.token()).toBe(first);
    await bench.clock.advance(minute);
    await expect(bench.token()).rejects.toMatchObject({
      sent: false,
      cause: { problem: { code: 'server.unreachable' } },
    });
    expect(bench.oauth.view('guarded')).toMatchObject({ signedIn: true });
    await auth.set({ down: false });
    expect(await bench.token()).not.toBe(first);
  });

  it('is not sent to another address that took over the key', async () => {
    await using auth = await authServer();
    await using bench = oauthBench(auth.url);
    await signedIn(bench);
    const moved = { ...bench.server, url: 'http://127.0.0.1:1/mcp' };
    expect(await bench.oauth.authorization(moved).token()).toBeUndefined();
  });

  it('asks for more at once when the server wants a wider scope, keeping what it had', async () => {
    await using auth = await authServer();
    await using bench = oauthBench(auth.url);
    const first = await signedIn(bench);
    const challenge = { status: 403, error: 'insufficient_scope', scope: 'mcp:write' };
    const authorization = bench.oauth.authorization(bench.server);
    expect(await authorization.renew(first, challenge)).toBeUndefined();
    expect(authorization.problem(challenge, true)).toMatchObject({
      code: 'server.unauthorized',
      fix: expect.stringContaining('Sign in again'),
    });
    const { url } = await bench.oauth.signIn(bench.server);
    expect(new URL(url).searchParams.get('scope')).toBe('mcp:read offline_access mcp:write');
    await visit(url);
    // Other requests that were refused in the meantime use the wider token.
    expect(await authorization.renew(first, challenge)).toBe(await bench.token());
  });
});

describe('a sign-out', () => {
  it('forgets the sign-in here and ends it at the authorization server', async () => {
    await using auth = await authServer();
    await using bench = oauthBench(auth.url);
    const token = await signedIn(bench);
    await bench.oauth.signOut(bench.server);
    expect(await bench.token()).toBeUndefined();
    expect([...bench.secrets.values.keys()]).toEqual([]);
    expect(bench.changes).toEqual(['guarded', 'guarded']);
    expect((await bench.ask(token)).status).toBe(401);
  });

  it('works while the authorization server is down, and for who never signed in', async () => {
    await using auth = await authServer();
    await using bench = oauthBench(auth.url);
    await bench.oauth.signOut(bench.server);
    await signedIn(bench);
    await auth.set({ down: true });
    await bench.oauth.signOut(bench.server);
    expect(await bench.token()).toBeUndefined();
  });
});
