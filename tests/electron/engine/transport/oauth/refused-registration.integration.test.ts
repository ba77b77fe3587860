import { describe, expect, it } from 'vitest';
import { oauthBench } from '../../../../helper/oauth.ts';
import {
  type OddAuthRules,
  oddAuthServer,
  type RawAnswer,
  tokenFrom,
} from '../../../../helper/odd-auth-server.ts';

const refused = (
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): RawAnswer => ({
  status,
  headers,
  body: JSON.stringify(body),
});

/** Signs in to a service with zero pauses between tries. */
async function problemOf(rules: OddAuthRules) {
  await using service = await oddAuthServer(rules);
  await using bench = oauthBench(service.url);
  const outcome = bench.oauth.signIn(bench.server).then(
    () => undefined,
    (error: { readonly problem: object }) => error.problem,
  );
  let isOver = false;
  void outcome.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await bench.clock.advance(500);
    await new Promise((next) => setImmediate(next));
  }
  return outcome;
}

describe('[NFR-R2] a registration', () => {
  it.each<readonly [string, RawAnswer, string]>([
    ['503', { status: 503, headers: { 'retry-after': '5' }, body: 'busy' }, 'Try again in 5 seconds.'],
    ['429', refused(429, { error: 'too_many_requests' }), 'Try again later.'],
    ['429 for long', refused(429, {}, { 'retry-after': '3600' }), 'Try again in 60 minutes.'],
    ['a cut connection', { status: 0, cut: true }, 'Try again later.'],
    ['temporarily_unavailable', refused(400, { error: 'temporarily_unavailable' }), 'Try again later.'],
    ['500 for either name of this machine', { status: 500 }, 'Try again later.'],
  ])('that gets %s is one for later, not for a client ID', async (_, answer, fix) => {
    expect(await problemOf({ register: () => answer })).toMatchObject({
      code: 'server.sign_in_failed',
      sentence: expect.stringContaining('busy or down'),
      fix: expect.stringContaining(fix),
    });
  });

  it.each([401, 404, 403, 501])('that gets %s for good is one by hand', async (status) => {
    expect(await problemOf({ register: () => refused(status, { error: 'no' }) })).toMatchObject({
      code: 'server.client_id_needed',
    });
  });

  it.each([403, 422])('that gets %s for the name of this machine is made with the other', async (status) => {
    const token = await tokenFrom({
      register: ({ json }, usual) =>
        String(json.redirect_uris).includes('127.0.0.1') ? refused(status, { error: 'denied' }) : usual,
    });
    expect(token).toBe('token-1');
  });

  it('that fails with 500 for the name of this machine is made with the other', async () => {
    const register: OddAuthRules['register'] = ({ json }, usual) =>
      String(json.redirect_uris).includes('127.0.0.1') ? refused(500, {}) : usual;
    expect(await problemOf({ register })).toBeUndefined();
  });

  it.each<readonly [string, RawAnswer]>([
    [
      'names',
      refused(400, { error: 'invalid_client_metadata', error_description: 'unknown application_type' }),
    ],
    ['lists', refused(422, { detail: [{ loc: ['body', 'application_type'], msg: 'Extra input' }] })],
    ['maps', refused(422, { message: 'Invalid.', errors: { application_type: ['is not known'] } })],
    ['does not name', refused(400, { error: 'invalid_client_metadata' })],
  ])('of a service that %s the member it does not know is made without it', async (_, answer) => {
    const asked: object[] = [];
    const token = await tokenFrom({
      register({ json }, usual) {
        asked.push(json);
        return json.application_type === undefined ? usual : answer;
      },
    });
    expect(token).toBe('token-1');
    expect(asked.length).toBeLessThanOrEqual(6);
    expect(asked[0]).toHaveProperty('application_type', 'native');
  });

  it('that names such a member for another reason keeps it', async () => {
    const last: object[] = [];
    const token = await tokenFrom({
      register({ json }, usual) {
        last[0] = json;
        const isOther = String(json.redirect_uris).includes('localhost');
        const said = 'http://127.0.0.1 is not allowed for application_type native';
        const isFit = isOther && json.application_type === 'native';
        return isFit ? usual : refused(400, { error: 'invalid_request', error_description: said });
      },
    });
    expect(token).toBe('token-1');
    expect(last[0]).toHaveProperty('client_name', 'Patchbay');
  });

  it('is reported in the words of the failed validation', async () => {
    const detail = [
      { loc: ['body', 'contacts'], msg: 'Field required' },
      { loc: ['body', 'jwks', 0], msg: 'Not a key' },
    ];
    expect(await problemOf({ register: () => refused(422, { detail }) })).toMatchObject({
      evidence: expect.arrayContaining([{ label: 'said', value: 'contacts: Field required; 0: Not a key' }]),
    });
  });

  it.each([
    [
      { errorCode: 'E22', errorSummary: 'Not for you' },
      { error: 'E22', said: 'Not for you' },
    ],
    [
      { error_code: 5, error_message: 'Not for you' },
      { error: '5', said: 'Not for you' },
    ],
  ])('is reported in words that have other names: %j', async (body, said) => {
    expect(await problemOf({ register: () => refused(403, body) })).toMatchObject({
      evidence: expect.arrayContaining(Object.entries(said).map(([label, value]) => ({ label, value }))),
    });
  });

  it('is reported in the whole sentence of a service that puts an object into it', async () => {
    const said = 'No new clients are taken {"since":2024}';
    expect(await problemOf({ register: () => ({ status: 403, body: said }) })).toMatchObject({
      evidence: expect.arrayContaining([{ label: 'said', value: said }]),
    });
  });

  it.each(['data', 'client', 'result'])('may be answered inside of %s', async (name) => {
    expect(await tokenFrom({ register: (_, usual) => refused(201, { [name]: usual }) })).toBe('token-1');
  });

  it('for one name of this machine may be answered with the other, which is then used', async () => {
    const token = await tokenFrom({
      register: ({ json }, usual) => ({
        ...usual,
        redirect_uris: String(json.redirect_uris).replace('127.0.0.1', 'localhost'),
      }),
      authorize: ({ fields }) =>
        fields.redirect_uri?.includes('localhost') ? undefined : { status: 400, body: 'another address' },
    });
    expect(token).toBe('token-1');
  });

  it('[NFR-SEC3] is not used for an address that is not ours', async () => {
    const back: string[] = [];
    await tokenFrom({
      register: (_, usual) => ({ ...usual, redirect_uris: ['http://127.0.0.1:1/elsewhere'] }),
      authorize({ fields }) {
        back.push(new URL(fields.redirect_uri ?? '').pathname);
        return undefined;
      },
    });
    expect(back).toEqual(['/callback']);
  });
});
