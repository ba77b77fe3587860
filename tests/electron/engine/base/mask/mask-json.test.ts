import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskJson } from '../../../../../electron/engine/base/mask/mask-json.ts';

const mask = (value: unknown) => JSON.parse(maskJson(JSON.stringify(value)).text);
const token = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';

describe('JSON with its secrets masked', () => {
  it.each([
    ['under the name of one', { password: 'hunter2' }, { password: '•••' }],
    ['a number under such a name', { pin: 4711 }, { pin: '•••' }],
    ['all that is inside', { auth: { user: 'me', tries: [3] } }, { auth: { user: '•••', tries: ['•••'] } }],
    ['of the form of one', { city: token }, { city: '•••' }],
    ['as a key', { [token]: true }, { '•••': true }],
    ['in a header', { text: `Authorization: Bearer ${token}` }, { text: 'Authorization: Bearer •••' }],
    ['in a sentence', { text: `It is ${token}, keep it.` }, { text: 'It is •••, keep it.' }],
    ['in an assignment', { text: 'login user=me password=hunter2' }, { text: 'login user=me password=•••' }],
    [
      'in an address',
      { url: 'postgres://me:hunter2@db.example/x' },
      { url: 'postgres://me:•••@db.example/x' },
    ],
    [
      'in a query',
      { url: 'https://a.example/?token=hunter2&b=1' },
      { url: 'https://a.example/?token=•••&b=1' },
    ],
    ['in a path', { url: 'https://hooks.example/T04ZK8Q2X9B/run' }, { url: 'https://hooks.example/•••/run' }],
    ['in JSON in a string', { text: '{"a": {"password":"hunter2"}}' }, { text: '{"a":{"password":"•••"}}' }],
    [
      'a private key',
      { text: 'a\n-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----\nb' },
      { text: 'a\n•••\nb' },
    ],
  ])('%s', (_, value, expected) => {
    expect(mask(value)).toEqual(expected);
  });

  it('masks known secrets, as a string, a number or a key', () => {
    const redact = (text: string) => text.replaceAll('9876', '•••').replaceAll('plain words', '•••');
    const value = { a: 'so plain words here', b: 9876, 'plain words': 1, c: 98, d: true };
    expect(JSON.parse(maskJson(JSON.stringify(value), { redact }).text)).toEqual({
      a: 'so ••• here',
      b: '•••',
      '•••': 1,
      c: 98,
      d: true,
    });
  });

  it('[PB-SAFE-2] leaves the name of a tool in our own sentence', () => {
    const text = 'Tool name must be prefixed with server key: echo. Use one__echo or two__echo.';
    expect(mask({ text })).toEqual({ text });
    expect(mask({ text: 'The server key: hunter2' })).toEqual({ text: 'The server key: •••' });
  });

  it('leaves everything else exactly as it is', () => {
    const text = '{ "a" : 1.50e+3, "b":\t"\\u00e4\\/ö", "c":[ ],\n"d": {"at":"2026-01-02T03:04:05Z"} }';
    expect(maskJson(text)).toEqual({ text, isCut: false, isError: false });
  });

  it.each([
    'The quick brown fox jumps over the lazy dog.',
    '/home/me/projects/patchbay/README.md',
    'https://docs.example/guide/getting-started?page=2',
    'claude-sonnet-4-5 v1.22.333 2026-10-03',
    'internationalization',
    'pass: 12, fail: 3',
  ])('leaves %j', (text) => {
    expect(mask({ text })).toEqual({ text });
  });

  it('leaves any harmless JSON exactly as it is', () => {
    const word = fc.constantFrom('a', 'city', 'Oslo', 'two words', 'ä"\\', '', '{', '[1]');
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        word,
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(word, tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    fc.assert(
      fc.property(json, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(maskJson(text).text).toBe(text);
      }),
    );
  });

  it('keeps every digit of a number next to a secret', () => {
    const numbers = '"a":12345678901234567890,"b":[-0,1.50e+3,1e400],"c":"12345678901234567890"';
    expect(maskJson(`{"pin":12345678901234567890,${numbers}}`).text).toBe(`{"pin":"•••",${numbers}}`);
  });

  it('lets no secret through, wherever it is and wherever the text is truncated', () => {
    const name = fc.constantFrom('password', 'API_KEY', 'clientSecret', 'auth');
    const secret = fc.constantFrom(token, 'hunter2-hunter2', 'Zq8"\\\\x\n9-hunter2');
    const plain = fc.constantFrom<unknown>('text', '', 7, null, true, 'ä"\\', 'so it goes '.repeat(20));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        plain,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'text'), tie('value'), { maxKeys: 3 }),
        fc.tuple(name, secret).map(([key, text]) => ({ [key]: text })),
        fc.tuple(name, secret).map(([key, text]) => ({ [key]: [{ deep: text }, text] })),
        fc.tuple(name, secret).map(([key, text]) => JSON.stringify({ [key]: text })),
        fc.constantFrom(`It is ${token}.`, { [token]: 1 }, { url: 'https://me:hunter2-hunter2@a.example/' }),
      ),
    }));
    fc.assert(
      fc.property(value, fc.nat(), fc.constantFrom(0, 1), (some, cut, indent) => {
        const whole = JSON.stringify({ a: some }, undefined, indent);
        const parts = [
          maskJson(whole),
          maskJson(whole, { maxLength: cut % 100 }),
          maskJson(whole.slice(0, cut % whole.length), { isBeginning: true }),
        ];
        for (const { text } of parts) {
          expect(() => JSON.parse(text)).not.toThrow();
          expect(text).not.toMatch(/hunter|ghp_|Zq8/);
        }
      }),
      { seed: 20_261_130, numRuns: 500 },
    );
  });

  it('keeps only the size of encoded data', () => {
    const data = Buffer.alloc(300_000, 7).toString('base64');
    expect(mask({ type: 'image', data })).toEqual({ type: 'image', data: '(base64, 293 KB)' });
  });

  it('cuts what is long, and says so', () => {
    const { text, isCut } = maskJson(JSON.stringify({ a: 'so it goes '.repeat(10_000), b: 1 }));
    expect(isCut).toBe(true);
    expect(JSON.parse(text)).toEqual({
      a: expect.stringMatching(/^so it.*… \(cut, 110,000 characters\)$/),
      b: 1,
    });
    const long = maskJson(JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ index }))));
    expect(long.isCut).toBe(true);
    expect(JSON.parse(long.text).at(-1)).toBe('… (cut)');
    expect(long.text.length).toBeLessThan(33_000);
  });

  it('is valid JSON wherever the input is truncated, without half of a secret', () => {
    const value = {
      list: [1, { deep: 'text', token: 'hunter2' }, true],
      isError: true,
      'a\\u0061"b': `half ${token}`,
      end: null,
    };
    const whole = JSON.stringify(value);
    for (let end = 1; end < whole.length; end += 1) {
      const { text, isCut } = maskJson(whole.slice(0, end), { isBeginning: true });
      expect(() => JSON.parse(text)).not.toThrow();
      expect(isCut).toBe(true);
      expect(text).not.toMatch(/hunter|ghp_/);
    }
    expect(maskJson(whole, { isBeginning: true }).isCut).toBe(false);
  });

  it.each(['{"a":', '{"a" 1}', '[1,]', '{"a":"\\x"}', 'null null', '', 'Bearer abcdefgh12345'])(
    'treats %j, which is not JSON, as text',
    (broken) => {
      const { text } = maskJson(broken);
      expect(JSON.parse(text)).toBe(broken.replace('abcdefgh12345', '•••'));
    },
  );

  it('detects that a tool reports a failure', () => {
    const isError = (value: unknown) => maskJson(JSON.stringify(value)).isError;
    expect(isError({ content: [], isError: true })).toBe(true);
    expect(isError({ content: [], isError: false })).toBe(false);
    expect(isError({ content: [{ isError: true }] })).toBe(false);
  });

  it('handles any depth', () => {
    const deep = '['.repeat(100_000);
    expect(JSON.parse(maskJson(deep, { isBeginning: true }).text)).toMatch(/^\[+…$/);
  });
});
