import { describe, expect, it } from 'vitest';
import { authServer } from '../../../../helper/auth-server.ts';
import { type OAuthBench, oauthBench } from '../../../../helper/oauth.ts';
import { onReturn, visit } from '../../../../helper/scripted-browser.ts';

const failed = { code: 'server.sign_in_failed' };

/** Collects everything that the bench could show, log or store unencrypted. */
const shown = ({ oauth, server }: OAuthBench) => JSON.stringify(oauth.view(server.key));

describe('a sign-in', () => {
  it('[NFR-SEC3] ends with a token that the server takes; nobody has opened a browser for it', async () => {
    await using auth = await authServer();
    await using bench = oauthBench(auth.url);
    expect(await bench.token()).toBeUndefined();
    expect(bench.oauth.view('guarded')).toBeUndefined();
    const { url } = await bench.oauth.signIn(bench.server);
    const { clock, server, oauth } = bench;
    expect(oauth.view('guarded')).toEqual({ signedIn: false, pending: true, since: clock.now() });
    expect(oauth.pendingUrl('guarded')).toBe(url);
    oauth.browserNotOpened(server.key);
    expect(oauth.view('guarded')).toMatchObject({ pending: true, unopened: true });
    const asked = new URL(url).searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(asked.get('resource')).toBe(auth.url);
    expect(asked.get('scope')).toBe('mcp:read offline_access');
    expect(new URL(asked.get('redirect_uri') ?? '').hostname).toBe('127.0.0.1');

    const page = await visit(url);
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('Signed in') });
    expect(oauth.pendingUrl('guarded')).toBeUndefined();
    expect(bench.oauth.view('guarded')).toEqual({ signedIn: true, pending: false });
    expect(bench.changes).toEqual(['guarded']);
    const token = await bench.token();
    expect((await bench.ask(token)).status).toBe(200);
    expect(await auth.counts()).toMatchObject({ code: 1, refresh: 0, failed: 0, registered: 1 });
    expect(page.text + shown(bench)).not.toContain(String(token));
    // The address is closed again: a second return reaches nothing.
    await expect(fetch(page.url)).rejects.toThrow();
  });

  it('[NFR-SEC3] refuses an answer that names another authorization server, and redeems nothing', async () => {
    await using auth = await authServer();
    for (const change of [
      (params: URLSearchParams) => params.set('iss', 'https://evil.example'),
      (params: URLSearchParams) => params.delete('iss'),
    ]) {
      await using bench = oauthBench(auth.url);
      const { url } = await bench.oauth.signIn(bench.server);
      const page = await visit(url, onReturn(change));
      expect(page.status).toBe(400);
      expect(bench.oauth.view('guarded')).toMatchObject({ signedIn: false, pending: false, problem: failed });
      expect(await bench.token()).toBeUndefined();
      const code = page.url.searchParams.get('code');
      expect(code).toEqual(expect.any(String));
      expect(page.text + shown(bench)).not.toContain(String(code));
    }
    expect(await auth.counts()).toMatchObject({ code: 0, failed: 0 });
  });

  it('[NFR-SEC3] is not ended by a return with another state, which gets nothing', async () => {
    await using auth = await authServer();
    await using bench = oauthBench(auth.url);
    const { url } = await bench.oauth.signIn(bench.server);
    const stranger = await visit(
      url,
      onReturn((params) => params.set('state', 'guessed')),
    );
    expect(stranger.status).toBe(400);
    expect(bench.oauth.view('guarded')).toMatchObject({ signedIn: false, pending: true });
    expect((await visit(url)).status).toBe(200);
    expect(bench.oauth.view('guarded')).toEqual({ signedIn: true, pending: false });
  });

  it('tells that the user declined', async () => {
    await using auth = await authServer();
    await using bench = oauthBench(auth.url);
    await auth.set({ decline: true });
    const { url } = await bench.oauth.signIn(bench.server);
    expect(await visit(url)).toMatchObject({ status: 400, text: expect.stringContaining('declined') });
    expect(bench.oauth.view('guarded')).toMatchObject({
      signedIn: false,
      pending: false,
      problem: { ...failed, evidence: [{ value: 'access_denied' }, { value: 'The user said no.' }] },
    });
  });

  it('replaces an attempt that was begun before, and gives up after ten minutes', async () => {
    await using auth = await authServer();
    await using bench = oauthBench(auth.url);
    const first = await bench.oauth.signIn(bench.server);
    const second = await bench.oauth.signIn(bench.server);
    await expect(visit(first.url)).rejects.toThrow();
    expect(bench.oauth.view('guarded')).toMatchObject({ signedIn: false, pending: true });
    await bench.clock.advance(10 * 60_000);
    expect(bench.oauth.view('guarded')).toMatchObject({ pending: false, problem: failed });
    await expect(visit(second.url)).rejects.toThrow();
  });

  it('uses the client in the config if the service registers none, and asks for one if the config has none', async () => {
    await using auth = await authServer({ registration: false });
    await using stranger = oauthBench(auth.url);
    await expect(stranger.oauth.signIn(stranger.server)).rejects.toMatchObject({
      problem: { code: 'server.client_id_needed' },
    });
    const options = { clientId: 'by-hand', clientSecret: 'hand-made-secret', scopes: ['mcp:write'] };
    await using bench = oauthBench(auth.url, { options });
    const { url } = await bench.oauth.signIn(bench.server);
    expect(new URL(url).searchParams.get('scope')).toBe('mcp:write offline_access');
    expect((await visit(url)).status).toBe(200);
    expect((await bench.ask(await bench.token())).status).toBe(200);
    // Values from the user's config are not copied.
    await bench.clock.advance(3_600_000);
    expect(await bench.token()).toEqual(expect.any(String));
    expect(await auth.counts()).toMatchObject({ code: 1, refresh: 1, registered: 0 });
  });

  it('says that the service cannot be asked while it is down', async () => {
    await using auth = await authServer();
    await using bench = oauthBench(auth.url);
    await auth.set({ down: true });
    await expect(bench.oauth.signIn(bench.server)).rejects.toMatchObject({ problem: failed });
  });
});
