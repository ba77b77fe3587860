import { describe, expect, it } from 'vitest';
import { oauthBench } from '../../../../helper/oauth.ts';
import {
  type OddAuthRules,
  oddAuthServer,
  type RawAnswer,
  signIn,
} from '../../../../helper/odd-auth-server.ts';

const page = '<!doctype html><title>The app</title>';
const html = { 'content-type': 'text/html' };
const refusal = { status: 401, error: 'invalid_token' };

describe('[NFR-R2] a refresh that is refused', () => {
  const json = (status: number, body: object): RawAnswer => ({ status, body: JSON.stringify(body) });
  const over: readonly (readonly [string, RawAnswer, number])[] = [
    ['invalid_grant', json(400, { error: 'invalid_grant' }), 1],
    ['invalid_request', json(400, { error: 'invalid_request', error_description: 'is invalid' }), 1],
    ['invalid_token', json(401, { error: 'invalid_token' }), 1],
    ['invalid_client', json(401, { error: 'invalid_client' }), 1],
    ['a code of its own with 200', json(200, { error: 'bad_refresh_token' }), 1],
    ['a code of its own in a form', { status: 200, body: 'error=bad_refresh_token' }, 1],
    ['a code in an object', json(400, { error: { code: 'expired', message: 'is over' } }), 1],
    ['a sentence', { status: 400, body: 'refresh token expired' }, 1],
    ['a page with 403', { status: 403, headers: html, body: page }, 2],
    ['404', { status: 404 }, 2],
    ['an answer without a token', json(200, { ok: true }), 2],
    ['an empty answer', { status: 200 }, 2],
    ['invalid_grant with 500', json(500, { error: 'invalid_grant' }), 1],
    ['500 and a sentence for a code', json(500, { error: 'Refresh token expired' }), 2],
    ['500 and words about the token', json(500, { error: 'server_error', message: 'Token not found' }), 2],
  ];

  it.each(over)('with %s ends the sign-in, and another one works', async (_, answer, tries) => {
    let isDead = true;
    const refused: string[] = [];
    await using service = await oddAuthServer({
      token({ fields }, usual) {
        if (fields.grant_type !== 'refresh_token' || !isDead) return usual;
        refused.push(fields.refresh_token ?? '');
        return answer;
      },
    });
    await using bench = oauthBench(service.url);
    const authorization = bench.oauth.authorization(bench.server);
    await signIn(bench);
    await bench.clock.advance(3_600_001);
    for (let look = 1; look < tries; look += 1) {
      await expect(bench.token()).rejects.toMatchObject({
        cause: { problem: { code: 'server.unreachable' } },
      });
    }
    for (let look = 0; look < 3; look += 1) expect(await bench.token()).toBeUndefined();
    expect(refused.length).toBe(tries);
    expect(authorization.problem({ status: 401 }, false)).toMatchObject({
      code: 'server.unauthorized',
      sentence: 'Your sign-in to this server is no longer valid.',
      fix: 'Sign in again.',
    });
    isDead = false;
    await signIn(bench);
    expect(await bench.token()).toMatch(/^token-/);
    expect(authorization.problem({ status: 401 }, false).sentence).toBe('This server requires a sign-in.');
  });

  it('leaves a token that still holds to its end', async () => {
    const token: OddAuthRules['token'] = ({ fields }, usual) =>
      fields.grant_type === 'refresh_token' ? json(400, { error: 'invalid_grant' }) : usual;
    await using service = await oddAuthServer({ token });
    await using bench = oauthBench(service.url);
    await signIn(bench);
    await bench.clock.advance(3_550_000);
    for (let look = 0; look < 3; look += 1) expect(await bench.token()).toBe('token-1');
    expect(service.asked.filter((one) => one === 'POST /token').length).toBe(2);
    expect(await bench.oauth.authorization(bench.server).renew('token-1', refusal)).toBeUndefined();
    expect(bench.oauth.view('guarded')).toMatchObject({ signedIn: false });
  });

  it.each<readonly [string, RawAnswer]>([
    ['503', { status: 503 }],
    ['500 and other words', json(500, { error: 'server_error', message: 'Database not found' })],
    ['429', { status: 429 }],
    ['temporarily_unavailable', json(400, { error: 'temporarily_unavailable' })],
    ['a cut connection', { status: 0, cut: true }],
  ])('for now, with %s, is asked for again, seldom, and keeps the sign-in', async (_, answer) => {
    let isDown = true;
    await using service = await oddAuthServer({
      token: ({ fields }, usual) => (fields.grant_type === 'refresh_token' && isDown ? answer : usual),
    });
    await using bench = oauthBench(service.url);
    await signIn(bench);
    await bench.clock.advance(3_550_000);
    for (let look = 0; look < 20; look += 1) expect(await bench.token()).toBe('token-1');
    expect(service.asked.filter((one) => one === 'POST /token').length).toBe(2);
    await bench.clock.advance(60_000);
    await expect(bench.token()).rejects.toMatchObject({ cause: { problem: { code: 'server.unreachable' } } });
    isDown = false;
    expect(await bench.token()).toMatch(/^token-/);
  });

  it('[NFR-SEC1] is reported in the words of the service, without what was sent', async () => {
    const said = `The token renewal-1 is\u0000 gone ${'x'.repeat(1000)}`;
    const token: OddAuthRules['token'] = ({ fields }, usual) =>
      fields.grant_type === 'refresh_token'
        ? json(400, { error: 'invalid_request', error_description: said })
        : usual;
    await using service = await oddAuthServer({ token });
    await using bench = oauthBench(service.url);
    await signIn(bench);
    await bench.oauth.authorization(bench.server).renew('token-1', refusal);
    const { evidence } = bench.oauth.authorization(bench.server).problem({ status: 401 }, true);
    const shown = evidence.find(({ label }) => label === 'said')?.value ?? '';
    expect(shown).toMatch(/^The token ••• is/);
    expect(shown.length).toBeLessThanOrEqual(300);
    expect(shown).not.toMatch(/\p{C}/u);
    expect(evidence).toContainEqual({ label: 'error', value: 'invalid_request' });
  });
});
