import { describe, expect, it } from 'vitest';
import { oauthBench } from '../../../../helper/oauth.ts';
import { oddAuthServer, signIn } from '../../../../helper/odd-auth-server.ts';
import { onReturn, visit } from '../../../../helper/scripted-browser.ts';

describe('a browser that comes back', () => {
  it('twice at once gets the same page, and only one token is asked for', async () => {
    await using service = await oddAuthServer();
    await using bench = oauthBench(service.url);
    const { url } = await bench.oauth.signIn(bench.server);
    const { headers } = await fetch(url, { redirect: 'manual' });
    const back = headers.get('location') ?? '';
    const pages = await Promise.all([fetch(back), fetch(back)]);
    expect(await Promise.all(pages.map((one) => one.text()))).toEqual([
      expect.stringContaining('Signed in'),
      expect.stringContaining('Signed in'),
    ]);
    expect(service.asked.filter((one) => one === 'POST /token').length).toBe(1);
  });

  it('to look first (HEAD), for an icon, or with a final slash does no harm', async () => {
    await using service = await oddAuthServer();
    await using bench = oauthBench(service.url);
    const { url } = await bench.oauth.signIn(bench.server);
    const { headers } = await fetch(url, { redirect: 'manual' });
    const back = new URL(headers.get('location') ?? '');
    expect((await fetch(back, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(new URL('/favicon.ico', back))).status).toBe(404);
    expect((await fetch(back, { method: 'POST' })).status).toBe(404);
    back.pathname = '/callback/';
    expect(await (await fetch(back)).text()).toContain('Signed in');
  });

  it('to an address written as in a page is signed in', async () => {
    await using service = await oddAuthServer({
      authorize: (_, back) => ({ status: 302, headers: { location: back.href.replaceAll('&', '&amp;') } }),
    });
    await using bench = oauthBench(service.url);
    expect((await signIn(bench)).text).toContain('Signed in');
  });

  it('[NFR-SEC3] with a refusal without a state ends the sign-in as a page, not from within another page', async () => {
    await using service = await oddAuthServer();
    await using bench = oauthBench(service.url);
    const { url } = await bench.oauth.signIn(bench.server);
    const back = new URL(new URL(url).searchParams.get('redirect_uri') ?? '');
    back.search = '?error=access_denied&error_description=Not+you.';
    const hidden = await fetch(back, { headers: { 'sec-fetch-dest': 'image' } });
    expect(hidden.status).toBe(400);
    expect(bench.oauth.view('guarded')).toMatchObject({ pending: true });
    expect(await (await fetch(back)).text()).toContain('Not you.');
    expect(bench.oauth.view('guarded')).toMatchObject({
      pending: false,
      problem: {
        evidence: [
          { label: 'error', value: 'access_denied' },
          { label: 'said', value: 'Not you.' },
        ],
      },
    });
  });

  it('with the state twice, or an empty issuer, is the one that was sent', async () => {
    for (const change of [
      (params: URLSearchParams) => params.append('state', params.get('state') ?? ''),
      (params: URLSearchParams) => params.set('iss', ''),
    ]) {
      await using service = await oddAuthServer();
      await using bench = oauthBench(service.url);
      const { url } = await bench.oauth.signIn(bench.server);
      expect((await visit(url, onReturn(change))).text).toContain('Signed in');
    }
  });

  it.each([
    ['the issuer with a slash more', (origin: string) => `${origin}/`],
    ['the issuer in another case', (origin: string) => origin.toUpperCase()],
    ['another issuer', () => 'https://evil.example'],
    ['no issuer where one is promised', () => undefined],
  ])('[NFR-SEC3] with %s ends the sign-in, and no code is redeemed', async (_, issuerOf) => {
    await using service = await oddAuthServer({
      metadata: (usual) => ({ ...usual, authorization_response_iss_parameter_supported: true }),
      authorize: (_request, back) => {
        const issuer = issuerOf(service.origin);
        if (issuer !== undefined) back.searchParams.set('iss', issuer);
        return { status: 302, headers: { location: back.href } };
      },
    });
    await using bench = oauthBench(service.url);
    expect((await signIn(bench)).text).toMatch(/different service|does not name its service/);
    expect(service.asked).not.toContain('POST /token');
    expect(bench.oauth.view('guarded')).toMatchObject({ signedIn: false, pending: false });
  });

  it('with the issuer as the server or the service spells it is welcome', async () => {
    for (const spelling of ['', '/']) {
      await using service = await oddAuthServer({
        metadata: (usual) => ({ ...usual, issuer: `${usual.issuer}/` }),
        authorize: (_request, back) => {
          back.searchParams.set('iss', `${service.origin}${spelling}`);
          return { status: 302, headers: { location: back.href } };
        },
      });
      await using bench = oauthBench(service.url);
      expect((await signIn(bench)).text).toContain('Signed in');
    }
  });
});
