// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { describe, expect, it } from 'vitest';
import { importBench } from '../../../helper/importer.ts';

const files: Readonly<Record<string, string>> = {
  'claude-desktop': '.config/Claude/claude_desktop_config.json',
  'claude-code': '.claude.json',
  cursor: '.cursor/mcp.json',
  vscode: '.config/Code/User/mcp.json',
  windsurf: '.codeium/windsurf/mcp_config.json',
  zed: '.config/zed/settings.json',
  cline: '.cline/mcp.json',
  roo: '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
  codex: '.codex/config.toml',
  'gemini-cli': '.gemini/settings.json',
  goose: '.config/goose/config.yaml',
  'lm-studio': '.lmstudio/mcp.json',
  junie: '.junie/mcp/mcp.json',
  opencode: '.config/opencode/opencode.jsonc',
  kiro: '.kiro/settings/mcp.json',
  'amazon-q': '.aws/amazonq/mcp.json',
  'qwen-code': '.qwen/settings.json',
  amp: '.config/amp/settings.json',
  warp: '.warp/.mcp.json',
};

/** The content of a client's file, and the entry that it becomes. */
type Row = readonly [client: string, text: string, entry: object];

const rows: readonly Row[] = [
  [
    'claude-desktop',
    '\uFEFF{"mcpServers": {"x": {"command": "npx", "args": ["-y", "s"]}}, "globalShortcut": "A"}',
    { command: 'npx', args: ['-y', 's'] },
  ],
  [
    'claude-code',
    '{"mcpServers": {"x": {"type": "http", "url": "https://h/mcp", "headers": {"A": "${A:-b}"}}}, "numStartups": 4}',
    { type: 'http', url: 'https://h/mcp', headers: { A: '${A:-b}' } },
  ],
  [
    'cursor',
    '{"mcpServers": {"x": {"command": "${userHome}/bin/s", "args": ["a${pathSeparator}b"], "env": {"A": "${env:SET}"}}}}',
    { command: '${HOME}/bin/s', args: ['a/b'], env: { A: '${env:SET}' } },
  ],
  [
    'vscode',
    '{\n  // mine\n  "servers": {"x": {"type": "stdio", "command": "s",},},}',
    { type: 'stdio', command: 's' },
  ],
  ['windsurf', '{"mcpServers": {"x": {"serverUrl": "https://h/mcp"}}}', { url: 'https://h/mcp' }],
  [
    'zed',
    '{"theme": "One", // dark\n "context_servers": {"x": {"source": "custom", "command": "s", "args": []}}}',
    { source: 'custom', command: 's', args: [] },
  ],
  [
    'cline',
    '{"mcpServers": {"x": {"command": "s", "disabled": true, "timeout": 60, "autoApprove": ["a"]}}}',
    { command: 's', disabled: true, timeout: 60_000, autoApprove: ['a'] },
  ],
  [
    'roo',
    '{"mcpServers": {"x": {"type": "streamable-http", "url": "https://h/mcp", "disabledTools": ["b"]}}}',
    { type: 'http', url: 'https://h/mcp', patchbay: { disabledTools: ['b'] } },
  ],
  [
    'codex',
    'model = "o"\n[mcp_servers.x]\nurl = "https://h/mcp"\nbearer_token_env_var = "SET"\nenv_http_headers = { B = "SET" }\nhttp_headers = { C = "d" }\ntool_timeout_sec = 60\nenabled = false\ndisabled_tools = ["t"]\n',
    {
      url: 'https://h/mcp',
      headers: { C: 'd', B: '${SET}', Authorization: 'Bearer ${SET}' },
      timeout: 60_000,
      disabled: true,
      patchbay: { disabledTools: ['t'] },
    },
  ],
  [
    'gemini-cli',
    '{"ui": {}, "mcpServers": {"x": {"httpUrl": "https://h/mcp", "headers": {"A": "$SET"}, "excludeTools": ["t"]}}}',
    { type: 'http', url: 'https://h/mcp', headers: { A: '$SET' }, patchbay: { disabledTools: ['t'] } },
  ],
  [
    'goose',
    'extensions:\n  x:\n    type: stdio\n    cmd: uvx\n    args: [s]\n    envs:\n      A: b\n    enabled: true\n    timeout: 300\n    name: x\n',
    { type: 'stdio', command: 'uvx', args: ['s'], env: { A: 'b' }, timeout: 300_000 },
  ],
  ['lm-studio', '{"mcpServers": {"x": {"url": "https://h/mcp"}}}', { url: 'https://h/mcp' }],
  ['junie', '{"mcpServers": {"x": {"command": "s"}}}', { command: 's' }],
  [
    'opencode',
    '{"theme": "x", // dark\n "mcp": {"x": {"type": "local", "command": ["bun", "x", "s"], "environment": {"A": "b"}, "enabled": false}}}',
    { type: 'stdio', command: 'bun', args: ['x', 's'], env: { A: 'b' }, disabled: true },
  ],
  [
    'kiro',
    '{"mcpServers": {"x": {"command": "s", "env": {"A": "${SET}"}, "autoApprove": ["t"], "disabledTools": ["u"]}}, "powers": {}}',
    { command: 's', env: { A: '${SET}' }, autoApprove: ['t'], patchbay: { disabledTools: ['u'] } },
  ],
  [
    'amazon-q',
    '{"mcpServers": {"x": {"command": "uvx", "args": ["s"], "timeout": 60000}}}',
    { command: 'uvx', args: ['s'], timeout: 60_000 },
  ],
  [
    'qwen-code',
    '{"mcpServers": {"x": {"httpUrl": "https://h/mcp", "timeout": 9000}}, "ui": {}}',
    { type: 'http', url: 'https://h/mcp', timeout: 9_000 },
  ],
  [
    'amp',
    '{"amp.notifications.enabled": true, "amp.mcpServers": {"x": {"command": "npx", "args": ["-y", "s"]}}}',
    { command: 'npx', args: ['-y', 's'] },
  ],
  [
    'warp',
    '{"mcpServers": {"x": {"url": "https://h/mcp", "headers": {"A": "b"}}}}',
    { url: 'https://h/mcp', headers: { A: 'b' } },
  ],
];

describe('the config of a client', () => {
  it.each(rows)('[PB-CLIENT-2] %s is found, read on demand and imported', async (client, text, entry) => {
    await using bench = await importBench();
    await bench.put(files[client] ?? '', text);
    const preview = await bench.read(client);
    expect(preview.apps).toMatchObject([{ client, servers: 1 }]);
    expect(preview.entries.map(({ key, suggested }) => [key, suggested])).toEqual([['x', true]]);
    const result = await bench.addSuggested(preview);
    expect(result).toMatchObject({ added: ['x'], failed: [] });
    expect(await bench.entry('x')).toEqual(entry);
  });

  it('[PB-CLIENT-2] of Claude Code has servers of projects too', async () => {
    await using bench = await importBench();
    const own = { command: '${workspaceFolder}/s' };
    await bench.put('.claude.json', JSON.stringify({ projects: { '/srv/a': { mcpServers: { x: own } } } }));
    const preview = await bench.read('claude-code');
    expect(preview).toMatchObject({
      entries: [{ key: 'x', project: '/srv/a' }],
      inputs: [{ id: 'workspaceFolder', kind: 'folder', default: '/srv/a' }],
    });
    await bench.addSuggested(preview);
    expect(await bench.entry('x')).toEqual({ command: '/srv/a/s' });
  });

  it.each([
    '.mcp.json',
    '.vscode/mcp.json',
    '.qwen/settings.json',
    '.amazonq/mcp.json',
    '.kiro/settings/mcp.json',
    '.warp/.mcp.json',
  ])('[PB-CLIENT-2] in %s of a workspace names it', async (file) => {
    await using bench = await importBench();
    const text = JSON.stringify({ mcpServers: { x: { command: '${workspaceFolder}/s' } } });
    const inProject = await bench.importer.readFiles([await bench.put(`proj/${file}`, text)]);
    expect(inProject.inputs).toMatchObject([{ id: 'workspaceFolder', default: `${bench.home}/proj` }]);
    const [input] = (await bench.importer.readFiles([await bench.put(file, text)])).inputs;
    expect(input).toMatchObject({ id: 'workspaceFolder' });
    expect(input?.default).toBeUndefined();
  });

  const own = { x: { command: 's' }, y: { command: 't' } };
  const lists: readonly (readonly [client: string, config: object])[] = [
    ['gemini-cli', { mcp: { excluded: ['y'] }, mcpServers: own }],
    ['gemini-cli', { mcp: { allowed: ['x'] }, mcpServers: own }],
    ['qwen-code', { excludeMCPServers: ['y'], mcpServers: own }],
    ['claude-code', { projects: { '/srv/a': { mcpServers: own, disabledMcpServers: ['y'] } } }],
    ['opencode', { mcp: own, tools: { 'y*': false } }],
  ];

  it.each(lists)(
    '[PB-CLIENT-2] %s keeps tools off that a list beside the servers turns off',
    async (client, config) => {
      await using bench = await importBench();
      await bench.put(files[client] ?? '', JSON.stringify(config));
      const result = await bench.addSuggested(await bench.read(client));
      expect(result.added).toEqual(['x', 'y']);
      expect(await bench.entry('x')).toEqual({ command: 's' });
      expect(await bench.entry('y')).toEqual({ command: 't', disabled: true });
    },
  );

  it('[PB-CLIENT-2] of Kiro has servers of powers too', async () => {
    await using bench = await importBench();
    const powers = { mcpServers: { y: { url: 'https://h/mcp' } } };
    await bench.put(files.kiro ?? '', JSON.stringify({ mcpServers: { x: { command: 's' } }, powers }));
    const { entries } = await bench.read('kiro');
    expect(entries.map(({ key }) => key)).toEqual(['x', 'y']);
  });

  it('[PB-CLIENT-2] that cannot be parsed is not changed, and its error is located', async () => {
    await using bench = await importBench();
    await bench.put(files.codex ?? '', 'model = "o"\n[mcp_servers.x\n');
    expect((await bench.read('codex')).apps).toMatchObject([
      { problem: { code: 'import.unreadable', sentence: expect.stringContaining('(line 2)') } },
    ]);
    await bench.put(files.cursor ?? '', '{"mcpServers": {"x": nope}}');
    expect((await bench.read('cursor')).apps).toMatchObject([
      { problem: { code: 'import.unreadable', sentence: expect.stringContaining('line 1, column 22') } },
    ]);
  });

  it('[PB-CLIENT-2] without servers gives an empty preview', async () => {
    await using bench = await importBench();
    await bench.put(files.zed ?? '', '{"theme": {"mode": "dark"}, "lsp": {"a": {"command": "x"}}}');
    expect((await bench.read('zed')).entries).toEqual([]);
    await bench.put(files.cursor ?? '', '');
    expect((await bench.read('cursor')).entries).toEqual([]);
  });

  it('[PB-CLIENT-2] says that Patchbay cannot run the server of a Zed extension', async () => {
    await using bench = await importBench();
    const servers = { 'mcp-server-acme': { source: 'extension', enabled: true, settings: { token: '' } } };
    await bench.put(files.zed ?? '', JSON.stringify({ context_servers: servers }));
    expect((await bench.read('zed')).entries).toMatchObject([
      {
        issues: [
          {
            severity: 'error',
            message: 'this server comes from a Zed extension; Patchbay cannot run it',
          },
        ],
      },
    ]);
  });

  it('[PB-CLIENT-2] reads `$NAME` as text if its client does, and never as a secret of ours', async () => {
    await using bench = await importBench();
    const env = { A: 'pa$SET$$word', B: '${SET}' };
    await bench.put('.claude.json', JSON.stringify({ mcpServers: { x: { command: 's', env } } }));
    await bench.addSuggested(await bench.read('claude-code'));
    const [server] = bench.config.state.servers;
    expect(server?.target).toMatchObject({ ok: true, value: { env: { A: 'pa$SET$$word', B: 'hush-hush' } } });
  });

  it('[PB-CLIENT-2] [NFR-R1] shows the servers of both where the list is in it twice', async () => {
    await using bench = await importBench();
    const text = '{"mcpServers": {"x": {"command": "s"}}, "mcpServers": {"y": {"command": "t"}}}';
    await bench.put(files.cursor ?? '', text);
    const preview = await bench.read('cursor');
    expect(preview.entries.map(({ key }) => key)).toEqual(['x', 'y']);
  });

  it('[PB-CLIENT-2] [NFR-SEC1] does not show what is secret in it', async () => {
    await using bench = await importBench();
    const canary = 'canary-4f1d';
    const x = {
      command: 'npx',
      args: ['--api-key', canary, `--token=${canary}`, `https://u:${canary}@h/?key=${canary}`],
      env: { PLAIN: canary, API_TOKEN: canary },
    };
    const y = {
      url: `https://h/hook/a1B2c3D4e5F6g7H8${canary}/mcp?token=${canary}`,
      headers: { 'X-Any': canary },
      type: canary,
    };
    await bench.put(
      files.cursor ?? '',
      JSON.stringify({ mcpServers: { x, y, z: { command: [canary, 1] } } }),
    );
    const preview = await bench.read('cursor');
    expect(preview.entries.map(({ key }) => key)).toEqual(['x', 'y', 'z']);
    expect(preview.entries[0]?.variables.map(({ name }) => name)).toEqual(['PLAIN', 'API_TOKEN']);
    expect(JSON.stringify({ ...preview, entries: preview.entries.slice(0, 2) })).not.toContain(canary);
  });
});
