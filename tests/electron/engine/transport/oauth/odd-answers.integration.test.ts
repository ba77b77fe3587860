import { describe, expect, it } from 'vitest';
import { httpServer } from '../../../../helper/http-server.ts';
import { oauthBench } from '../../../../helper/oauth.ts';
import {
  type OddAuthRules,
  oddAuthServer,
  type RawAnswer,
  signIn,
  tokenFrom,
} from '../../../../helper/odd-auth-server.ts';

const page = '<!doctype html><title>The app</title>';
const html = { 'content-type': 'text/html' };
const refusal = { status: 401, error: 'invalid_token' };

/** Members that are missing, empty, or of a similar type. */
const oddities = [undefined, null, '', [], {}, 0, 7, 'x', ['x'], false, true, { x: 1 }];

const camelCased = (members: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
const firstOf = ({ authorization_servers: servers }: Readonly<Record<string, unknown>>) =>
  Array.isArray(servers) ? servers[0] : undefined;

describe('[NFR-R2] no odd optional member costs a sign-in', () => {
  const members: readonly (readonly ['resource' | 'metadata' | 'register' | 'token', readonly string[]])[] = [
    ['resource', ['resource', 'scopes_supported', 'bearer_methods_supported', 'jwks_uri', 'unknown']],
    [
      'metadata',
      [
        'scopes_supported',
        'revocation_endpoint',
        'grant_types_supported',
        'token_endpoint_auth_methods_supported',
        'client_id_metadata_document_supported',
        'jwks_uri',
        'service_documentation',
        'response_modes_supported',
        'unknown',
      ],
    ],
    [
      'register',
      [
        'client_secret',
        'client_secret_expires_at',
        'client_id_issued_at',
        'redirect_uris',
        'grant_types',
        'token_endpoint_auth_method',
        'scope',
        'logo_uri',
        'unknown',
      ],
    ],
    ['token', ['token_type', 'expires_in', 'scope', 'refresh_token', 'id_token', 'error', 'unknown']],
  ];

  it.each(members)('of the %s answer', async (answer, names) => {
    const lost: string[] = [];
    for (const name of names) {
      for (const odd of oddities) {
        const changed = (usual: Readonly<Record<string, unknown>>) => ({ ...usual, [name]: odd });
        const rules: OddAuthRules =
          answer === 'resource' || answer === 'metadata'
            ? { [answer]: changed }
            : { [answer]: (_: unknown, usual: Readonly<Record<string, unknown>>) => changed(usual) };
        const token = await tokenFrom(rules).catch(() => undefined);
        if (token !== 'token-1') lost.push(`${name}: ${JSON.stringify(odd)}`);
      }
    }
    expect(lost).toEqual([]);
  });

  it.each([
    ['a list as one text', { code_challenge_methods_supported: 'plain S256' }],
    ['a list with other things in it', { code_challenge_methods_supported: [null, 1, 'S256'] }],
    ['a list as PHP writes one with gaps', { code_challenge_methods_supported: { 1: 'S256' } }],
    ['the method in small letters', { code_challenge_methods_supported: ['plain', 's256'] }],
    ['the method by the name of its hash', { code_challenge_methods_supported: ['SHA-256'] }],
    ['the method with a dash', { code_challenge_methods_supported: ['S-256', 'plain'] }],
    ['types of answers without codes', { response_types_supported: ['token', 'id_token'] }],
    ['types of answers in one text', { response_types_supported: 'code' }],
    ['no types of answers', { response_types_supported: null }],
    ['an issuer with a final slash', 'slash'],
    ['no issuer', { issuer: null }],
    ['addresses without an origin', { authorization_endpoint: '/authorize', token_endpoint: '/token' }],
    ['an address in a list', { registration_endpoint: ['/register'] }],
  ])('such as %s in the metadata', async (_, changes) => {
    const token = await tokenFrom({
      metadata: (usual) =>
        typeof changes === 'string' ? { ...usual, issuer: `${usual.issuer}/` } : { ...usual, ...changes },
    });
    expect(token).toBe('token-1');
  });

  it.each<readonly [string, (origin: string) => object]>([
    ['the service as one text', (origin) => ({ authorization_servers: origin })],
    ['the service twice, first wrong', (origin) => ({ authorization_servers: [null, origin] })],
    ['no service', () => ({ authorization_servers: null })],
    ['a final slash', (origin) => ({ resource: `${origin}/mcp/` })],
    ['the whole origin', (origin) => ({ resource: origin })],
    ['another name of this machine', (origin) => ({ resource: origin.replace('127.0.0.1', 'localhost') })],
    ['no resource', () => ({ resource: '' })],
    ['a text that is no address as resource', () => ({ resource: 'my server' })],
  ])('such as %s in the metadata of the resource', async (_, changes) => {
    const resource = (usual: Readonly<Record<string, unknown>>) => {
      const { origin } = new URL(String(usual.resource));
      return { ...usual, ...changes(origin) };
    };
    expect(await tokenFrom({ resource })).toBe('token-1');
  });

  it.each([
    [{ expires_in: '3600' }, 3600],
    [{ expires_in: 3600.9 }, 3600],
    [{ expires_in: '3600.0' }, 3600],
    [{ expires_in: 0 }, undefined],
    [{ expires_in: -1 }, undefined],
    [{ expires_in: null }, undefined],
    [{ expires_in: '2026-12-01T00:00:00Z' }, undefined],
    [{ expires_in: 'never' }, undefined],
    [{ expires_in: 1e300 }, undefined],
  ])('and %j is a token that is renewed after %s seconds, never before', async (changes, seconds) => {
    await using service = await oddAuthServer({ token: (_, usual) => ({ ...usual, ...changes }) });
    await using bench = oauthBench(service.url);
    await signIn(bench);
    await bench.clock.advance(((seconds ?? 100_000) - 61) * 1000);
    expect(await bench.token()).toBe('token-1');
    await bench.clock.advance(60_000);
    expect(await bench.token()).toBe(seconds === undefined ? 'token-1' : 'token-2');
  });

  it('and a token that cannot be renewed is used for as long as the server takes it', async () => {
    const token: OddAuthRules['token'] = (_, usual) => ({ ...usual, refresh_token: null, expires_in: 60 });
    await using service = await oddAuthServer({ token });
    await using bench = oauthBench(service.url);
    await signIn(bench);
    await bench.clock.advance(3_600_000);
    expect(await bench.token()).toBe('token-1');
    expect(await bench.oauth.authorization(bench.server).renew('token-1', refusal)).toBeUndefined();
    expect(bench.oauth.view('guarded')).toEqual({ signedIn: false, pending: false });
  });

  it.each([
    ['under other names', { accessToken: 'odd', refreshToken: 'more', expiresIn: 3600, tokenType: 'bearer' }],
    ['in data', { success: true, data: { access_token: 'odd', refresh_token: 'more' } }],
    ['in token', { token: { accessToken: 'odd' } }],
    ['in a list', [{ access_token: 'odd' }]],
    ['with the scheme of its header', { access_token: 'Bearer odd' }],
    ['in result', { result: { access_token: 'odd' } }],
  ])('and a token may be announced %s', async (_where, answer) => {
    expect(await tokenFrom({ token: () => ({ status: 200, body: JSON.stringify(answer) }) })).toBe('odd');
  });

  it.each<readonly [string, OddAuthRules]>([
    ['a registration', { register: () => ({ clientId: 'registered', clientSecret: 'secret' }) }],
    ['metadata', { metadata: camelCased }],
    ['metadata in data', { metadata: (usual) => ({ data: camelCased(usual) }) }],
    ['metadata in a list', { metadata: (usual) => ({ status: 200, body: JSON.stringify([usual]) }) }],
    ['metadata of the resource', { resource: camelCased }],
    ['metadata of the resource in data', { resource: (usual) => ({ data: usual }) }],
    [
      'the service as an object',
      { resource: (usual) => ({ ...usual, authorization_servers: [{ issuer: firstOf(usual) }] }) },
    ],
    [
      'the service as an object with a URL',
      { resource: (usual) => ({ ...usual, authorization_servers: [{ url: firstOf(usual) }] }) },
    ],
    [
      'the only service',
      { resource: (usual) => ({ resource: usual.resource, authorization_server: firstOf(usual) }) },
    ],
    ['an issuer that is a name', { metadata: (usual) => ({ ...usual, issuer: 'Our sign-in' }) }],
    [
      'an issuer by another name of this machine',
      {
        metadata: (usual) => ({ ...usual, issuer: String(usual.issuer).replace('127.0.0.1', 'localhost') }),
      },
    ],
  ])('and it does not matter how %s is written', async (_what, rules) => {
    const fromMetadata: OddAuthRules = {
      issuerPath: '/tenant',
      ...rules,
      metadata: (usual) => {
        const authorization_endpoint = `${usual.authorization_endpoint}?by=metadata`;
        const named = { ...usual, authorization_endpoint };
        return rules.metadata?.(named) ?? named;
      },
      authorize: ({ fields }) => (fields.by === 'metadata' ? undefined : { status: 400, body: 'guessed' }),
    };
    expect(await tokenFrom(fromMetadata)).toBe('token-1');
  });

  it('and a token answer may be a text that is the answer in JSON', async () => {
    const body = JSON.stringify(JSON.stringify({ access_token: 'quoted' }));
    expect(await tokenFrom({ token: () => ({ status: 200, body }) })).toBe('quoted');
    await expect(tokenFrom({ token: () => ({ status: 200, body: JSON.stringify(body) }) })).rejects.toThrow();
  });

  it.each<readonly [string, (text: string) => string]>([
    ['after warnings', (text) => `<br />\n<b>Warning</b>: x is not set in y.php on line 3<br />\n${text}`],
    ['after a guard', (text) => `)]}',\n${text}`],
    ['before a comment', (text) => `${text}\n<!-- 3 ms -->`],
    ['before NUL', (text) => `${text}\0`],
  ])('and an answer in JSON is found %s', async (_where, wrap) => {
    const wrapped = (usual: object) => ({ status: 200, body: wrap(JSON.stringify(usual)) });
    const rules: OddAuthRules = {
      issuerPath: '/tenant',
      metadata: (usual) =>
        wrapped({ ...usual, authorization_endpoint: `${usual.authorization_endpoint}?by=metadata` }),
      register: (_request, usual) => wrapped(usual),
      token: (_request, usual) => wrapped(usual),
      authorize: ({ fields }) => (fields.by === 'metadata' ? undefined : { status: 400, body: 'guessed' }),
    };
    expect(await tokenFrom(rules)).toBe('token-1');
  });

  it.each(['a\nb', 'a\0b', 'tök€n'])(
    '[NFR-SEC1] but %j, which no header can carry, is no token',
    async (token) => {
      const signedIn = tokenFrom({ token: (_request, usual) => ({ ...usual, access_token: token }) });
      await expect(signedIn).rejects.toThrow('did not complete the sign-in');
      await expect(signedIn).rejects.not.toThrow(token);
    },
  );

  it.each(['?access_token=blue-horse', 'blue-horse'])(
    '[NFR-SEC1] and a token in an unknown form is never shown: %s',
    async (body) => {
      const signedIn = tokenFrom({ token: () => ({ status: 200, body }) });
      await expect(signedIn).rejects.toThrow('did not complete the sign-in');
      await expect(signedIn).rejects.not.toThrow('blue-horse');
    },
  );

  it.each([
    ['two levels down', { data: { token: { access_token: 'odd' } } }],
    ['under an unknown name', { user: { access_token: 'odd' } }],
    ['as what is no token', { data: { access_token: {} } }],
  ])('but a token is not read %s', async (_where, answer) => {
    await expect(
      tokenFrom({ token: () => ({ status: 200, body: JSON.stringify(answer) }) }),
    ).rejects.toThrow();
  });

  it('and a token answer may be written as a form is', async () => {
    const body = 'access_token=from-a-form&scope=repo%2Cgist&token_type=bearer';
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await tokenFrom({ token: () => ({ status: 200, headers, body }) })).toBe('from-a-form');
    expect(await tokenFrom({ token: () => ({ status: 201, body: '\uFEFF{"access_token":"marked"}' }) })).toBe(
      'marked',
    );
  });

  it('and a renewal that brings no new means to renew keeps the old one', async () => {
    const renewedBy: (string | undefined)[] = [];
    await using service = await oddAuthServer({
      token({ fields }, usual) {
        if (fields.grant_type !== 'refresh_token') return usual;
        renewedBy.push(fields.refresh_token);
        return { ...usual, refresh_token: [undefined, null, ''][renewedBy.length % 3] };
      },
    });
    await using bench = oauthBench(service.url);
    await signIn(bench);
    for (let turn = 0; turn < 4; turn += 1) {
      await bench.clock.advance(3_600_000);
      await bench.token();
    }
    expect(renewedBy).toEqual(Array(4).fill('renewal-1'));
  });
});

describe('[NFR-R2] a place that has no metadata', () => {
  const elsewhere: readonly (readonly [string, RawAnswer])[] = [
    ['a page', { status: 200, headers: html, body: page }],
    [
      'a page that says it is JSON',
      { status: 200, headers: { 'content-type': 'application/json' }, body: page },
    ],
    ['nothing', { status: 200 }],
    ['404', { status: 404, body: '{}' }],
    ['401', { status: 401, headers: { 'www-authenticate': 'Bearer' } }],
    ['500', { status: 500, body: 'oops' }],
    ['a redirect elsewhere', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
    ['a redirect to another machine', { status: 302, headers: { location: 'http://elsewhere.example/' } }],
    ['a closed connection', { status: 0, cut: true }],
    ['an event stream', { status: 200, headers: { 'content-type': 'text/event-stream' }, open: true }],
    ['a page that is too long', { status: 200, headers: html, body: page + 'x'.repeat(1_100_000) }],
    [
      'a page that is not packed as it says',
      { status: 200, headers: { 'content-encoding': 'gzip' }, body: page },
    ],
    ['JSON of another shape', { status: 200, body: '{"message":"welcome","issuer":7}' }],
    ['a list', { status: 200, body: '[]' }],
    ['null', { status: 200, body: 'null' }],
  ];
  const tenants = ['/tenant', '/a/tenant/'];
  const placesOf = (path: string) => {
    const folder = path.replace(/\/$/, '');
    return [
      `/.well-known/oauth-authorization-server${folder}`,
      `/.well-known/openid-configuration${folder}`,
      `${folder}/.well-known/openid-configuration`,
      `${folder}/.well-known/oauth-authorization-server`,
    ];
  };

  it.each(elsewhere)('but %s is passed over for the next one', async (_, other) => {
    for (const issuerPath of tenants) {
      for (const metadataAt of placesOf(issuerPath)) {
        expect(await tokenFrom({ issuerPath, metadataAt, elsewhere: other })).toBe('token-1');
      }
    }
    for (const resourceAt of [
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-protected-resource',
      '/mcp/.well-known/oauth-protected-resource',
    ]) {
      await using service = await oddAuthServer({ resourceAt, elsewhere: other });
      await using bench = oauthBench(service.url);
      const { url } = await bench.oauth.signIn(bench.server);
      expect(new URL(url).searchParams.get('resource')).toBe(service.url);
    }
  });

  it.each(elsewhere)('anywhere but %s leaves the addresses of the first revision', async (_, other) => {
    expect(await tokenFrom({ metadataAt: false, resourceAt: false, elsewhere: other })).toBe('token-1');
    expect(await tokenFrom({ metadataAt: false, elsewhere: other })).toBe('token-1');
    expect(await tokenFrom({ resourceAt: false, elsewhere: other })).toBe('token-1');
  });

  it.each([301, 302, 303, 307, 308])(
    'but leads to another origin by %i is followed there',
    async (status) => {
      let metadata: object = {};
      await using elsewhere = await httpServer((_, response) => void response.end(JSON.stringify(metadata)));
      const moved = () => ({ status, headers: { location: `${elsewhere.url}/document` } });
      await using service = await oddAuthServer({
        issuerPath: '/tenant',
        metadata(usual) {
          metadata = { ...usual, authorization_endpoint: `${usual.authorization_endpoint}?by=metadata` };
          return moved();
        },
        authorize: ({ fields }) => (fields.by === 'metadata' ? undefined : { status: 400, body: 'guessed' }),
      });
      await using bench = oauthBench(service.url);
      await signIn(bench);
      expect(await bench.token()).toBe('token-1');
    },
  );

  it('is distinguished from a named service that cannot be reached', async () => {
    const gone = await oddAuthServer();
    await gone[Symbol.asyncDispose]();
    await using service = await oddAuthServer({
      resource: (usual) => ({ ...usual, authorization_servers: [gone.origin] }),
    });
    await using bench = oauthBench(service.url);
    await expect(bench.oauth.signIn(bench.server)).rejects.toMatchObject({
      problem: {
        code: 'server.sign_in_failed',
        evidence: [
          { label: 'service', value: `${gone.origin}/` },
          { label: 'error', value: 'ECONNREFUSED' },
        ],
      },
    });
  });

  it('of a server that is down says so', async () => {
    const service = await oddAuthServer();
    await service[Symbol.asyncDispose]();
    await using bench = oauthBench(service.url);
    await expect(bench.oauth.signIn(bench.server)).rejects.toMatchObject({
      problem: {
        code: 'server.unreachable',
        sentence: `Nothing is listening on ${new URL(service.url).host}.`,
        fix: expect.stringContaining('Start the server'),
      },
    });
  });

  it('and no service to be registered with is a server that wants a token', async () => {
    const register = () => ({ status: 404, headers: html, body: page });
    await using service = await oddAuthServer({ metadataAt: false, resourceAt: false, register });
    await using bench = oauthBench(service.url);
    await expect(bench.oauth.signIn(bench.server)).rejects.toMatchObject({
      problem: {
        fix: expect.stringContaining('headers'),
        sentence: expect.stringContaining('does not name a sign-in service'),
      },
    });
  });

  it('[NFR-SEC3] is none that names another issuer or another server', async () => {
    for (const rules of [
      { metadata: (usual: object) => ({ ...usual, issuer: 'https://evil.example' }) },
      { resource: (usual: object) => ({ ...usual, resource: 'https://evil.example/mcp' }) },
      { resource: (usual: object) => ({ ...usual, resource: 'http://127.0.0.1:1/mcp' }) },
    ]) {
      await using service = await oddAuthServer(rules);
      await using bench = oauthBench(service.url);
      await expect(bench.oauth.signIn(bench.server)).rejects.toMatchObject({
        problem: { code: 'server.sign_in_failed' },
      });
    }
  });
});
