import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../../helper/eventually.ts';
import { freePort } from '../../../../helper/free-port.ts';
import { oauthBench } from '../../../../helper/oauth.ts';
import {
  type OddAuthRules,
  oddAuthServer,
  type RawAnswer,
  signIn,
  tokenFrom,
} from '../../../../helper/odd-auth-server.ts';

describe('[NFR-R2] a client that is refused', () => {
  const refused = (code: string): RawAnswer => ({ status: 400, body: JSON.stringify({ error: code }) });

  it.each(['invalid_redirect_uri', 'invalid_request', 'invalid_client_metadata', 'some_other'])(
    'with %s for the name of this machine is registered with the other name',
    async (code) => {
      for (const name of ['127.0.0.1', 'localhost']) {
        const token = await tokenFrom({
          register({ json }, usual) {
            const [uri = ''] = json.redirect_uris as string[];
            return new URL(uri).hostname === name ? usual : refused(code);
          },
        });
        expect(token).toBe('token-1');
      }
    },
  );

  const isLocalhost = (fields: Readonly<Record<string, string>>) =>
    new URL(fields.redirect_uri ?? '').hostname === 'localhost';

  it.each(['return', 'token'])(
    'only when it signs in, at the %s, comes back by the other name',
    async (step) => {
      const token = await tokenFrom({
        authorize({ fields }, back) {
          if (isLocalhost(fields) || step === 'token') return undefined;
          back.searchParams.delete('code');
          back.searchParams.set('error', 'invalid_request');
          return { status: 302, headers: { location: back.href } };
        },
        token: ({ fields }, usual) => (isLocalhost(fields) ? usual : refused('invalid_grant')),
      });
      expect(token).toMatch(/^token-/);
    },
  );

  it('at the page of the service, registered by hand, is sent there by the other name', async () => {
    const authorize: OddAuthRules['authorize'] = ({ fields }) =>
      isLocalhost(fields) ? undefined : refused('invalid_request');
    expect(await tokenFrom({ authorize }, { clientId: 'by-hand' })).toBe('token-1');
  });

  it('at the page of the service hears so after a while, and comes back by the other name the next time', async () => {
    await using service = await oddAuthServer({
      authorize: ({ fields }) => (isLocalhost(fields) ? undefined : refused('invalid_request')),
    });
    await using bench = oauthBench(service.url);
    expect((await signIn(bench)).text).toContain('invalid_request');
    expect(service.asked.filter((one) => one === 'GET /authorize').length).toBe(1);
    await bench.clock.advance(10_000);
    await eventually(() => expect(bench.oauth.view('guarded')?.problem).toBeDefined());
    expect(bench.oauth.view('guarded')).toMatchObject({
      pending: false,
      problem: {
        evidence: expect.arrayContaining([{ label: 'error', value: 'invalid_request' }]),
        fix: expect.stringContaining('localhost'),
      },
    });
    expect((await signIn(bench)).text).toContain('Signed in');
    // The host name that worked is tried first from now on.
    expect((await bench.oauth.signIn(bench.server)).url).toContain('localhost');
  });

  it('at a page that says nothing plain is asked again by the other name when the person asks again', async () => {
    await using service = await oddAuthServer({
      authorize: ({ fields }) => (isLocalhost(fields) ? undefined : { status: 403, body: '<p>No</p>' }),
    });
    await using bench = oauthBench(service.url);
    await signIn(bench);
    await bench.clock.advance(20_000);
    expect(bench.oauth.view('guarded')).toMatchObject({ pending: true });
    expect((await signIn(bench)).text).toContain('Signed in');
  });

  it('is sent to the address of its entry, and to no other', async () => {
    const uris = new Set<string | undefined>();
    await using service = await oddAuthServer({
      authorize({ fields }) {
        uris.add(fields.redirect_uri);
        return undefined;
      },
    });
    const redirectUri = `http://localhost:${await freePort()}/back`;
    await using bench = oauthBench(service.url, { options: { clientId: 'by-hand', redirectUri } });
    expect((await signIn(bench)).text).toContain('Signed in');
    expect([...uris]).toEqual([redirectUri]);
    await using free = oauthBench(service.url, {
      options: { clientId: 'by-hand', redirectUri: 'http://localhost/back' },
    });
    expect((await signIn(free)).text).toContain('Signed in');
    expect([...uris].at(-1)).toMatch(/^http:\/\/localhost:\d+\/back$/);
  });

  it('with a port that another program has comes back by a free one, where the service takes any port of this machine', async () => {
    const other = createServer();
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const redirectUri = `http://127.0.0.1:${port}/callback`;
    try {
      let isAny = true;
      const uris: (string | undefined)[] = [];
      await using service = await oddAuthServer({
        authorize({ fields }) {
          uris.push(fields.redirect_uri);
          return isAny || fields.redirect_uri === redirectUri ? undefined : { status: 400, headers: {} };
        },
      });
      const options = { clientId: 'by-hand', redirectUri };
      await using bench = oauthBench(service.url, { options });
      expect((await signIn(bench)).text).toContain('Signed in');
      expect(uris.at(-1)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
      expect(uris.at(-1)).not.toBe(redirectUri);

      isAny = false;
      await using strict = oauthBench(service.url, { options });
      await expect(signIn(strict)).rejects.toMatchObject({
        problem: {
          sentence: `Another program uses port ${port}, and the service accepts no other port in the redirect URL.`,
        },
      });
    } finally {
      other.close();
    }
  });

  it('for its scopes asks without them, unless its entry names them', async () => {
    const rules: OddAuthRules = {
      authorize({ fields }, back) {
        if (fields.scope === undefined) return undefined;
        back.searchParams.delete('code');
        back.searchParams.set('error', 'invalid_scope');
        return { status: 302, headers: { location: back.href } };
      },
    };
    expect(await tokenFrom(rules)).toBe('token-1');
    await using service = await oddAuthServer(rules);
    await using bench = oauthBench(service.url, { options: { scopes: ['write'] } });
    expect((await signIn(bench)).text).toContain('invalid_scope');
  });

  it('for having no secret names itself in the way that the service takes', async () => {
    const token = await tokenFrom({
      metadata: (usual) => ({ ...usual, token_endpoint_auth_methods_supported: null }),
      register({ json }, usual) {
        if (json.token_endpoint_auth_method === 'none') return refused('invalid_client_metadata');
        return { ...usual, client_secret: 'very-secret', token_endpoint_auth_method: null };
      },
      token: ({ fields }, usual) =>
        fields.client_secret === 'very-secret' ? usual : { status: 401, body: '{"error":"invalid_client"}' },
    });
    expect(token).toMatch(/^token-/);
  });

  const secret = 'a+b/c=d: e';
  const confidential: OddAuthRules = {
    metadata: (usual) => ({
      ...usual,
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    }),
    register: (_, usual) => ({ ...usual, client_secret: secret }),
  };
  const missing = 'Missing required parameter: client_id';

  it.each<readonly [string, RawAnswer]>([
    [
      'a sentence',
      { status: 400, body: JSON.stringify({ error: 'invalid_request', error_description: missing }) },
    ],
    [
      'a list',
      { status: 422, body: JSON.stringify({ detail: [{ loc: ['body', 'client_id'], msg: 'required' }] }) },
    ],
    ['plain words', { status: 400, body: 'client_secret is required' }],
  ])(
    'for naming itself in the header, by %s, does so in the body, and stays with that',
    async (_, answer) => {
      const ways: boolean[] = [];
      await using service = await oddAuthServer({
        ...confidential,
        token({ fields }, usual) {
          ways.push(fields.client_id !== undefined);
          return fields.client_id === undefined || fields.client_secret !== secret ? answer : usual;
        },
      });
      await using bench = oauthBench(service.url);
      expect((await signIn(bench)).text).toContain('Signed in');
      await bench.clock.advance(3_600_001);
      expect(await bench.token()).toMatch(/^token-/);
      expect(ways.slice(-2)).toEqual([true, true]);
      expect(ways[0]).toBe(false);
    },
  );

  it('for another reason is not sent twice', async () => {
    const answer = refused('invalid_grant');
    await using service = await oddAuthServer({ ...confidential, token: () => answer });
    await using bench = oauthBench(service.url, { options: { redirectUri: 'http://127.0.0.1/back' } });
    expect((await signIn(bench)).text).toContain('invalid_grant');
    expect(service.asked.filter((one) => one === 'POST /token').length).toBe(1);
  });

  it('for the signs in its secret writes them as the standard says, and stays with that', async () => {
    const said: string[] = [];
    await using service = await oddAuthServer({
      ...confidential,
      token({ authorization = '', fields }, usual) {
        const login = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();
        said.push(fields.client_secret === undefined ? login : 'body');
        return login === 'registered:a%2Bb%2Fc%3Dd%3A+e'
          ? usual
          : { status: 401, body: '{"error":"invalid_client"}' };
      },
    });
    await using bench = oauthBench(service.url);
    expect((await signIn(bench)).text).toContain('Signed in');
    await bench.clock.advance(3_600_001);
    expect(await bench.token()).toMatch(/^token-/);
    const [plain, ...encoded] = said;
    expect(plain).toBe(`registered:${secret}`);
    expect(new Set(encoded).size).toBe(1);
    expect(JSON.stringify(bench.oauth.view('guarded'))).not.toContain('a%2Bb');
  });

  it('reports the new address if the service has moved', async () => {
    const token: OddAuthRules['token'] = () => ({ status: 301, headers: { location: '/new/token?key=x' } });
    await using service = await oddAuthServer({ token });
    await using bench = oauthBench(service.url);
    const { text } = await signIn(bench);
    expect(text).toContain(`${service.origin}/new/token?…`);
    expect(text).not.toContain('key=x');
    expect(service.asked).not.toContain('POST /new/token');
  });

  it('for a scope that the service does not know, by invalid_request, asks without scopes', async () => {
    const uris = new Set<string | undefined>();
    const token = await tokenFrom({
      authorize({ fields }, back) {
        uris.add(fields.redirect_uri);
        if (fields.scope === undefined) return undefined;
        back.searchParams.delete('code');
        back.searchParams.set('error', 'invalid_request');
        back.searchParams.set('error_description', 'Unknown scope write');
        return { status: 302, headers: { location: back.href } };
      },
    });
    expect(token).toBe('token-1');
    expect(uris.size).toBe(1);
  });

  it('for wishing to renew its tokens does without', async () => {
    const token = await tokenFrom({
      register: ({ json }, usual) =>
        JSON.stringify(json.grant_types).includes('refresh_token')
          ? refused('invalid_client_metadata')
          : usual,
    });
    expect(token).toBe('token-1');
  });

  it('permanently is reported in the words of the service, after a few tries', async () => {
    const body = JSON.stringify({ error: 'invalid_redirect_uri', error_description: 'No such address.' });
    await using service = await oddAuthServer({ register: () => ({ status: 400, body }) });
    await using bench = oauthBench(service.url);
    await expect(bench.oauth.signIn(bench.server)).rejects.toMatchObject({
      problem: {
        evidence: [
          { label: 'service answered', value: 'HTTP 400' },
          { label: 'error', value: 'invalid_redirect_uri' },
          { label: 'said', value: 'No such address.' },
        ],
        code: 'server.client_id_needed',
      },
    });
    expect(service.asked.filter((one) => one === 'POST /register').length).toBe(2);
  });

  it('learns on the page why the service gives no token, and registers again the next time', async () => {
    let isForgotten = true;
    await using service = await oddAuthServer({
      token: (_, usual) =>
        isForgotten ? { status: 401, body: '{"error":"invalid_client","error_description":"Who?"}' } : usual,
    });
    await using bench = oauthBench(service.url);
    const shown = await signIn(bench);
    expect(shown).toMatchObject({ status: 400, text: expect.stringContaining('invalid_client') });
    expect(shown.text).toContain('Who?');
    expect(bench.oauth.view('guarded')).toMatchObject({
      problem: { evidence: expect.arrayContaining([{ label: 'said', value: 'Who?' }]) },
    });
    isForgotten = false;
    expect((await signIn(bench)).text).toContain('Signed in');
    expect(service.asked.filter((one) => one === 'POST /register').length).toBe(2);
  });
});
