import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, redactProblem } from '../../../../../electron/engine/servers/log/redact.ts';
import { secretsOf } from '../../../../../electron/engine/servers/log/secret-values.ts';
import type { LaunchTarget } from '../../../../../electron/engine/servers/server-config.ts';

type Stdio = Extract<LaunchTarget, { kind: 'stdio' }>;
type Remote = Exclude<LaunchTarget, { kind: 'stdio' }>;

function redactorOf(target: LaunchTarget, secrets: readonly string[] = []) {
  return createRedactor(secretsOf({ target: { ok: true, value: target }, secrets }));
}

const stdio = (target: Partial<Stdio>) =>
  redactorOf({ kind: 'stdio', command: 'x', args: [], env: {}, ...target });
const remote = (target: Partial<Remote>) =>
  redactorOf({ kind: 'http', explicit: true, url: 'https://x.dev', headers: {}, ...target });

const pem = '-----BEGIN KEY-----\nMIIEvAIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END KEY-----\n';

describe('the secrets of an entry are replaced', () => {
  it.each<[string, Record<string, string>, string, string]>([
    ['run-together names', { PGPASSWORD: 'correct-horse' }, 'pw correct-horse', 'pw •••'],
    ['four letters', { PASSWORD: 'hunt' }, 'as hunt, not as hunter', 'as •••, not as hunter'],
    ['passwords of addresses', { DATABASE_URL: 'postgres://ann:pa55@db:5432/x' }, 'auth pa55', 'auth •••'],
    [
      'their user infos',
      { DATABASE_URL: 'postgres://ann:pw@db:5432/x' },
      'no postgres://ann:pw@db:5432/x',
      'no postgres://•••db:5432/x',
    ],
    ['an @ not encoded', { DATABASE_URL: 'postgres://ann:pa@ss@db/x' }, 'pa@ss', '•••'],
    ['a / not encoded', { DATABASE_URL: 'postgres://ann:pa/ss@db/x' }, 'pa/ss', '•••'],
    ['decoded passwords', { DATABASE_URL: 'postgres://ann:p%40ssw@db/x' }, 'p@ssw p%40ssw', '••• •••'],
    ['addresses without a scheme', { DSN: 'ann:hush1@tcp(db)/x' }, 'login hush1', 'login •••'],
    [
      'passwords of connection strings',
      { CONN: 'Server=db;User Id=sa;Password=hush1;Pwd="hush2"' },
      'db sa hush1 hush2',
      'db sa ••• •••',
    ],
    ['query values', { SERVICE: 'https://x.dev/a?api_key=hush12&page=2' }, 'hush12 page=2', '••• page=2'],
    [
      'keys in paths',
      { HOOK: 'https://x.dev/services/T00/aB3dE5gH7jK9mN1p' },
      'aB3dE5gH7jK9mN1p T00',
      '••• T00',
    ],
    ['each line', { PRIVATE_KEY: pem }, 'read hkiG9w0BAQEFAASC', 'read •••'],
    ['each escaped line', { PRIVATE_KEY: pem.replaceAll('\n', '\\n') }, 'hkiG9w0BAQEFAASC', '•••'],
    ['random values under plain names', { THING: 'x9Kf2Lq8wZ' }, 'x9Kf2Lq8wZ', '•••'],
    ['headers', { Authorization: 'Bearer abc123' }, 'abc123 and Bearer abc123', '••• and •••'],
    ['logins', { Authorization: 'Basic YW5uOmh1c2gxMg==' }, 'hush12 YW5uOmh1c2gxMg==', '••• •••'],
    ['JSON of them', { TOKEN: 'a"b\\c"d' }, JSON.stringify({ t: 'a"b\\c"d' }), '{"t":"•••"}'],
    ['URLs of them', { TOKEN: 'a/b+c d' }, '?t=a%2Fb%2Bc%20d', '?t=•••'],
    ['URLs in lower case', { TOKEN: 'a/b+c d' }, '?t=a%2fb%2bc%20d', '?t=•••'],
    ['forms with them', { TOKEN: 'a/b+c d' }, 't=a%2Fb%2Bc+d', 't=•••'],
    ['base64 of them', { TOKEN: 'correct-horse' }, 'is Y29ycmVjdC1ob3JzZQ==', 'is •••=='],
    ['base64 for URLs', { TOKEN: 'hush~~~~??>>' }, 'is aHVzaH5-fn4_Pz4-', 'is •••'],
  ])('%s', (_, fields, text, expected) => {
    expect(stdio({ env: fields })(text)).toBe(expected);
    expect(remote({ headers: fields })(text)).toBe(expected);
  });

  it.each<[Record<string, string>, string]>([
    [{ HOME: '/home/ann', MODEL: 'claude-3-5-sonnet-20241022' }, '/home/ann claude-3-5-sonnet-20241022'],
    [{ LOG_LEVEL: 'debug', NODE_ENV: 'production' }, 'debug production'],
    [{ GOOGLE_APPLICATION_CREDENTIALS: '/home/ann/creds.json' }, '/home/ann/creds.json'],
    [{ USE_TOKEN: 'true', PIN_KEY: 'ab' }, 'true ab'],
    [{ DATABASE_URL: 'postgres://postgres@localhost:5432/app' }, 'postgres localhost:5432 app'],
    [{ REGISTRY: 'http://host:4873/@scope/x' }, 'http://host:4873/@scope/x'],
    [{ MAX_TOKENS: '4096' }, '4096'],
  ])('%j stays readable', (env, text) => {
    expect(stdio({ env })(text)).toBe(text);
  });

  it('in arguments, too', () => {
    const args = [
      '--api-key',
      'hush1',
      '--token=hush2',
      '--header',
      'X-Api-Key: hush3',
      'postgres://a:hush4@db',
    ];
    expect(stdio({ args: [...args, '--verbose', 'plain'] })('hush1 hush2 hush3 hush4 plain')).toBe(
      '••• ••• ••• ••• plain',
    );
  });

  it('in the URL and the sign-in of a remote server', () => {
    const redact = remote({
      url: 'https://ann:hush1@x.dev/mcp?key=hush2',
      oauth: { clientSecret: 'hush3' },
    });
    expect(redact('hush1 hush2 hush3 x.dev')).toBe('••• ••• ••• x.dev');
  });

  it('where a variable put them under a plain name', () => {
    const redact = redactorOf({ kind: 'stdio', command: 'x', args: [], env: { X: 'plainword' } }, [
      'plainword',
    ]);
    expect(redact('plainword')).toBe('•••');
  });

  it('whatever they are and wherever they appear', () => {
    fc.assert(
      fc.property(
        fc
          .string({ minLength: 6, maxLength: 40 })
          .filter((text) => text.trim().length >= 6 && !/[\\/]/.test(text)),
        fc.lorem(),
        fc.lorem(),
        (secret, before, after) => {
          const redact = stdio({ env: { SOME_SECRET: secret } });
          expect(redact(`${before} <${secret}> ${after}`)).not.toContain(`<${secret}>`);
        },
      ),
    );
  });

  it('in all parts of a problem', () => {
    const redact = createRedactor(['hush1']);
    const told = { code: 'internal', sentence: 'a hush1', fix: 'b hush1', evidence: [] } as const;
    const evidence = [{ label: 'error', value: 'hush1' }];
    expect(JSON.stringify(redactProblem({ ...told, evidence }, redact))).not.toContain('hush1');
  });
});
