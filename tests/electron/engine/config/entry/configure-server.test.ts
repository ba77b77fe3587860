// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { describe, expect, it } from 'vitest';
import type { ConfiguredServer } from '../../../../../electron/engine/config/contract.ts';
import { configureServer } from '../../../../../electron/engine/config/entry/configure-server.ts';
import { expandContext } from '../../../../../electron/engine/config/entry/expand-entry.ts';
import { validateConfigText } from '../../../../../electron/engine/config/store/read-config.ts';

const base = { HOME: '/home/ann', TOKEN: 'hush-hush' };

async function configure(
  entry: object | string,
  env: Record<string, string> = base,
  platform: NodeJS.Platform = 'linux',
): Promise<ConfiguredServer> {
  const text = typeof entry === 'string' ? entry : JSON.stringify(entry);
  const good = validateConfigText('/data/mcp.json', `{"mcpServers": {"x": ${text}}}`);
  if ('code' in good || good.servers[0] === undefined) throw new Error('no server');
  return await configureServer(good.parsed, good.servers[0], expandContext('/data/mcp.json', env, platform));
}

const fingerprint = async (entry: object | string, env?: Record<string, string>) =>
  (await configure(entry, env)).fingerprint;

describe('configureServer', () => {
  it.each<[string, object, object]>([
    ['url', { httpUrl: 'https://x.dev/mcp' }, { kind: 'http', url: 'https://x.dev/mcp' }],
    ['url', { serverUrl: 'https://x.dev/mcp' }, { kind: 'http', url: 'https://x.dev/mcp' }],
    ['url', { URL: 'x.dev/mcp' }, { kind: 'http', url: 'https://x.dev/mcp' }],
    ['command', { cmd: 'npx -y x' }, { command: 'npx', args: ['-y', 'x'] }],
    ['args', { arguments: ['a', 1], command: 'x' }, { args: ['a', '1'] }],
    ['args', { Args: '-y x', command: 'x' }, { args: ['-y', 'x'] }],
    ['env', { environment: { A: 1, B: null }, command: 'x' }, { env: { A: '1' } }],
    ['env', { envs: { A: '${TOKEN}' }, command: 'x' }, { env: { A: 'hush-hush' } }],
    ['headers', { http_headers: { A: 'b' }, url: 'https://x.dev' }, { headers: { A: 'b' } }],
    ['type', { transportType: 'sse', url: 'https://x.dev' }, { kind: 'sse' }],
    ['cwd', { workingDirectory: '${HOME}', command: 'x' }, { cwd: '/home/ann' }],
  ])('[PB-CFG-1] reads what other programs call %s, and says so: %j', async (own, entry, value) => {
    const { target, warnings, display } = await configure(entry);
    expect(target).toMatchObject({ ok: true, value });
    expect(display).not.toBe('');
    const name = Object.keys(entry)[0];
    expect(warnings?.map(({ sentence }) => sentence)).toContain(
      `${name}: Patchbay calls this "${own}"; rename it.`,
    );
  });

  it.each<[object, object]>([
    [
      { command: 'x', endpoint: '/mcp' },
      { command: 'x', args: [], env: {} },
    ],
    [
      { command: 'x', environment: 'production' },
      { command: 'x', args: [], env: {} },
    ],
    [{ command: 'x', args: ['a'], arguments: ['b'] }, { args: ['a'] }],
    [{ url: 'https://x.dev', cmd: 'x' }, { url: 'https://x.dev' }],
  ])('leaves members of another meaning alone: %j', async (entry, value) => {
    const { target, warnings } = await configure(entry);
    expect(target).toMatchObject({ ok: true, value });
    expect(warnings ?? []).toEqual([]);
  });

  it.each<[string, object, object, object]>([
    [
      'transport.url',
      { transport: { type: 'sse', url: 'https://x.dev/mcp', headers: { A: 'b' } } },
      { kind: 'sse', url: 'https://x.dev/mcp', headers: { A: 'b' } },
      { transport: 'sse' },
    ],
    [
      'transport.args',
      { transport: { type: 'stdio', command: 'x', args: ['a'] } },
      { kind: 'stdio', command: 'x', args: ['a'] },
      { transport: 'stdio', display: 'x a' },
    ],
    ['config.command', { name: 'n', config: { command: 'x' } }, { command: 'x' }, {}],
    [
      'command.path',
      { command: { path: 'x', args: ['a'], env: { A: 1 } } },
      { command: 'x', args: ['a'], env: { A: '1' } },
      { display: 'x a' },
    ],
    [
      'requestInit.headers',
      { url: 'https://x.dev', requestInit: { headers: { A: '${TOKEN}' } } },
      { headers: { A: 'hush-hush' } },
      {},
    ],
    ['options.disabled', { command: 'x', options: { disabled: true } }, { command: 'x' }, { enabled: false }],
    ['transport', { transport: 'sse', url: 'https://x.dev' }, { kind: 'sse' }, { transport: 'sse' }],
    ['serverUrl', { url: '', serverUrl: 'https://x.dev' }, { kind: 'http' }, { transport: 'http' }],
  ])('[PB-CFG-1] reads %s, which other programs write elsewhere: %j', async (place, entry, value, more) => {
    const configured = await configure(entry);
    expect(configured).toMatchObject({ target: { ok: true, value }, ...more });
    const said = configured.warnings?.map(({ sentence }) => sentence).join('\n');
    expect(said).toMatch(new RegExp(`^${place.replace('.', '\\.')}: .*(move it there|rename it)\\.$`, 'm'));
  });

  it.each<[object, object]>([
    [{ token: 'abc' }, { Authorization: 'Bearer abc' }],
    [{ apiKey: '${TOKEN}' }, { Authorization: 'Bearer hush-hush' }],
    [{ bearerToken: 'Bearer abc' }, { Authorization: 'Bearer abc' }],
    [{ authorization: 'Basic abc' }, { Authorization: 'Basic abc' }],
    [{ auth: { type: 'bearer', token: 'abc' } }, { Authorization: 'Bearer abc' }],
    [{ auth_type: 'api_key', auth_value: 'abc' }, { 'X-API-Key': 'abc' }],
    [{ bearer_token_env_var: 'TOKEN' }, { Authorization: 'Bearer hush-hush' }],
    [{ env_http_headers: { 'X-Key': 'TOKEN' } }, { 'X-Key': 'hush-hush' }],
    [{ token: 'no', headers: { authorization: 'Bearer abc' } }, { authorization: 'Bearer abc' }],
  ])('[PB-CFG-1] sends the key of %j as a header, and says so', async (key, headers) => {
    const { target, warnings } = await configure({ url: 'https://x.dev/mcp', ...key });
    expect(target).toMatchObject({ ok: true, value: { headers } });
    expect(target.ok && 'headers' in target.value && Object.keys(target.value.headers)).toHaveLength(1);
    expect(warnings?.map(({ sentence }) => sentence)).toContainEqual(
      expect.stringMatching(/: this was read as part of headers; write it there\.$/),
    );
  });

  it('[PB-CFG-1] reads the client of a sign-in where other programs write it', async () => {
    const { target } = await configure({
      url: 'https://x.dev/mcp',
      auth: { CLIENT_ID: 'me', scopes: ['a'] },
    });
    expect(target).toMatchObject({ ok: true, value: { oauth: { clientId: 'me', scopes: ['a'] } } });
  });

  it.each<[string, object]>([
    ['auth', { url: 'https://x.dev', auth: { type: 'basic', username: 'ann', password: 'hush' } }],
    ['headersHelper', { url: 'https://x.dev', headersHelper: './get-headers.sh' }],
    ['env', { url: 'https://x.dev', env: { API_KEY: 'hush' } }],
    ['apiKey', { command: 'x', apiKey: 'hush' }],
    ['headers', { command: 'x', headers: { Authorization: 'hush' } }],
  ])('[PB-CFG-1] says that %s has no effect in %j', async (name, entry) => {
    const { target, warnings = [] } = await configure(entry);
    expect(target.ok).toBe(true);
    expect(warnings.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(new RegExp(`^${name}: .*no effect.*write .* under (env|headers)\\.$`)),
    ]);
    expect(JSON.stringify(warnings)).not.toContain('hush');
  });

  it.each<[object, readonly string[] | undefined, readonly string[]]>([
    [{ includeTools: ['a', 'b'], excludeTools: ['b'] }, ['a', 'b'], ['b']],
    [{ disabledTools: ['a'] }, undefined, ['a']],
    [{ allowed_tools: 'a, b' }, ['a', 'b'], []],
    [{ toolFilter: { mode: 'allow', list: ['a'] } }, ['a'], []],
    [{ tools: { a: true, b: false } }, undefined, ['b']],
    [{ tools: { '*': false } }, [], []],
    [{ includeTools: ['a'], patchbay: { enabledTools: ['b'] } }, ['b'], []],
  ])('[PB-CFG-1] reads %j as the list of tools it is, and says so', async (lists, on, off) => {
    const { enabledTools, disabledTools, warnings = [] } = await configure({ command: 'x', ...lists });
    expect([enabledTools && [...enabledTools], [...disabledTools]]).toEqual([on, off]);
    expect(warnings.length).toBeGreaterThan(0);
    for (const { sentence } of warnings) expect(sentence).toContain('was read as a list of tools');
  });

  it.each([{ tools: ['*'] }, { tools: 'all' }, { alwaysAllow: ['a'] }, { includeTools: [] }])(
    '[PB-CFG-1] takes %j for all tools',
    async (lists) => {
      const { enabledTools, disabledTools, warnings } = await configure({ command: 'x', ...lists });
      expect([enabledTools, disabledTools.size, warnings]).toEqual([undefined, 0, undefined]);
    },
  );

  it.each([
    '${env.TOKEN}',
    '${process.env.TOKEN}',
    '${env://TOKEN}',
    '${ENV:TOKEN}',
    '${TOKEN:?ask ann}',
    '{env:TOKEN}',
    '{env.TOKEN}',
    'env:TOKEN',
    '$env:TOKEN',
    'process.env.TOKEN',
    'os.environ["TOKEN"]',
    "os.getenv('TOKEN')",
    '%TOKEN%',
  ])('[FR-002] reads %s in a header as the variable, and refuses it unset', async (reference) => {
    const entry = { url: 'https://x.dev', headers: { Authorization: `Bearer ${reference}` } };
    const { target } = await configure(entry);
    expect(target).toMatchObject({ ok: true, value: { headers: { Authorization: 'Bearer hush-hush' } } });
    expect((await configure(entry, { HOME: '/home/ann' })).target.ok).toBe(false);
  });

  it.each([
    '{file:~/.token}',
    '${TOKEN:x}',
    '${{ secrets.TOKEN }}',
    '{{TOKEN}}',
    '$(pass show token)',
    '{cmd:pass show token}',
    'op://vault/item/token',
    '$github_token',
    '%GONE%',
  ])('[PB-CFG-1] never sends %s, which only another program could resolve', async (reference) => {
    for (const entry of [
      { url: 'https://x.dev', headers: { Authorization: `Bearer ${reference}` } },
      { command: 'x', env: { API_KEY: reference } },
    ]) {
      const { target } = await configure(entry);
      expect(target).toMatchObject({ ok: false, problem: { sentence: expect.stringContaining('program') } });
    }
  });

  it.each<[object, object]>([
    [{ command: 'op', args: ['run', '--', 'x'], env: { API_KEY: 'op://a/b/c' } }, { API_KEY: 'op://a/b/c' }],
    [{ command: 'x', env: { LOG_FORMAT: '%MESSAGE%' } }, { LOG_FORMAT: '%MESSAGE%' }],
    [{ command: 'x', env: { PASSWORD: '$ecret' } }, { PASSWORD: '$ecret' }],
    [{ command: 'x', env: { PATTERN: '{plain}' } }, { PATTERN: '{plain}' }],
  ])('leaves the values of %j alone', async (entry, env) => {
    expect((await configure(entry)).target).toMatchObject({ ok: true, value: { env } });
  });

  it.each<[object, string]>([
    [{ url: 'https://x.dev', http_headers: { Authorization: 'Bearer <YOUR_TOKEN>' } }, 'http_headers'],
    [{ url: 'https://x.dev', token: '<YOUR_TOKEN>' }, 'token'],
    [{ transport: { url: 'https://x.dev', headers: { 'X-Key': '<YOUR_KEY>' } } }, 'transport'],
    [{ command: 'x', environment: { API_KEY: 'YOUR_API_KEY' } }, 'environment'],
  ])('[PB-CFG-1] asks for the placeholder in %j', async (entry, place) => {
    expect((await configure(entry)).placeholders).toMatchObject([{ path: expect.arrayContaining([place]) }]);
  });

  it.each<[object, boolean]>([
    [{ enable: false }, false],
    [{ isDisabled: true }, false],
    [{ active: 'false' }, false],
    [{ enabled: false }, false],
    [{ enabled: 'false' }, false],
    [{ isActive: false }, false],
    [{ Disabled: true }, false],
    [{ enabled: true }, true],
    [{ enabled: null }, true],
    [{ enabled: false, disabled: false }, true],
  ])('[PB-CFG-1] turns a server off as other programs write it: %j, %s', async (entry, isOn) => {
    expect((await configure({ command: 'x', ...entry })).enabled).toBe(isOn);
  });

  it.each([
    ['env', ['API_KEY=a=b', 'REGION=eu'], { API_KEY: 'a=b', REGION: 'eu' }],
    [
      'env',
      [
        { name: 'API_KEY', value: 'a' },
        { name: 'RETRIES', value: 3 },
      ],
      { API_KEY: 'a', RETRIES: '3' },
    ],
    ['env', [{ key: 'API_KEY', value: '${TOKEN}' }], { API_KEY: 'hush-hush' }],
    ['env', [{ API_KEY: 'a' }], { API_KEY: 'a' }],
    ['env', 'API_KEY=a\nREGION=eu\n', { API_KEY: 'a', REGION: 'eu' }],
    [
      'headers',
      ['Authorization: Bearer a:b', 'X-Region=eu'],
      { Authorization: 'Bearer a:b', 'X-Region': 'eu' },
    ],
    ['headers', [{ key: 'X-Key', value: 'a' }], { 'X-Key': 'a' }],
    ['headers', 'Authorization: Bearer a\r\nX-Region: eu', { Authorization: 'Bearer a', 'X-Region': 'eu' }],
  ])('[PB-CFG-1] reads %s written as %j, with a warning', async (field, written, value) => {
    const rest = field === 'env' ? { command: 'x' } : { url: 'https://x.dev/mcp' };
    const { target, warnings } = await configure({ ...rest, [field]: written });
    expect(target).toMatchObject({ ok: true, value: { [field]: value } });
    expect(warnings?.map(({ sentence }) => sentence)).toEqual([
      `${field}: this was read as names and values; write an object: {"NAME": "value"}.`,
    ]);
  });

  it.each([
    ['env', ['API_KEY']],
    ['env', [{ name: 'A', value: {} }]],
    ['env', [{ A: 'a', B: 'b' }]],
    ['headers', ['Bearer hush-hush']],
    ['headers', [['X-Key', 'hush-hush']]],
  ])('refuses %s written as %j, and shows no value', async (field, written) => {
    const rest = field === 'env' ? { command: 'x' } : { url: 'https://x.dev/mcp' };
    const { target, warnings } = await configure({ ...rest, [field]: written });
    expect(target.ok).toBe(false);
    expect(JSON.stringify([target, warnings])).not.toContain('hush');
  });

  it.each([
    ['localhost:3000/mcp', 'http://localhost:3000/mcp'],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['[::1]:8080/mcp', 'http://[::1]:8080/mcp'],
    ['192.168.1.5:9000/sse', 'http://192.168.1.5:9000/sse'],
    ['mcp.example.com/mcp', 'https://mcp.example.com/mcp'],
    ['MCP.example.com:8443/mcp?team=a', 'https://MCP.example.com:8443/mcp?team=a'],
  ])('[PB-CFG-1] reads the URL %s with the scheme it lacks', async (url, read) => {
    const { target, warnings } = await configure({ url });
    expect(target).toMatchObject({ ok: true, value: { url: read } });
    expect(warnings?.[0]?.sentence).toMatch(/^url: the scheme is missing, so this was read as https?:\/\/;/);
  });

  it.each(['example/mcp', 'mailto:ann@x.dev', 'me@x.dev', '/mcp', 'a b.dev'])(
    'takes %s for no address',
    async (url) => expect((await configure({ url })).target.ok).toBe(false),
  );

  it.each([
    [{ url: 'http://x.dev' }, 'http', { kind: 'http', explicit: false }],
    [{ type: 'http', url: 'http://x.dev' }, 'http', { kind: 'http', explicit: true }],
    [{ type: 'streamable-http', url: 'http://x.dev' }, 'http', { kind: 'http', explicit: true }],
    [{ type: 'streamableHttp', url: 'http://x.dev' }, 'http', { kind: 'http', explicit: true }],
    [{ type: 'streamable_http', url: 'http://x.dev' }, 'http', { kind: 'http', explicit: true }],
    [{ type: 'sse', url: 'http://x.dev' }, 'sse', { kind: 'sse', explicit: true }],
    [{ type: 'stdio', command: 'x' }, 'stdio', { kind: 'stdio' }],
    [{ command: 'x' }, 'stdio', { kind: 'stdio' }],
  ])('knows the kind of %j', async (entry, transport, value) => {
    expect(await configure(entry)).toMatchObject({ transport, target: { ok: true, value } });
  });

  it.each([
    [
      { type: 'http-stream', url: 'http://x.dev' },
      { kind: 'http', explicit: false },
    ],
    [
      { type: 'url', url: 'http://x.dev' },
      { kind: 'http', explicit: false },
    ],
    [
      { type: 1, url: 'http://x.dev' },
      { kind: 'http', explicit: false },
    ],
    [
      { type: 'stdio', url: 'http://x.dev' },
      { kind: 'http', explicit: false },
    ],
    [{ type: 'http', command: 'x' }, { kind: 'stdio' }],
    [{ type: 'python', command: 'x' }, { kind: 'stdio' }],
  ])('ignores a type that does not fit the rest of %j, with a warning', async (entry, value) => {
    const { target, warnings } = await configure(entry);
    expect(target).toMatchObject({ ok: true, value });
    expect(warnings?.[0]?.sentence).toContain('type: this does not fit the rest of the entry');
  });

  it.each(['<http://x.dev/mcp>', '`http://x.dev/mcp`'])('reads the address in %s', async (url) => {
    const { target } = await configure({ url });
    expect(target).toMatchObject({ ok: true, value: { url: 'http://x.dev/mcp' } });
  });

  it.each([
    [{ type: 'stdio', url: 'http://x.dev', command: 'x' }, 'url'],
    [{ type: 'websocket', url: 'http://x.dev' }, 'type: must be one of'],
    [{ url: 'ftp://x.dev' }, 'url is not a valid http or https address'],
    [{ url: '${TOKEN}' }, 'url is not a valid http or https address'],
    [{ command: '${GONE:-}' }, 'command is empty'],
    [{ command: 'x', patchbay: { restart: 'sometimes' } }, 'patchbay.restart: must be one of always, never'],
  ])('reports what is wrong with %j', async (entry, sentence) => {
    const { target } = await configure(entry);
    expect(target.ok).toBe(false);
    expect(target).toMatchObject({ problem: { sentence: expect.stringContaining(sentence) } });
    expect(JSON.stringify(target)).not.toContain('hush');
  });

  it('[FR-002] expands the sign-in options of an entry, and restarts it when they change', async () => {
    const entry = (clientSecret: string) => ({
      url: 'https://x.dev/mcp',
      patchbay: {
        oauth: { clientId: 'me', clientSecret, scopes: ['read'], callbackPort: 7000, resource: false },
      },
    });
    expect(await configure(entry('${TOKEN}'))).toMatchObject({
      target: {
        ok: true,
        value: {
          oauth: {
            clientId: 'me',
            clientSecret: 'hush-hush',
            scopes: ['read'],
            callbackPort: 7000,
            resource: false,
          },
        },
      },
    });
    expect(await fingerprint(entry('one'))).not.toBe(await fingerprint(entry('two')));
    const { target } = await configure(entry('${GONE}'));
    expect(target).toMatchObject({ ok: false, problem: { code: 'config.missing_env_var' } });
  });

  it.each([
    ['http://localhost:7000/callback', true],
    ['http://127.0.0.1/cb', true],
    ['http://[::1]:7000', true],
    ['http://localhost:99999/callback', false],
    ['https://localhost/callback', false],
    ['http://elsewhere.dev/callback', false],
    ['http://localhost.elsewhere.dev/', false],
    ['http://me@localhost/', false],
    ['http://localhost/?a=b', false],
  ])('takes the redirect address %s of a client that was registered by hand: %s', async (redirectUri, ok) => {
    const patchbay = { oauth: { clientId: 'me', redirectUri } };
    const { target } = await configure({ url: 'https://x.dev/mcp', patchbay });
    expect(target).toMatchObject(
      ok ? { ok, value: { oauth: { redirectUri } } } : { ok, problem: { code: 'config.invalid_schema' } },
    );
  });

  it('reads our own options and keeps tools turned off even in a broken entry', async () => {
    const patchbay = { restart: 'never', disabledTools: ['a', 'b'] };
    expect(await configure({ command: 'x', timeout: 5000, disabled: true, patchbay })).toMatchObject({
      enabled: false,
      restart: 'never',
      callTimeout: 5000,
      disabledTools: new Set(['a', 'b']),
    });
    expect((await configure({ patchbay })).disabledTools).toEqual(new Set(['a', 'b']));
    const only = await configure({ command: 7, patchbay: { enabledTools: ['a'] } });
    expect([only.target.ok, only.enabledTools]).toEqual([false, new Set(['a'])]);
    expect(await configure({ patchbay })).not.toHaveProperty('enabledTools');
  });

  it('[FR-002] knows %NAME% and the home of Windows there', async () => {
    const env = { USERPROFILE: 'C:\\Users\\Ann', Path: 'C:\\bin' };
    const { target } = await configure({ command: '~\\x.cmd', args: ['%path%', '%NOPE%'] }, env, 'win32');
    expect(target).toMatchObject({
      value: { command: 'C:\\Users\\Ann\\x.cmd', args: ['C:\\bin', '%NOPE%'] },
    });
  });

  it('warns of a $word that stays as written', async () => {
    const { target, warnings } = await configure({ command: 'sh', args: ['-c', 'echo $word'] });
    expect(target).toMatchObject({ value: { args: ['-c', 'echo $word'] } });
    expect(warnings?.[0]?.sentence).toContain('$word is not set and stays as written');
  });
});

describe('the digest of the options', () => {
  const optionsOf = async (rest: object) => (await configure({ command: 'x', ...rest })).options;

  it.each<[string, object, boolean]>([
    ['the restart rule', { patchbay: { restart: 'never' } }, true],
    ['the health checks', { patchbay: { healthTimeout: 9_000 } }, true],
    ['a call limit', { timeout: 5_000 }, true],
    ['fallbacks', { patchbay: { fallback: { t: ['b:t'] } } }, true],
    ['a default that is written out', { patchbay: { restart: 'always' } }, false],
    ['tools switched off', { patchbay: { disabledTools: ['t'] } }, false],
  ])('[PB-CFG-1] is or is not changed by %s', async (_, rest, isChanged) => {
    expect((await optionsOf(rest)) !== (await optionsOf({}))).toBe(isChanged);
  });
});

describe('[PB-DUAL-1] the protocol of an entry', () => {
  it.each<object>([{ command: 'x' }, { url: 'https://x.dev/mcp' }])(
    'is in the target of %j unless the server is asked',
    async (entry) => {
      const protocolOf = async (protocol: string) => {
        const { target } = await configure({ ...entry, patchbay: { protocol } });
        return target.ok ? (target.value.protocol ?? 'none') : target.problem.code;
      };
      expect(await Promise.all(['auto', 'legacy', 'modern', 'newest'].map(protocolOf))).toEqual([
        'none',
        'legacy',
        'modern',
        'config.invalid_schema',
      ]);
    },
  );
});

describe('the fingerprint', () => {
  const entry = { command: 'x', args: ['a', 'b'], env: { A: '1', B: '2' } };

  it.each<[string, object | string]>([
    ['the order of keys', { env: { B: '2', A: '1' }, args: ['a', 'b'], command: 'x' }],
    ['comments', `{ // new\n ${JSON.stringify(entry).slice(1)}`],
    ['being switched off', { ...entry, disabled: true }],
    ['a call limit', { ...entry, timeout: 5000 }],
    [
      'tools switched off and the restart rule',
      { ...entry, patchbay: { restart: 'never', disabledTools: ['t'] } },
    ],
    ['the protocol that is the default', { ...entry, patchbay: { protocol: 'auto' } }],
    ['unknown keys', { ...entry, autoApprove: ['t'] }],
    ['another way to write the same', { ...entry, env: { A: '${ONE:-1}', B: '2' } }],
  ])('[PB-CFG-1] is not changed by %s', async (_, other) => {
    expect(await fingerprint(other)).toBe(await fingerprint(entry));
  });

  it.each([
    ['the command', { ...entry, command: 'y' }],
    ['the order of arguments', { ...entry, args: ['b', 'a'] }],
    ['a variable', { ...entry, env: { A: '1', B: '3' } }],
    ['the folder', { ...entry, cwd: '/tmp' }],
    ['the protocol', { ...entry, patchbay: { protocol: 'legacy' } }],
  ])('[PB-CFG-1] is changed by %s', async (_, other) => {
    expect(await fingerprint(other)).not.toBe(await fingerprint(entry));
  });

  it('follows the value of a variable without showing it', async () => {
    const remote = { url: 'http://x.dev', headers: { Authorization: 'Bearer ${TOKEN}' } };
    expect(await fingerprint(remote, { TOKEN: 'a' })).not.toBe(await fingerprint(remote, { TOKEN: 'b' }));
    expect(await fingerprint(remote)).toMatch(/^[0-9a-f]{64}$/);
    expect(await fingerprint(remote, {})).toBe(await fingerprint(remote, {}));
  });
});

describe('our own options', () => {
  it('[PB-CFG-1] are warned about if unknown, with the list of known ones', async () => {
    const { target, warnings } = await configure({
      command: 'x',
      patchbay: { idelStop: 5, restart: 'always' },
    });
    expect(target.ok).toBe(true);
    expect(warnings).toHaveLength(1);
    expect(warnings?.[0]?.sentence).toMatch(
      /^patchbay\.idelStop: there is no such option; the options are .*idleStop/,
    );
  });

  it.each(['10s', true, 1.5])('[PB-CFG-1] say what is allowed instead of idleStop %s', async (idleStop) => {
    const { target } = await configure({ command: 'x', patchbay: { idleStop } });
    expect(target).toMatchObject({
      problem: {
        sentence: 'patchbay.idleStop: must be a whole number of milliseconds greater than 0, or false.',
      },
    });
  });
});
