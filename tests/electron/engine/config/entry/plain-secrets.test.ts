// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { describe, expect, it } from 'vitest';
import { plainSecretsIn, plainText } from '../../../../../electron/engine/config/entry/plain-secrets.ts';
import { secretNameSchema } from '../../../../../shared/model/hub/secret.ts';

/** Returns `field → text, name` of everything found. */
function found(entry: Readonly<Record<string, unknown>>): readonly string[] {
  return plainSecretsIn(entry, 'my.git-hub').map(({ path, from, to, name }) => {
    const text = path.reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], entry);
    expect(secretNameSchema.safeParse(name).success).toBe(true);
    return `${path.join('.')}: ${String(text).slice(from, to)} as ${name}`;
  });
}

describe('secrets in plain text', () => {
  it.each([
    [{ env: { GITHUB_TOKEN: 'hush' } }, ['env.GITHUB_TOKEN: hush as GITHUB_TOKEN']],
    [{ env: { OTHER: 'ghp_0123456789abcdefABCD' } }, ['env.OTHER: ghp_0123456789abcdefABCD as OTHER']],
    [{ env: { '1st key': 'hush' } }, ['env.1st key: hush as SECRET_1ST_KEY']],
    [
      { env: { DB: 'postgres://ann:hush@db:5432/app?sslmode=on&token=abcd' } },
      ['env.DB: hush as DB_PASSWORD', 'env.DB: abcd as DB_TOKEN'],
    ],
    [{ headers: { Authorization: 'Bearer hush' } }, ['headers.Authorization: hush as MY_GIT_HUB_TOKEN']],
    [{ headers: { 'X-API-Key': 'hush' } }, ['headers.X-API-Key: hush as MY_GIT_HUB_API_KEY']],
    [{ args: ['--api-key', 'hush', 'x'] }, ['args.1: hush as MY_GIT_HUB_API_KEY']],
    [{ args: ['--token=hush'] }, ['args.0: hush as MY_GIT_HUB_TOKEN']],
    [{ args: ['-e', 'API_TOKEN=hush'] }, ['args.1: hush as API_TOKEN']],
    [{ args: ['--header', 'Authorization: Bearer hush'] }, ['args.1: hush as MY_GIT_HUB_TOKEN']],
    [{ args: ['sk-0123456789abcdefXYZ'] }, ['args.0: sk-0123456789abcdefXYZ as MY_GIT_HUB_SECRET']],
    [{ env: { HEADERS: '{"Authorization": "Bearer hush"}' } }, ['env.HEADERS: hush as HEADERS_TOKEN']],
    [{ env: { HEADERS: 'a=b, X-Api-Key: hush' } }, ['env.HEADERS: hush as HEADERS_API_KEY']],
    [{ args: ['{"password":"hush"}'] }, ['args.0: hush as MY_GIT_HUB_PASSWORD']],
    [
      { args: ['https://ghp_0123456789abcdefABCD@h/x'] },
      ['args.0: ghp_0123456789abcdefABCD as MY_GIT_HUB_TOKEN'],
    ],
    [{ url: 'https://${USER}:hush@h/mcp' }, ['url: hush as MY_GIT_HUB_PASSWORD']],
    [{ url: 'https://h/mcp?api_key=hush&page=2' }, ['url: hush as MY_GIT_HUB_API_KEY']],
    [{ url: 'https://ann:hush@h/mcp' }, ['url: hush as MY_GIT_HUB_PASSWORD']],
    [{ url: 'https://h/hook/a1B2c3D4e5F6g7H8i9/mcp' }, ['url: a1B2c3D4e5F6g7H8i9 as MY_GIT_HUB_KEY']],
    [
      { env: { HOOK: '/services/T01/a1B2c3D4e5F6g7H8i9' } },
      ['env.HOOK: /services/T01/a1B2c3D4e5F6g7H8i9 as HOOK'],
    ],
    [{ env: { SECRET: '/aB3/x9K2m4Q8r1T5v7/Zq=' } }, ['env.SECRET: /aB3/x9K2m4Q8r1T5v7/Zq= as SECRET']],
    [{ env: { X: '/hook/ghp_a1B2c3D4e5F6g7H8i9/run' } }, ['env.X: /hook/ghp_a1B2c3D4e5F6g7H8i9/run as X']],
    [
      { patchbay: { oauth: { clientSecret: 'hush' } } },
      ['patchbay.oauth.clientSecret: hush as MY_GIT_HUB_CLIENT_SECRET'],
    ],
  ])('[NFR-SEC1] are found in %j', (entry, expected) => {
    expect(found(entry)).toEqual(expected);
  });

  it.each([
    [{ env: { A_TOKEN: '${A_TOKEN}', B_TOKEN: '$B_TOKEN', C_TOKEN: '${secret:C}', D_KEY: '%D_KEY%' } }],
    [{ env: { API_KEY: 'your-api-key', TOKEN: '<token>', PASSWORD: 'xxxx', SECRET: '', PIN: '123' } }],
    [{ env: { A_KEY: 'AIza...', B_TOKEN: 'hf_YOUR_TOKEN', REPO: 'https://${input:a:b}@h/x' } }],
    [{ env: { LABELS: 'key:value', PROMPT: 'Token: be careful', JSON: '{"sortKey":"created"}' } }],
    [{ env: { MAX_TOKENS: '4096', TOKEN_URL: 'https://h/token', KEY_FILE: '/etc/key', AUTH: 'true' } }],
    [{ env: { PRIVATE_KEY: '~/.ssh/id_rsa', KEY: 'C:\\keys\\a.pem', LEVEL: 'debug' } }],
    [{ env: { KEY_FILE: '/nix/store/3gkyx8wlkvqmwd7ndh0dq6jkq0n7hlc4-git-1.0.0/key' } }],
    [{ args: ['/home/ann/.npm/_npx/15b07286cbcc3329/node_modules/.bin/mcp'] }],
    [
      {
        args: ['C:\\Users\\ann\\_npx\\5d9a8b7c6d5e4f3a2b1c\\x.js', '~/.cache/uv/4-2Oyk1nqYMx0yDYrAwhf/bin/x'],
      },
    ],
    [{ args: ['/src/9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d/server.py', '/app/dist/index-BxT3k9a1Z4.js'] }],
    [{ headers: { Authorization: 'Bearer ${X}', Accept: 'application/json' } }],
    [{ args: ['-y', '@scope/server-everything@1.2.3', '--port', '8080', '--api-key', '--verbose'] }],
    [{ url: 'https://api.example.com/v1/mcp?profile=default' }],
    [{ env: 'text', args: 'text', headers: null, url: 5, patchbay: [] }],
  ])('are not seen in %j', (entry) => {
    expect(found(entry)).toEqual([]);
  });

  it('are taken as the config means them', () => {
    expect(plainText('a$$HOME$5$${x}')).toBe('a$HOME$5${x}');
  });
});
