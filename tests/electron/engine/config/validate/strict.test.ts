// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readStrictConfig } from '../../../../../electron/engine/config/validate/strict.ts';
import { ConfigError } from '../../../../../shared/error/config-error.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

const env = { HOME: '/home/ann', USERPROFILE: '/home/ann', API_KEY: 'hush-hush', EMPTY: '' };

async function read(config: unknown, extra: Record<string, string> = {}) {
  await using folder = await tempDir();
  const file = join(folder.path, 'config.json');
  await writeFile(
    file,
    typeof config === 'string' || Buffer.isBuffer(config) ? config : JSON.stringify(config, undefined, 2),
  );
  for (const [name, text] of Object.entries(extra)) await writeFile(join(folder.path, name), text);
  return await readStrictConfig(file, env);
}

it('[FR-001] reads a config in UTF-16, and refuses one in another encoding', async () => {
  const config = '{"mcpServers":{"é":{"command":"node"}}}';
  expect((await read(Buffer.from(`\uFEFF${config}`, 'utf16le'))).servers[0]?.key).toBe('é');
  expect((await refusal(Buffer.from(config, 'latin1'))).message).toContain('neither UTF-8 nor UTF-16');
});

async function refusal(config: unknown): Promise<ConfigError> {
  const outcome = await read(config).catch((error: unknown) => error);
  if (outcome instanceof ConfigError) return outcome;
  throw new Error('the config was not refused');
}

describe('readStrictConfig', () => {
  it('[FR-001][FR-013] reads a standard config with nothing but command, args and env', async () => {
    const { servers, warnings } = await read({
      mcpServers: {
        filesystem: {
          command: 'npx',
          args: ['-y', 'server-filesystem', '/home/user'],
          env: { LOG_LEVEL: 'info' },
        },
        bare: { command: 'node' },
      },
    });
    expect(servers).toEqual([
      {
        key: 'filesystem',
        display: 'npx -y server-filesystem /home/user',
        target: {
          kind: 'stdio',
          command: 'npx',
          args: ['-y', 'server-filesystem', '/home/user'],
          env: { LOG_LEVEL: 'info' },
        },
      },
      { key: 'bare', display: 'node', target: { kind: 'stdio', command: 'node', args: [], env: {} } },
    ]);
    expect(warnings).toEqual([]);
  });

  it('[FR-002][FR-011] expands variables in command, args, env and cwd', async () => {
    const { servers } = await read({
      mcpServers: {
        a: {
          command: '$HOME/bin/run',
          args: ['--key=${API_KEY}', '~/data', '~', '${NOPE:-none}', '$5', '$(date)'],
          env: { KEY: '${env:API_KEY}', LITERAL: '$$API_KEY' },
          cwd: '~/work',
          timeout: 60_000,
        },
      },
    });
    expect(servers[0]).toMatchObject({
      callTimeout: 60_000,
      target: {
        command: '/home/ann/bin/run',
        args: ['--key=hush-hush', '/home/ann/data', '~', 'none', '$5', '$(date)'],
        env: { KEY: 'hush-hush', LITERAL: '$API_KEY' },
        // Windows adds the drive of the config's folder.
        cwd: resolve(tmpdir(), '/home/ann/work'),
      },
    });
    expect(servers[0]?.display).not.toContain('hush');
  });

  it('[FR-002][ERR-1] stops at missing variables, naming every one with its place', async () => {
    const error = await refusal(
      '{\n  "mcpServers": {\n    "postgres": {\n      "command": "$BIN",\n      "args": ["${URL_A}"],\n' +
        '      "env": { "DATABASE_URL": "${DATABASE_URL}", "KEY": "$API_KEY" }\n    }\n  }\n}',
    );
    expect(error.code).toBe('missing_env_var');
    expect(error.issues.map(({ variable, path, line }) => [variable, path, line])).toEqual([
      ['BIN', 'mcpServers.postgres.command', 4],
      ['URL_A', 'mcpServers.postgres.args.0', 5],
      ['DATABASE_URL', 'mcpServers.postgres.env.DATABASE_URL', 6],
    ]);
    expect(error.message).toContain(
      'Missing environment variable: DATABASE_URL (mcpServers.postgres.env.DATABASE_URL, line 6, column 32)',
    );
  });

  it('[US1.4][ERR-1] names line and column of invalid JSON', async () => {
    const error = await refusal('{\n  "mcpServers": {\n    "a": { "command": "x" }\n    "b": {}\n  }\n}');
    expect(error.code).toBe('invalid_json');
    expect(error.issues[0]).toMatchObject({ line: 4, column: 5 });
    expect(error.message).toContain('line 4, column 5');
  });

  it('[FR-010][SC-005][ERR-1] reports all errors of a file at once', async () => {
    const error = await refusal({
      mcpServers: {
        '': { command: 'x' },
        'a:b': { command: 'x' },
        none: {},
        text: 'npx',
        kinds: { command: 5, args: 7, env: ['x'], cwd: 1, disabled: 'maybe', timeout: -1 },
        items: { command: 'x', args: [[], {}], env: { A: [], B: { c: 1 }, 'X=Y': 'z' } },
        npx: { type: 'npx', args: ['-y'] },
        both: { command: 'x', url: 'http://localhost' },
        missing: { command: '$GONE' },
        fine: { command: 'x' },
      },
    });
    expect(error.code).toBe('invalid_schema');
    expect(error.issues.map(({ path }) => path)).toEqual([
      'mcpServers.',
      'mcpServers.a:b',
      'mcpServers.none.command',
      'mcpServers.text',
      'mcpServers.kinds.command',
      'mcpServers.kinds.args',
      'mcpServers.kinds.env',
      'mcpServers.kinds.cwd',
      'mcpServers.kinds.disabled',
      'mcpServers.items.args.0',
      'mcpServers.items.args.1',
      'mcpServers.items.env.A',
      'mcpServers.items.env.B',
      'mcpServers.items.env.X=Y',
      'mcpServers.npx.type',
      'mcpServers.npx.command',
      'mcpServers.both.url',
      'mcpServers.both.url',
      'mcpServers.missing.command',
    ]);
    expect(error.issues.every(({ line, column }) => line !== undefined && column !== undefined)).toBe(true);
    expect(error.message).toContain('must be a list (mcpServers.kinds.args, line ');
  });

  it.each([
    ['[]', 'the config must be an object'],
    ['{}', 'mcpServers is missing'],
    ['{"servers": {}}', 'mcpServers is missing; rename "servers" if it holds the servers'],
    ['{"MCPServers": {}}', 'mcpServers is missing; rename "MCPServers" if it holds the servers'],
    [
      '{"mcpServers": {"a": {"command": "x\\u0000"}}}',
      'must not contain a null character (mcpServers.a.command',
    ],
    ['{"mcpServers": {"a": {"command": "x", "args": ["\\u0000"]}}}', '(mcpServers.a.args.0, line 1'],
    ['{"mcpServers": {"a": {"command": "x", "env": {"B": "\\u0000"}}}}', '(mcpServers.a.env.B, line 1'],
    ['{"mcpServers": [1]}', 'mcpServers must be an object'],
    ['{"mcpServers": "x"}', 'mcpServers must be an object'],
    ['{"mcpServers": {}, "mcpServers": {}}', 'mcpServers is written twice'],
  ])('[FR-010] refuses %s', async (text, message) => {
    const error = await refusal(text);
    expect(error.code).toBe('invalid_schema');
    expect(error.message).toContain(message);
  });

  it.each(['null', '[]'])('[PB-CFG-1] reads %s for no servers', async (nothing) => {
    expect((await read(`{"mcpServers": ${nothing}}`)).servers).toEqual([]);
  });

  it.each<[string, object, object]>([
    ['args: null', { args: null }, { args: [] }],
    ['args as one text', { args: '-y "a b"' }, { args: ['-y', 'a b'] }],
    ['args as a list in one text', { args: '["-y", "a b"]' }, { args: ['-y', 'a b'] }],
    ['args: {}', { args: {} }, { args: [] }],
    ['null among args', { args: ['a', null] }, { args: ['a'] }],
    ['env: null', { env: null }, { env: {} }],
    ['env: []', { env: [] }, { env: {} }],
    ['null in env', { env: { A: null, B: 'b' } }, { env: { B: 'b' } }],
    [
      'cwd, url, headers, type and patchbay: null',
      { cwd: null, url: null, headers: null, type: null, patchbay: null },
      {},
    ],
    ['null among our options', { patchbay: { restart: null, oauth: { clientId: null } } }, {}],
    ['headers: []', { headers: [] }, {}],
    ['disabled: null', { disabled: null }, {}],
    ['disabled: "false"', { disabled: 'false' }, {}],
    ['disabled: 0', { disabled: 0 }, {}],
    ['timeout: null', { timeout: null }, {}],
    ['a timeout that is no time', { timeout: -1 }, {}],
    ['a timeout of another type', { timeout: [5] }, {}],
    ['empty texts of a form', { url: '', cwd: '', type: '', envFile: '' }, {}],
    ['space around the program', { command: ' x ' }, {}],
    ['quotes around the program', { command: '"x"' }, {}],
    ['a type in capitals', { type: 'STDIO' }, {}],
    ['the type of another program', { type: 'local' }, {}],
    ['a program with its arguments as a list', { command: ['x', 'a'], args: ['b'] }, { args: ['a', 'b'] }],
  ])('[PB-CFG-1] takes %s for what it stands for', async (_, part, target) => {
    const { servers } = await read(JSON.stringify({ mcpServers: { x: { command: 'x', ...part } } }));
    expect(servers).toMatchObject([{ key: 'x', target: { kind: 'stdio', command: 'x', ...target } }]);
  });

  it.each<[string, object]>([
    ['disabled: "true"', { disabled: 'true' }],
    ['disabled: 1', { disabled: 1 }],
  ])('[PB-CFG-1] %s is off', async (_, part) => {
    expect((await read(JSON.stringify({ mcpServers: { x: { command: 'x', ...part } } }))).servers).toEqual(
      [],
    );
  });

  it('[PB-CFG-1] reads a timeout that is written as a text, and says so', async () => {
    const { servers, warnings } = await read('{"mcpServers": {"x": {"command": "x", "timeout": "3000"}}}');
    expect(servers).toMatchObject([{ callTimeout: 3000 }]);
    expect(warnings).toMatchObject([{ path: 'mcpServers.x.timeout' }]);
  });

  it.each([
    ['"60s"', 60_000],
    ['"2 min"', 120_000],
    ['"500ms"', 500],
    ['"1.5s"', 1500],
    ['"30 seconds"', 30_000],
    ['"2 hours"', 7_200_000],
    ['"1m30s"', 90_000],
  ])('[PB-CFG-1] reads the unit of the timeout %s', async (timeout, expected) => {
    const { servers } = await read(`{"mcpServers": {"x": {"command": "x", "timeout": ${timeout}}}}`);
    expect(servers).toMatchObject([{ callTimeout: expected }]);
  });

  it('[PB-CFG-1] splits a program from the arguments in its field, with a warning', async () => {
    const { servers, warnings } = await read({ mcpServers: { x: { command: 'npx -y srv', args: ['dir'] } } });
    expect(servers).toMatchObject([{ target: { command: 'npx', args: ['-y', 'srv', 'dir'] } }]);
    expect(warnings).toMatchObject([{ path: 'mcpServers.x.command' }]);
  });

  it.each(['"//": "a remark"', '"_comment": ["a", "b"]', '"#x": true', '"old": null'])(
    '[PB-CFG-1] takes %s among the servers for none',
    async (remark) => {
      const { servers, warnings } = await read(`{"mcpServers": {${remark}, "x": {"command": "x"}}}`);
      expect([servers.map(({ key }) => key), warnings]).toEqual([['x'], []]);
    },
  );

  it('[FR-010] names both lines of a repeated server', async () => {
    const error = await refusal('{"mcpServers": {\n"a": {"command": "x"},\n"a": {"command": "y"}\n}}');
    expect(error.issues).toHaveLength(1);
    expect(error.message).toContain('"a" is written 2 times, on lines 2 and 3');
  });

  it('[FR-014] refuses servers with a url, by name', async () => {
    const error = await refusal({
      mcpServers: {
        local: { command: 'x' },
        remote: { url: 'https://x.dev/mcp' },
        sse: { type: 'sse', url: 'http://y' },
      },
    });
    expect(error.code).toBe('invalid_schema');
    expect(error.issues.map(({ path }) => path)).toEqual(['mcpServers.remote.url', 'mcpServers.sse.url']);
    expect(error.message).toContain('"remote" has a url, but this command runs only stdio servers');
  });

  it('skips what is disabled, whatever it would need', async () => {
    const { servers } = await read({
      mcpServers: {
        off: { command: '$GONE', disabled: true },
        remote: { url: 'https://x.dev', disabled: true },
        on: { command: 'x', disabled: false },
      },
    });
    expect(servers.map(({ key }) => key)).toEqual(['on']);
  });

  it('[FR-010] reads an entry whose type has no text', async () => {
    const type = { toString: null };
    const text = JSON.stringify({ mcpServers: { a: { command: 'x', type }, b: { command: 'y' } } });
    await expect(read(text)).resolves.toMatchObject({ servers: [{ key: 'a' }, { key: 'b' }] });
  });

  it('[US2.3][US2.4] keeps keys to the letter and takes one binary under two keys', async () => {
    const keys = ['github.com/x/y', 'ключ 🔌', 'Case', 'case', '__proto__', 'constructor'];
    const entries = keys.map((key) => `${JSON.stringify(key)}: {"command": "x"}`);
    const { servers } = await read(`{"mcpServers": {${entries.join(',')}}}`);
    expect(servers.map(({ key }) => key)).toEqual(keys);
  });

  it('reads numbers and booleans in texts as written, with a warning', async () => {
    const { servers, warnings } = await read(
      '{"mcpServers": {"a": {"command": "x", "args": ["--port", 8080], "env": {"V": 1.10, "B": true}}}}',
    );
    expect(servers[0]?.target).toMatchObject({ args: ['--port', '8080'], env: { V: '1.10', B: 'true' } });
    expect(warnings.map(({ path }) => path)).toEqual([
      'mcpServers.a.args.1',
      'mcpServers.a.env.V',
      'mcpServers.a.env.B',
    ]);
  });

  it('[FR-011] adds the variables of envFile under those of env', async () => {
    const { servers } = await read(
      { mcpServers: { a: { command: 'x', envFile: 'my.env', env: { B: 'entry' } } } },
      { 'my.env': '\uFEFFA="one two"\nB=file\n# note\nexport C=$HOME\n' },
    );
    expect(servers[0]?.target.env).toEqual({ A: 'one two', B: 'entry', C: '$HOME' });
  });

  it('names an envFile that cannot be read', async () => {
    const error = await refusal({ mcpServers: { a: { command: 'x', envFile: '${API_KEY}.env' } } });
    expect(error.issues[0]).toMatchObject({ path: 'mcpServers.a.envFile', code: 'invalid_schema' });
    expect(error.message).not.toContain('hush');
  });

  it('[ERR-1] tells a missing file from others that cannot be read', async () => {
    await using folder = await tempDir();
    const missing = join(folder.path, 'nope.json');
    await expect(readStrictConfig(missing, env)).rejects.toMatchObject({
      code: 'file_not_found',
      message: `Config file not found: ${missing}`,
    });
    await mkdir(join(folder.path, 'dir.json'));
    await expect(readStrictConfig(join(folder.path, 'dir.json'), env)).rejects.toThrow(
      `Config file is a folder: ${join(folder.path, 'dir.json')}`,
    );
  });

  it.runIf(process.platform !== 'win32')('[FR-001] reads from a pipe, as shells make one', async () => {
    await using folder = await tempDir();
    const pipe = join(folder.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const [config] = await Promise.all([
      readStrictConfig(pipe, env),
      writeFile(pipe, '{"mcpServers": {"a": {"command": "x"}}}'),
    ]);
    expect(config.servers.map(({ key }) => key)).toEqual(['a']);
  });

  it('[NFR-SEC1] names the values of secret variables, and what was written with variables', async () => {
    const { servers } = await read({
      mcpServers: {
        a: { command: '${HOME}/x', args: ['${API_KEY}', '${NO_TOKEN:-made-up}'], cwd: '$HOME' },
        b: { command: '~/x', cwd: 'y', env: { A: '$EMPTY' } },
      },
    });
    expect(servers[0]).toMatchObject({
      secrets: ['hush-hush', 'made-up'],
      written: { command: '${HOME}/x', cwd: '$HOME' },
    });
    expect(servers[1]).not.toHaveProperty('secrets');
    expect(servers[1]).not.toHaveProperty('written');
  });

  it('never repeats a value of env or headers in an error', async () => {
    const error = await refusal({
      mcpServers: {
        a: {
          command: 'x',
          env: { K: ['hidden-1'], L: '${GONE}hidden-2' },
          headers: { H: { x: 'hidden-3' } },
        },
        b: { command: 'hidden-4 ${API_KEY} ${GONE}' },
      },
    });
    expect(JSON.stringify(error.issues) + error.message).not.toMatch(/hidden|hush/);
  });
});
