// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { describe, expect, it } from 'vitest';
import { type ImportBench, importBench } from '../../../../helper/importer.ts';

const claude = '.config/Claude/claude_desktop_config.json';
const cursor = '.cursor/mcp.json';
const code = '.config/Code/User/mcp.json';
const codex = '.codex/config.toml';

const json = (servers: object, root = 'mcpServers') => JSON.stringify({ [root]: servers });
const github = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-github'] };
const originsOf = async ({ importer }: ImportBench) =>
  (await importer.readApps()).entries.map(({ key, origins }) => [key, origins.map(({ client }) => client)]);

describe('the files of all apps as one list', () => {
  it('[PB-CLIENT-2] show a server of several apps once, with all of them', async () => {
    await using bench = await importBench();
    const env = { GITHUB_TOKEN: 'ghp_0123456789abcdefghij0123456789abcdef' };
    await bench.put(claude, json({ github: { ...github, env }, files: { command: 'files' } }));
    await bench.put(cursor, json({ gh: { ...github, args: ['-y', `${github.args[1]}@latest`], env } }));
    await bench.put(codex, 'model = "o3"\n[mcp_servers.docs]\nurl = "https://docs.example/mcp"\n');
    await bench.put(code, json({ docs: { type: 'http', url: 'https://docs.example/mcp/' } }, 'servers'));
    expect(await originsOf(bench)).toEqual([
      ['github', ['claude-desktop', 'cursor']],
      ['files', ['claude-desktop']],
      ['docs', ['vscode', 'codex']],
    ]);
    const { apps, entries } = await bench.importer.readApps();
    expect(apps.map(({ title, servers }) => [title, servers])).toEqual([
      ['Claude Desktop', 2],
      ['Cursor', 1],
      ['VS Code', 1],
      ['Codex', 1],
    ]);
    expect(entries.flatMap(({ secrets }) => secrets.map(({ secretName }) => secretName))).toEqual([
      'GITHUB_TOKEN',
    ]);
  });

  it('[PB-CLIENT-2] keep different servers with the same name apart', async () => {
    await using bench = await importBench();
    await bench.put(claude, json({ github: { ...github, env: { TOKEN: 'a' } } }));
    await bench.put(cursor, json({ github: { ...github, env: { TOKEN: 'b' } } }));
    await bench.put(code, json({ github: { command: 'docker', args: ['run', 'github'] } }, 'servers'));
    expect(await originsOf(bench)).toEqual([
      ['github', ['claude-desktop']],
      ['github-cursor', ['cursor']],
      ['github-vscode', ['vscode']],
    ]);
  });

  it('[PB-CLIENT-2] [NFR-SEC1] give equal secrets one name, and use the value from one app for the input of another', async () => {
    await using bench = await importBench();
    const token = 'ghp_0123456789abcdefghij0123456789abcdef';
    await bench.put(
      code,
      JSON.stringify({
        inputs: [{ id: 'token', type: 'promptString', password: true, description: 'Token' }],
        servers: { github: { ...github, env: { GITHUB_TOKEN: '${input:token}' } } },
      }),
    );
    await bench.put(
      codex,
      `[mcp_servers.github]\ncommand = "npx"\nargs = ${JSON.stringify(github.args)}\nenv = { GITHUB_TOKEN = "${token}" }\n`,
    );
    await bench.put(cursor, json({ other: { command: 'x', env: { GITHUB_TOKEN: token } } }));
    const preview = await bench.importer.readApps();
    expect(preview.inputs).toEqual([]);
    expect(
      preview.entries.map(({ key, secrets }) => [key, secrets.map(({ secretName }) => secretName)]),
    ).toEqual([
      ['other', ['GITHUB_TOKEN']],
      ['github', ['GITHUB_TOKEN']],
    ]);
    await bench.addSuggested(preview);
    expect([...bench.vault]).toEqual([['GITHUB_TOKEN', token]]);
  });

  it('[PB-CLIENT-2] ask separately for values that two apps give the same name', async () => {
    await using bench = await importBench();
    const input = (description: string) => [{ id: 'key', type: 'promptString', description }];
    const servers = (command: string) => ({ [command]: { command, env: { K: '${input:key}' } } });
    await bench.put(code, JSON.stringify({ inputs: input('Key of one'), servers: servers('one') }));
    await bench.put(
      '.config/Code - Insiders/User/mcp.json',
      JSON.stringify({ inputs: input('Key of two'), servers: servers('two') }),
    );
    const preview = await bench.importer.readApps();
    expect(preview.inputs).toHaveLength(2);
    expect(new Set(preview.inputs.map(({ title }) => title)).size).toBe(2);
    await bench.addSuggested(preview, {
      inputs: preview.inputs.map(({ id }, index) => ({ id, value: `v${index}` })),
    });
    expect([await bench.entry('one'), await bench.entry('two')]).toMatchObject([
      { env: { K: 'v0' } },
      { env: { K: 'v1' } },
    ]);
  });

  it('[PB-CLIENT-2] report a file that cannot be read beside the servers of the others', async () => {
    await using bench = await importBench();
    await bench.put(claude, '{"mcpServers": {');
    await bench.put(cursor, json({ x: { command: 'x' } }));
    await bench.put(codex, '[broken');
    const { apps, entries } = await bench.importer.readApps();
    expect(entries.map(({ key }) => key)).toEqual(['x']);
    expect(apps.map(({ client, servers, problem }) => [client, servers, problem?.code])).toEqual([
      ['claude-desktop', 0, 'import.unreadable'],
      ['cursor', 1, undefined],
      ['codex', 0, 'import.unreadable'],
    ]);
  });

  it('[PB-CLIENT-2] name a secret by the server only where its own name does not begin with it', async () => {
    await using bench = await importBench();
    const headers = { CONTEXT7_API_KEY: 'ctx7sk-0123456789abcdef', 'X-Api-Key': 'k-0123456789abcdef' };
    await bench.put(cursor, json({ context7: { url: 'https://mcp.example/mcp', headers } }));
    const { entries } = await bench.importer.readApps();
    expect(entries[0]?.secrets.map(({ secretName }) => secretName)).toEqual([
      'CONTEXT7_API_KEY',
      'CONTEXT7_API_KEY_2',
    ]);
  });

  it('[PB-CLIENT-2] leave Patchbay itself out, and mark what it has', async () => {
    const have = { command: 'x', args: ['y'] };
    await using bench = await importBench({ servers: { mine: have } });
    const ours = { command: `${bench.dir}/bin/patchbay-bridge`, args: ['--client', 'cursor'] };
    await bench.put(cursor, json({ patchbay: ours, theirs: have, mine: { command: 'z' } }));
    const { apps, entries } = await bench.importer.readApps();
    expect(apps).toMatchObject([{ servers: 2 }]);
    expect(entries.map(({ writtenKey, duplicate, suggested }) => [writtenKey, duplicate, suggested])).toEqual(
      [
        ['theirs', { kind: 'target', key: 'mine' }, false],
        ['mine', { kind: 'key', key: 'mine', same: false }, true],
      ],
    );
  });

  it('[PB-CLIENT-2] mark what belongs to a project, unless an app has it for all', async () => {
    await using bench = await importBench();
    const [a, b] = [{ command: 'a' }, { command: 'b' }];
    await bench.put(
      '.claude.json',
      JSON.stringify({ mcpServers: {}, projects: { '/p': { mcpServers: { a, b } } } }),
    );
    await bench.put(cursor, json({ a }));
    const { entries } = await bench.importer.readApps();
    expect(entries.map(({ key, project }) => [key, project])).toEqual([
      ['a', undefined],
      ['b', '/p'],
    ]);
  });
});
