import { describe, expect, it } from 'vitest';
import { eventually } from '../../../../helper/eventually.ts';
import { oauthBench } from '../../../../helper/oauth.ts';
import {
  type OddAuthRules,
  oddAuthServer,
  type RawAnswer,
  signIn,
} from '../../../../helper/odd-auth-server.ts';

type Fields = Readonly<Record<string, string>>;

const refusals: readonly (readonly [string, string])[] = [
  ['invalid_target', 'No.'],
  ['invalid_resource', ''],
  ['invalid_request', "AADSTS901002: The 'resource' request parameter is not supported."],
  ['server_error', 'AADSTS9010010: The two do not match.'],
  ['invalid_request', 'Unexpected parameter: resource'],
];

/** Wraps the rules of a service and records the resource named in each request. */
function noting(rules: OddAuthRules): {
  readonly named: (string | undefined)[];
  readonly rules: OddAuthRules;
} {
  const named: (string | undefined)[] = [];
  return {
    named,
    rules: {
      ...rules,
      authorize(said, back) {
        named.push(said.fields.resource);
        return rules.authorize?.(said, back);
      },
      token(said, usual) {
        named.push(said.fields.resource);
        return rules.token?.(said, usual);
      },
    },
  };
}

/** Sends the browser back with a refusal. */
function returned(back: URL, error: string, words: string): RawAnswer {
  back.searchParams.delete('code');
  back.searchParams.set('error', error);
  back.searchParams.set('error_description', words);
  return { status: 302, headers: { location: back.href } };
}

const refused = (error: string, error_description = ''): RawAnswer => ({
  status: 400,
  body: JSON.stringify({ error, error_description }),
});

describe('[NFR-R2] a service that refuses to be told which server the token is for', () => {
  it.each(refusals)('with %s (%s) on return is asked without it, then and later', async (error, words) => {
    const { named, rules } = noting({
      authorize: ({ fields }, back) =>
        fields.resource === undefined ? undefined : returned(back, error, words),
    });
    await using service = await oddAuthServer(rules);
    await using bench = oauthBench(service.url);
    expect((await signIn(bench)).text).toContain('Signed in');
    await bench.clock.advance(3_600_001);
    expect(await bench.token()).toBe('token-2');
    await bench.oauth.signOut(bench.server);
    expect((await signIn(bench)).text).toContain('Signed in');
    expect(named).toEqual([service.url, ...Array(5).fill(undefined)]);
  });

  it.each(refusals)('with %s (%s) for the token is asked without it', async (error, words) => {
    const { named, rules } = noting({
      token: ({ fields }, usual) => (fields.resource === undefined ? usual : refused(error, words)),
    });
    await using service = await oddAuthServer(rules);
    await using bench = oauthBench(service.url);
    expect((await signIn(bench)).text).toContain('Signed in');
    expect(named).toEqual([service.url, service.url, undefined]);
  });

  it('after the code is used up is asked for another code', async () => {
    const spent = new Set<string>();
    const { named, rules } = noting({
      authorize({ fields }, back) {
        back.searchParams.set('code', fields.resource === undefined ? 'two' : 'one');
        return { status: 302, headers: { location: back.href } };
      },
      token({ fields }: { fields: Fields }, usual) {
        const { code = '', resource } = fields;
        if (spent.has(code)) return refused('invalid_grant');
        spent.add(code);
        return resource === undefined ? usual : refused('invalid_target');
      },
    });
    await using service = await oddAuthServer(rules);
    await using bench = oauthBench(service.url);
    expect((await signIn(bench)).text).toContain('Signed in');
    expect(named).toEqual([service.url, service.url, undefined, undefined, undefined]);
  });

  it('only when the token is renewed is asked without it, also after a restart', async () => {
    const { named, rules } = noting({
      token: ({ fields }, usual) =>
        fields.resource !== undefined && fields.grant_type === 'refresh_token'
          ? refused('invalid_target')
          : usual,
    });
    await using service = await oddAuthServer(rules);
    await using bench = oauthBench(service.url);
    await signIn(bench);
    await bench.clock.advance(3_600_001);
    expect(await bench.token()).toMatch(/^token-/);
    await using restarted = oauthBench(service.url, { secrets: bench.secrets });
    await restarted.clock.advance(7_200_002);
    expect(await restarted.token()).toMatch(/^token-/);
    await signIn(restarted);
    const [first, ...rest] = named;
    expect([first, ...rest]).toEqual([...Array(3).fill(service.url), ...Array(4).fill(undefined)]);
  });

  it('on its own page ends the wait, and is asked without it the next time, under the same name', async () => {
    const page = '<!doctype html><title>Sign in</title><p>AADSTS901002: The parameter is not supported.</p>';
    const hosts: string[] = [];
    await using service = await oddAuthServer({
      authorize({ fields }) {
        hosts.push(new URL(fields.redirect_uri ?? '').hostname);
        return fields.resource === undefined ? undefined : { status: 200, body: page };
      },
    });
    await using bench = oauthBench(service.url);
    await signIn(bench);
    await bench.clock.advance(10_000);
    await eventually(() => expect(bench.oauth.view('guarded')?.problem).toBeDefined());
    expect(bench.oauth.view('guarded')?.problem?.fix).toContain('patchbay.oauth.resource');
    expect((await signIn(bench)).text).toContain('Signed in');
    expect(new Set(hosts)).toEqual(new Set(['127.0.0.1']));
  });

  it('is not told if the config says so, and is told if the config insists', async () => {
    const { named, rules } = noting({});
    await using service = await oddAuthServer(rules);
    await using bench = oauthBench(service.url, { options: { resource: false } });
    expect((await signIn(bench)).text).toContain('Signed in');
    await using other = oauthBench(service.url, { options: { resource: true }, secrets: bench.secrets });
    expect((await signIn(other)).text).toContain('Signed in');
    expect(named).toEqual([undefined, undefined, service.url, service.url]);
  });

  it('is suspected when the browser does not return and nothing says why', async () => {
    await using service = await oddAuthServer({ authorize: () => ({ status: 200, body: '<p>Sorry</p>' }) });
    await using bench = oauthBench(service.url);
    await signIn(bench);
    await bench.clock.advance(600_001);
    await eventually(() => expect(bench.oauth.view('guarded')?.problem).toBeDefined());
    expect(bench.oauth.view('guarded')?.problem?.fix).toContain('patchbay.oauth.resource');
  });

  it.each([
    ['access_denied', 'The owner of the resource declined.'],
    ['invalid_request', 'The resource owner is unknown.'],
  ])('is not recognized by %s (%s)', async (error, words) => {
    const { named, rules } = noting({ authorize: (_, back) => returned(back, error, words) });
    await using service = await oddAuthServer(rules);
    await using bench = oauthBench(service.url, { options: { redirectUri: 'http://127.0.0.1/back' } });
    expect((await signIn(bench)).text).toContain(error);
    expect(named).toEqual([service.url]);
  });
});
