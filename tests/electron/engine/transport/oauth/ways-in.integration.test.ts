import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { challengeOf } from '../../../../../electron/engine/transport/oauth/challenge.ts';
import { authServer } from '../../../../helper/auth-server.ts';
import { httpServer } from '../../../../helper/http-server.ts';
import { oauthBench } from '../../../../helper/oauth.ts';
import { greetedPeer } from '../../../../helper/remote-peer.ts';

/** Refuses every request in the same way. */
function refusing(status: number, body: string, headers: Record<string, string> = {}): RequestListener {
  return (_request, response) => response.writeHead(status, headers).end(body);
}

/** Returns the problem with which `initialize` fails; a sign-in is available if no header is sent. */
async function problemOf(listener: RequestListener, headers: Record<string, string> = {}) {
  await using server = await httpServer(listener);
  await using bench = oauthBench(server.url);
  const authorization = bench.oauth.authorization(bench.server);
  const options = 'Authorization' in headers ? { headers } : { headers, authorization };
  const failure = await greetedPeer(server.url, options).catch((error: unknown) => error);
  const { problem } = (
    failure as { cause: { problem: { code: string; sentence: string; fix: string; evidence: [] } } }
  ).cause;
  const facts: { label: string; value: string }[] = problem.evidence;
  return {
    code: problem.code,
    sentence: problem.sentence,
    fix: problem.fix,
    auth: bench.oauth.view('guarded'),
    ...Object.fromEntries(
      facts.filter(({ label }) => label !== 'url').map((fact) => [fact.label, fact.value]),
    ),
  };
}

describe('a server that denies access', () => {
  it.each([
    ['says nothing', 401, '', {}, { header: 'Authorization: Bearer …' }],
    [
      'speaks of a key',
      401,
      '{"error":"API key missing"}',
      {},
      { header: 'Authorization: Bearer …', 'the server said': 'API key missing' },
    ],
    ['names a header', 401, 'Send X-API-Key.', {}, { header: 'X-API-Key: …' }],
    ['names one without X', 401, 'Missing "api-key" header', {}, { header: 'api-key: …' }],
    [
      'names one in its challenge',
      401,
      '',
      { 'www-authenticate': 'ApiKey in="header", name="x-acme-token"' },
      { header: 'x-acme-token: …' },
    ],
    [
      'writes another scheme',
      401,
      'Use "Authorization: Token <key>"',
      {},
      { header: 'Authorization: Token …' },
    ],
    [
      'says by 403 that a key is missing',
      403,
      'No API key provided',
      {},
      { header: 'Authorization: Bearer …' },
    ],
  ])('and %s needs an API key', async (_how, status, body, headers, facts) => {
    expect(await problemOf(refusing(status, body, headers))).toMatchObject({
      code: 'server.key_needed',
      auth: undefined,
      ...facts,
    });
  });

  it.each([
    ['Basic realm="x"', 'user name and a password', 'Put them into its URL: http://USER:PASSWORD@127.0.0.1'],
    ['Negotiate, NTLM, Basic realm="x"', 'user name and a password', 'USER:PASSWORD@'],
    ['Negotiate', 'Negotiate, which Patchbay does not support', 'token'],
    ['Digest realm="x", qop="auth"', 'Digest, which Patchbay does not support', 'token'],
  ])('[NFR-R3] and asks for %s is no case for an API key', async (challenge, sentence, fix) => {
    const found = await problemOf(refusing(401, '', { 'www-authenticate': challenge }));
    expect(found).toMatchObject({
      code: 'server.unauthorized',
      sentence: expect.stringContaining(sentence),
      fix: expect.stringContaining(fix),
    });
    expect(found).not.toHaveProperty('header');
  });

  it('and offers a key beside a password needs the key', async () => {
    const challenge = { 'www-authenticate': 'Basic realm="x", ApiKey' };
    expect(await problemOf(refusing(401, '', challenge))).toMatchObject({
      code: 'server.key_needed',
      header: 'Authorization: ApiKey …',
    });
  });

  it('and answers with terminal colors is quoted without them, shortened, and without the key it was sent', async () => {
    const body = `\u001b[31mBad key sk-secret-of-mine\u001b[0m ${'x'.repeat(2000)}`;
    const problem = await problemOf(refusing(401, body), { Authorization: 'Bearer sk-secret-of-mine' });
    expect(problem).toMatchObject({ code: 'server.key_refused', header: 'Authorization: Bearer …' });
    const said = (problem as { 'the server said'?: string })['the server said'] ?? '';
    expect(said).toMatch(/^Bad key •••/);
    expect(said.length).toBeLessThan(310);
  });

  it('and received a header other than Authorization refused that key', async () => {
    expect(await problemOf(refusing(401, 'Unknown key'), { 'X-API-Key': 'wrong-key-of-mine' })).toMatchObject(
      {
        code: 'server.key_refused',
        header: 'X-API-Key: …',
      },
    );
  });

  it('and answers 403 without mentioning keys is not reported as needing one', async () => {
    expect(await problemOf(refusing(403, 'Not from your country'))).toMatchObject({
      code: 'server.unauthorized',
      'the server said': 'Not from your country',
    });
  });

  it('[NFR-SEC3] and registers no clients needs a client ID; one that does, a sign-in', async () => {
    for (const [registration, code] of [
      [false, 'server.client_id_needed'],
      [true, 'server.unauthorized'],
    ] as const) {
      await using auth = await authServer({ registration });
      await using bench = oauthBench(auth.url);
      const response = await bench.ask(undefined);
      const problem = await bench.oauth
        .authorization(bench.server)
        .diagnose(challengeOf(response) ?? { status: 401 }, { status: 401 });
      expect(problem.code).toBe(code);
      expect(bench.oauth.view('guarded')).toEqual({ signedIn: false, pending: false });
    }
  });
});
