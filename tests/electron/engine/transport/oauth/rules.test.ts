import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ExpectedAnswer,
  judgeCallback,
} from '../../../../../electron/engine/transport/oauth/callback.ts';
import { challengeOf } from '../../../../../electron/engine/transport/oauth/challenge.ts';
import type { ExpectedIssuer } from '../../../../../electron/engine/transport/oauth/issuer.ts';
import { scopesToRequest } from '../../../../../electron/engine/transport/oauth/prepare-sign-in.ts';
import {
  isDue,
  isExpired,
  parseRecord,
  printRecord,
  recordName,
  type SignInRecord,
} from '../../../../../electron/engine/transport/oauth/record.ts';
import { failureName } from '../../../../../electron/engine/transport/oauth/sign-in-problem.ts';

describe('the scopes to ask for', () => {
  it.each([
    ['the default of the service where nobody names any', {}, undefined],
    ['what the server’s metadata lists', { resource: ['a', 'b'] }, 'a b'],
    ['what its refusal named, rather than the list', { resource: ['a', 'b'], challenged: 'b' }, 'b'],
    ['what the user named beside what it named', { configured: ['c'], challenged: 'b' }, 'c b'],
    ['what the narrower sign-in had, and more', { granted: 'a', challenged: 'b', resource: ['x'] }, 'a b'],
    [
      'what its metadata lists beside that, where its refusal wants more and names none',
      { granted: 'a', needsMore: true, resource: ['a', 'b'] },
      'a b',
    ],
    [
      'a refresh token where it takes a scope',
      { resource: ['a'], offered: ['offline_access'] },
      'a offline_access',
    ],
    [
      'none twice',
      { granted: 'a offline_access', challenged: 'a', offered: ['offline_access'] },
      'a offline_access',
    ],
  ])('are %s', (_, sources, scope) => {
    expect(scopesToRequest(sources)).toBe(scope);
  });
});

describe('a refusal', () => {
  const refusal = (status: number, header?: string) =>
    challengeOf(
      new Response(null, { status, headers: header === undefined ? {} : { 'www-authenticate': header } }),
    );

  it('asks for a sign-in if it is a 401, or a 403 for want of scope', () => {
    expect(refusal(200)).toBeUndefined();
    expect(refusal(403)).toBeUndefined();
    expect(refusal(403, 'Bearer error="access_denied"')).toBeUndefined();
    expect(refusal(401)).toEqual({ status: 401 });
    expect(
      refusal(403, 'Bearer error="insufficient_scope", scope="a b", resource_metadata="https://x/y"'),
    ).toEqual({ status: 403, error: 'insufficient_scope', scope: 'a b', resourceMetadataUrl: 'https://x/y' });
  });

  it.each([
    ['Basic realm="x", Bearer scope="a"', { status: 401, scope: 'a' }],
    ['bearer scope = a', { status: 401, scope: 'a' }],
    ['Bearer', { status: 401 }],
    ['Bearer scope=""', { status: 401 }],
    [
      "Bearer resource_metadata='https://x/y', scope='a b'",
      { resourceMetadataUrl: 'https://x/y', scope: 'a b' },
    ],
    [
      'Bearer realm="x";resource_metadata="https://x/y"; scope=a',
      { resourceMetadataUrl: 'https://x/y', scope: 'a' },
    ],
    ['Bearer resource_metadata=<https://x/y>', { resourceMetadataUrl: 'https://x/y' }],
    ['Bearer resource_metadata="https://x/y', { resourceMetadataUrl: 'https://x/y' }],
    ['Bearer resource_metadata=\\"https://x/y\\"', { resourceMetadataUrl: 'https://x/y' }],
    ['Bearer resource_metadata: "https://x/y"', { resourceMetadataUrl: 'https://x/y' }],
    ['Bearer  resource_metadata  =  "https://x/y"', { resourceMetadataUrl: 'https://x/y' }],
    ['Bearer error="invalid_token"resource_metadata="https://x/y"', { resourceMetadataUrl: 'https://x/y' }],
    ['Bearer error_description="the \\"x\\" token", scope="a"', { said: 'the "x" token', scope: 'a' }],
    ['Bearer scope=a;error=invalid_token', { scope: 'a', error: 'invalid_token' }],
    ['DPoP resource_metadata=/here', { status: 401, resourceMetadataUrl: '/here' }],
    [
      'Bearer error="invalid_token", error_description="It is\u0009over"',
      { error: 'invalid_token', said: 'It is over' },
    ],
  ])('is read whatever way it is written: %s', (header, expected) => {
    expect(refusal(401, header)).toMatchObject(expected);
  });

  it('is one for the token too where a server calls it by another status', () => {
    for (const status of [400, 403]) {
      expect(refusal(status, 'Bearer error="invalid_token"')).toEqual({
        status: 401,
        error: 'invalid_token',
      });
    }
    expect(refusal(500, 'Bearer error="invalid_token"')).toBeUndefined();
  });

  it('is read in linear time', () => {
    expect(refusal(401, `Bearer ${'scope='.repeat(100_000)}`)).toMatchObject({ status: 401 });
  });
});

describe('what the browser brings back', () => {
  const issuer: ExpectedIssuer = { kind: 'named', names: ['https://as.example', 'https://As.example/'] };
  const expected: ExpectedAnswer = { state: 'state-of-this-attempt', issuer, namesIssuer: false };
  const judge = (query: string, changes: Partial<ExpectedAnswer> = {}) =>
    judgeCallback(new URLSearchParams(query), { ...expected, ...changes }).kind;
  const state = 'state=state-of-this-attempt';
  const answer = (...issuers: string[]) =>
    `code=c&${state}${issuers.map((one) => `&iss=${encodeURIComponent(one)}`).join('')}`;
  const guessed: Partial<ExpectedAnswer> = { issuer: { kind: 'guessed', origin: 'https://mcp.example' } };
  const hosts: Partial<ExpectedAnswer> = { issuer: { kind: 'named', names: ['https://{any}'] } };
  const tenants: Partial<ExpectedAnswer> = {
    issuer: { kind: 'named', names: ['https://as.example/{tenantid}/v2.0'] },
  };

  it.each([
    [answer(), {}, 'code'],
    [answer('https://as.example'), {}, 'code'],
    // The server may have named the service in another spelling than the service itself.
    [answer('https://As.example/'), {}, 'code'],
    [answer('https://as.example/'), {}, 'refused'],
    [answer('HTTPS://as.example'), {}, 'refused'],
    [answer('https://as.example:443'), {}, 'refused'],
    [answer('https://as.example/other'), {}, 'refused'],
    [answer('http://as.example'), {}, 'refused'],
    [answer('https://as.example', 'https://as.example'), {}, 'code'],
    [answer('https://as.example', 'https://evil.example'), {}, 'refused'],
    [answer(''), {}, 'code'],
    [answer(''), { namesIssuer: true }, 'refused'],
    [answer('https://mcp.example/any'), guessed, 'code'],
    [answer('https://as.example'), guessed, 'refused'],
    [answer('any'), guessed, 'refused'],
    [answer('https://as.example/one/v2.0'), tenants, 'code'],
    [answer('https://as.example/one/v2.0/'), tenants, 'refused'],
    [answer('https://evil.example/one/v2.0'), tenants, 'refused'],
    [answer('https://evil.example'), hosts, 'refused'],
    [`code=c&${state}&${state}`, {}, 'code'],
    [`code=c&${state}&state=`, {}, 'code'],
    [`code=c&${state}&state=another`, {}, 'stranger'],
    [`code=c&${state}`, { namesIssuer: true }, 'refused'],
    [`error=access_denied&${state}`, {}, 'refused'],
    [`code=&${state}`, {}, 'refused'],
    [state, {}, 'refused'],
    ['code=c&state=another', {}, 'stranger'],
    ['code=c&state=', {}, 'stranger'],
    ['code=c', {}, 'stranger'],
    ['error=access_denied&state=guess', {}, 'stranger'],
  ])('[NFR-SEC3] %s (%j) is: %s', (query, changes, kind) => {
    expect(judge(query, changes)).toBe(kind);
  });

  it.each([
    ['error_code=E1&error_message=Not+allowed', { error: 'E1', said: 'Not allowed' }],
    ['message=Not+allowed', { error: 'no code', said: 'Not allowed' }],
    ['error=server_error&error_message=Not+allowed', { error: 'server_error', said: 'Not allowed' }],
  ])('says what the service said, under any name: %s', (query, said) => {
    const judged = judgeCallback(new URLSearchParams(`${query}&${state}`), expected);
    const evidence = judged.kind === 'refused' ? judged.error.problem.evidence : [];
    expect(Object.fromEntries(evidence.map(({ label, value }) => [label, value]))).toEqual(said);
  });

  it('[NFR-SEC3] is a refusal without a state only where a person’s browser shows it as a page', () => {
    const refusal = new URLSearchParams({ error: 'access_denied', error_description: 'No.' });
    expect(judgeCallback(refusal, expected, false).kind).toBe('stranger');
    expect(judgeCallback(refusal, expected, true)).toMatchObject({ kind: 'refused', code: 'access_denied' });
    expect(judgeCallback(new URLSearchParams({ code: 'c' }), expected, true).kind).toBe('stranger');
    const wrongState = new URLSearchParams({ error: 'access_denied', state: 'guess' });
    expect(judgeCallback(wrongState, expected, true).kind).toBe('stranger');
  });

  it('[NFR-SEC3] has no words of a service that does not name itself as it should', () => {
    const query = `error=access_denied&error_description=Call+us.&${state}`;
    for (const [answered, changes, isNavigation] of [
      [`${query}&iss=https%3A%2F%2Fevil.example`, {}, false],
      [query, { namesIssuer: true }, false],
      ['error=access_denied&error_description=Call+us.', { namesIssuer: true }, true],
    ] as const) {
      const judged = judgeCallback(new URLSearchParams(answered), { ...expected, ...changes }, isNavigation);
      expect(judged).toMatchObject({
        kind: 'refused',
        error: { problem: { code: 'server.sign_in_failed' } },
      });
      expect(JSON.stringify(judged)).not.toMatch(/Call us|access_denied/);
    }
  });

  it('[NFR-SEC3] is a stranger’s for every other state, whatever else it says', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (other, code) => {
        fc.pre(other !== expected.state);
        expect(judge(new URLSearchParams({ state: other, code, iss: 'https://as.example' }).toString())).toBe(
          'stranger',
        );
      }),
    );
  });

  it('is reported in a bounded text without control characters', () => {
    const said = `no\u0000\n\u202E${'x'.repeat(1000)}`;
    const query = new URLSearchParams({ state: expected.state, error: 'e', error_description: said });
    const judged = judgeCallback(query, expected);
    const problem = judged.kind === 'refused' ? judged.error.problem : undefined;
    const text = problem?.evidence.at(-1)?.value ?? '';
    expect(text.length).toBeLessThanOrEqual(300);
    expect(text).not.toMatch(/\p{C}/u);
  });
});

describe('a kept sign-in', () => {
  const record: SignInRecord = {
    url: 'https://x.example/mcp',
    authorizationServer: 'https://as.example',
    client: { client_id: 'c' },
    accessToken: 'a',
    obtainedAt: 1000,
  };

  it('[NFR-SEC3] is due a minute before its end, sooner when it is short, and never where no end is known', () => {
    const hour: SignInRecord = { ...record, expiresAt: 1000 + 3_600_000 };
    const short: SignInRecord = { ...record, expiresAt: 1000 + 10_000 };
    expect([isDue(hour, 1000 + 3_539_999), isDue(hour, 1000 + 3_540_000)]).toEqual([false, true]);
    expect([isDue(short, 8999), isDue(short, 9000)]).toEqual([false, true]);
    expect([isDue(record, 1e15), isExpired(record, 1e15)]).toEqual([false, false]);
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (life, age) => {
        const one: SignInRecord = { ...record, expiresAt: record.obtainedAt + life };
        const now = record.obtainedAt + age;
        if (isExpired(one, now)) expect(isDue(one, now)).toBe(true);
      }),
    );
  });

  it('reads back as written, and rejects a text that is not one', () => {
    expect(parseRecord(printRecord(record))).toEqual(record);
    for (const text of ['', '{}', '[]', 'null', '{"url":1}']) expect(parseRecord(text)).toBeUndefined();
  });

  it('has a name of its own for each server and address, which shows no secret of the address', () => {
    const names = [
      recordName({ key: 'a', url: 'https://x/?key=secret' }),
      recordName({ key: 'a', url: 'https://x/' }),
      recordName({ key: 'b', url: 'https://x/' }),
    ];
    expect(new Set(names).size).toBe(3);
    expect(names.join()).not.toContain('secret');
  });
});

describe('a failed exchange', () => {
  it('[NFR-SEC1] is recognized by its code or kind, never by its text', () => {
    const parse = (text: string) => {
      try {
        return JSON.parse(text);
      } catch (error) {
        return failureName(error);
      }
    };
    expect(parse('secret-token-in-a-broken-answer')).toBe('SyntaxError');
    const refused = Object.assign(new Error('connect secret'), { code: 'ECONNREFUSED' });
    expect(failureName(new TypeError('fetch failed', { cause: refused }))).toBe('ECONNREFUSED');
    expect(failureName('text')).toBe('string');
  });
});
