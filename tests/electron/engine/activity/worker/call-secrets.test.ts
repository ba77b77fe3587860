import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Masking } from '../../../../../electron/engine/activity/worker/masking.ts';

/** A plain word, so that it is masked because it is known and not for how it looks. */
const canary = 'plumtree-of-the-call';
const json = (value: unknown) => JSON.stringify(value);

type Place = readonly [what: string, args: unknown, secret?: string];
const inText = (form: string): Place => [form, { text: form.replace('SECRET', canary) }];
const places: readonly Place[] = [
  ['a text under its name', { password: canary }],
  ['a number', { pin: 73519462 }, '73519462'],
  ['a number that is written in another way', { pin: 735194.5 }, '735194.5'],
  ['an array', { api_keys: ['a', canary] }],
  ['an object', { credentials: { user: 'ada', value: { inner: canary } } }],
  ['JSON in a text', { body: JSON.stringify({ password: canary }) }],
  ['JSON under its name', { secret: JSON.stringify({ value: canary }) }],
  [
    'behind much text',
    {
      ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [at, 'word '.repeat(200)])),
      password: canary,
    },
  ],
  ['in a long text', { text: `${'word '.repeat(20_000)} password=${canary}` }],
  ['behind a scheme under its name', { authorization: `Token ${canary}` }],
  ...[
    'Bearer SECRET',
    'curl -H "Authorization: Bearer SECRET"',
    'Authorization: Token SECRET',
    'Cookie: theme=dark; session=SECRET',
    'password=SECRET',
    'PASSWORD := "SECRET"',
    "{'password': 'SECRET'}",
    'user[password]=SECRET&x=1',
    "config['api_key'] = 'SECRET'",
    '{\\"token\\":\\"SECRET\\"}',
    'token%3DSECRET',
    'run --api-key SECRET --verbose',
    '<password>SECRET</password>',
    '{password: SECRET}',
    'api_keys: ["a", "SECRET"]',
    'http://u:SECRET@host/',
    'postgres://u:SECRET@host:5432/db',
    'failed: http://x/?token=SECRET',
    'see https://x/path?a=b&access_token=SECRET#top',
    'https://x/#id_token=SECRET',
    'https://x/?api%5Fkey=SECRET',
    '-----BEGIN RSA PRIVATE KEY-----\nSECRET\n-----END RSA PRIVATE KEY-----',
  ].map(inText),
];
const wrappings: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => `it is ${secret} then`,
  (secret) => `login("ada", "${secret}")`,
  (secret) => `x=${encodeURIComponent(secret)};`,
];

describe('a secret that a call carries', () => {
  it.each(places.map(([what, args, secret = canary]) => ({ what, args, secret })))(
    '[NFR-SEC1] [PB-SAFE-1] is in nothing that is stored: $what',
    ({ args, secret }) => {
      for (const say of wrappings) {
        const masking = new Masking();
        const shown = masking.arguments(
          json({ note: say(secret), ...(args as object), script: say(secret) }),
          false,
        );
        const result = masking.result(
          json({ content: [{ type: 'text', text: say(secret) }], [secret]: 1 }),
          false,
          shown.found,
        );
        const summary = masking.summary(json({ text: say(secret) }), false, shown.found, 500);
        const text = masking.text(say(secret), shown.found);
        const kept = [shown.text, result.text, summary.text, text].join('\n');
        expect(kept).not.toContain(secret);
        expect(kept).toContain('•••');
      }
    },
  );

  it('[NFR-SEC1] [PB-SAFE-1] is masked wherever it appears among others', () => {
    const masking = new Masking();
    const place = fc.constantFrom(...places);
    fc.assert(
      fc.property(
        place,
        fc.jsonValue({ maxDepth: 3 }),
        fc.jsonValue({ maxDepth: 3 }),
        ([, args, secret = canary], before, after) => {
          const shown = masking.arguments(
            json([before, { a: { b: [args] } }, after, `again ${secret}`]),
            false,
          );
          const result = masking.result(json({ before, text: `it is ${secret}`, after }), false, shown.found);
          expect(shown.text + result.text).not.toContain(secret);
          expect(() => JSON.parse(result.text)).not.toThrow();
        },
      ),
      { numRuns: 300 },
    );
  });

  it('leaves what is harmless to the letter', () => {
    const masking = new Masking();
    const args = {
      note: 'see http://host:8080/a@b and --token or use name: value? 12:30, a=b; the --flag option',
      max_tokens: 1000,
      nextPageToken: 'abc-def',
      url: 'https://x/search?q=plum&page=2#part',
    };
    expect(masking.arguments(json(args), false).text).toBe(JSON.stringify(args));
  });
});
