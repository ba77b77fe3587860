// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { describe, expect, it } from 'vitest';
import { importBench } from '../../../helper/importer.ts';

const text = (servers: object) => JSON.stringify({ mcpServers: servers });
const npx = { command: 'npx', args: ['-y', 's'] };

describe('an import', () => {
  it('[NFR-SEC1] warns if a text would get a secret that is already stored', async () => {
    await using bench = await importBench();
    bench.vault.set('MINE', 'hush');
    const taken = { url: 'https://h/mcp', headers: { A: 'Bearer ${secret:MINE} ${secret:OTHER}' } };
    const { entries } = await bench.importer.parse(text({ x: taken }));
    const said = entries[0]?.issues.map(({ message }) => message).join('\n');
    expect(said).toContain('receives your stored secret MINE');
    expect(said).not.toContain('stored secret OTHER');
  });

  it('[PB-CLIENT-2] recognizes existing servers: the same key, and the same target under another one', async () => {
    const servers = { a: npx, b: { url: 'https://h/mcp' }, c: { command: 'other' } };
    await using bench = await importBench({ servers });
    const found = { a: npx, b: { command: 'x' }, d: { command: 'other', args: [] }, e: { command: 'new' } };
    const { entries } = await bench.importer.parse(text(found));
    expect(entries.map(({ key, duplicate, suggested }) => [key, duplicate, suggested])).toEqual([
      ['a-2', { kind: 'key', key: 'a', same: true }, false],
      ['b-2', { kind: 'key', key: 'b', same: false }, true],
      ['d', { kind: 'target', key: 'c' }, false],
      ['e', undefined, true],
    ]);
  });

  it('[PB-CLIENT-2] reads several files as one list, whatever they are, and tells of one that cannot be read', async () => {
    await using bench = await importBench();
    const a = await bench.put('a.json', text({ one: npx, two: { command: 'two' } }));
    const b = await bench.put(
      'b.toml',
      '[mcp_servers.three]\ncommand = "three"\n[mcp_servers.again]\ncommand = "two"\n',
    );
    const gone = `${bench.home}/gone.json`;
    const { entries, issues, title } = await bench.importer.readFiles([a, b, gone]);
    expect(entries.map(({ key }) => key)).toEqual(['one', 'two', 'three']);
    expect(title).toBe('a.json, b.toml, gone.json');
    expect(issues).toMatchObject([
      { path: 'gone.json', message: expect.stringContaining('there is no such file') },
    ]);
    await expect(bench.importer.readFiles([gone])).rejects.toMatchObject({
      problem: { code: 'import.unreadable', fix: expect.stringContaining('patchbay import -') },
    });
  });

  it('[PB-CLIENT-2] recognizes a server that needs a value, and a namesake with another key', async () => {
    await using bench = await importBench();
    const env = { API_KEY: '<YOUR_API_KEY>' };
    const token = ['x.js', '--token', 'sk-argSECRETvalue1234567890'];
    const waits = text({
      plain: { command: 'node', args: token, env },
      open: { command: 'node', args: ['y.js', '--key', '<YOUR_KEY>'] },
    });
    const twice = '{"mcpServers":{"two":{"command":"a"},"two":{"command":"b"}}}';
    for (const source of [waits, twice]) {
      await bench.addSuggested(await bench.importer.parse(source));
      const { entries } = await bench.importer.parse(source);
      expect(entries.map(({ suggested }) => suggested)).toEqual([false, false]);
    }
    const other = text({
      plain: { command: 'node', args: ['x.js', '--token', 'sk-otherSECRET987654321'], env },
    });
    expect((await bench.importer.parse(other)).entries).toMatchObject([{ suggested: true }]);
  });

  it('[PB-CLIENT-2] rejects a folder with its own message, and a program as not a text', async () => {
    await using bench = await importBench();
    await bench.put('folder/x', '');
    await expect(bench.importer.readFiles([`${bench.home}/folder`])).rejects.toMatchObject({
      problem: { code: 'import.unreadable', sentence: expect.stringContaining('it is a folder, not a file') },
    });
    const bytes = Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 167 + (at >> 8)) % 256));
    const { entries, issues } = await bench.importer.readFiles([await bench.put('x.bin', bytes)]);
    expect(entries).toEqual([]);
    expect(issues).toMatchObject([{ message: expect.stringContaining('This is not a text file') }]);
  });

  it('[PB-CLIENT-2] keeps a name of several words for people, beside a key that every client takes', async () => {
    await using bench = await importBench();
    const preview = await bench.importer.parse(
      text({ 'My Files': npx, plain: npx, a1b2: { ...npx, name: 'Team wiki' }, 'x/y z': npx }),
    );
    expect(preview.entries.map(({ key, title }) => [key, title])).toEqual([
      ['My-Files', 'My Files'],
      ['plain', undefined],
      ['a1b2', 'Team wiki'],
      ['y-z', undefined],
    ]);
    await bench.addSuggested(preview);
    expect(await bench.entry('My-Files')).toEqual({ ...npx, patchbay: { title: 'My Files' } });
    expect(await bench.entry('plain')).toEqual(npx);
    const titles = bench.config.state.servers.map(({ key, title }) => [key, title]);
    expect(titles).toEqual([
      ['My-Files', 'My Files'],
      ['plain', undefined],
      ['a1b2', 'Team wiki'],
      ['y-z', undefined],
    ]);
  });

  it('[PB-CLIENT-2] [NFR-SEC1] adds a server that needs a value, which no other server gets', async () => {
    await using bench = await importBench();
    bench.vault.set('B_TOKEN', 'of another service');
    const entry = { ...npx, env: { A_TOKEN: 'YOUR_A_TOKEN', B_TOKEN: '<B_TOKEN>', C: '${input:my folder}' } };
    const preview = await bench.importer.parse(text({ x: entry, y: { ...npx, env: { A_TOKEN: '' } } }));
    const inputs = [{ id: 'fill:B_TOKEN', value: '', secretName: 'B_TOKEN' }];
    const { added, waiting, secrets, undoId = '' } = await bench.addSuggested(preview, { inputs });
    expect({ added, secrets }).toEqual({ added: ['x', 'y'], secrets: [] });
    expect(waiting).toEqual([
      { key: 'x', values: ['A_TOKEN', 'B_TOKEN_2', 'my-folder'] },
      { key: 'y', values: ['A_TOKEN'] },
    ]);
    const env = { A_TOKEN: '${secret:A_TOKEN}', B_TOKEN: '${secret:B_TOKEN_2}', C: '${input:my-folder}' };
    expect(await bench.entry('x')).toEqual({ ...npx, env });
    expect(bench.config.state.servers.map(({ target }) => target.ok)).toEqual([false, false]);

    const again = await bench.importer.parse(text({ z: { url: 'https://h', headers: { 'A-Token': '' } } }));
    await bench.addSuggested(again, { inputs: [{ id: 'fill:A-Token', value: '', secretName: 'A_TOKEN' }] });
    expect(await bench.entry('z')).toMatchObject({ headers: { 'A-Token': '${secret:A_TOKEN_2}' } });
    await bench.importer.undo(undoId);
    expect(await bench.entry('x')).toBeUndefined();
  });

  it('[PB-CLIENT-2] [NFR-SEC1] recognizes what it has imported, with its secrets stored and its inputs answered', async () => {
    await using bench = await importBench();
    const source = JSON.stringify({
      inputs: [{ id: 'k', type: 'promptString' }],
      servers: { x: { ...npx, env: { A_TOKEN: 'hush' } }, y: { url: 'https://h/${input:k}' } },
    });
    const first = await bench.importer.parse(source);
    await bench.addSuggested(first, { inputs: [{ id: 'input:k', value: 'mcp' }] });
    expect(await bench.entry('x')).toEqual({ ...npx, env: { A_TOKEN: '${secret:A_TOKEN}' } });
    const again = await bench.importer.parse(source);
    expect(again.entries[0]?.duplicate).toEqual({ kind: 'key', key: 'x', same: true });
    expect(again.entries[0]?.secrets[0]?.secretName).toBe('A_TOKEN');
  });

  it('[PB-CLIENT-2] [NFR-SEC1] gives different secrets different names, equal ones the same, and never replaces a stored one', async () => {
    await using bench = await importBench();
    bench.vault.set('TOKEN', 'taken');
    const servers = {
      x: { command: 'x', env: { TOKEN: 'value-one' } },
      y: { command: 'y', env: { TOKEN: 'value-two' } },
      z: { command: 'z', env: { OTHER_TOKEN: 'value-one' } },
    };
    const preview = await bench.importer.parse(text(servers));
    expect(preview.entries.flatMap(({ secrets }) => secrets.map(({ secretName }) => secretName))).toEqual([
      'TOKEN_2',
      'TOKEN_3',
      'TOKEN_2',
    ]);
    await bench.addSuggested(preview);
    expect(Object.fromEntries(bench.vault)).toEqual({
      TOKEN: 'taken',
      TOKEN_2: 'value-one',
      TOKEN_3: 'value-two',
    });
    expect(await bench.entry('z')).toEqual({ command: 'z', env: { OTHER_TOKEN: '${secret:TOKEN_2}' } });
  });

  it('[PB-CLIENT-2] leaves secrets where they are when asked to, and refuses a name that is another secret’s', async () => {
    await using bench = await importBench();
    bench.vault.set('MINE', 'taken');
    const x = { command: 'x', env: { A_TOKEN: 'hush' } };
    const preview = await bench.importer.parse(text({ x }));
    const [entry] = preview.entries;
    const id = entry?.secrets[0]?.id ?? '';
    const refused = await bench.addSuggested(preview, {
      entries: [{ id: '0', key: 'x', secrets: [{ id, secretName: 'MINE' }] }],
    });
    expect(refused).toMatchObject({ added: [], failed: [{ key: 'x', problem: { code: 'secret.exists' } }] });
    await bench.addSuggested(preview, { entries: [{ id: '0', key: 'x', secrets: [] }] });
    expect(await bench.entry('x')).toEqual(x);
    expect(bench.vault.get('MINE')).toBe('taken');
  });

  it('[PB-CLIENT-2] adds the others when one cannot be added, and leaves nothing of that one', async () => {
    await using bench = await importBench({ servers: { taken: { command: 't' } } });
    const preview = await bench.importer.parse(
      text({ x: { command: 'x', env: { A_TOKEN: 'hush' } }, y: { command: 'y' } }),
    );
    const secrets = preview.entries[0]?.secrets.map(({ id, secretName }) => ({ id, secretName })) ?? [];
    const result = await bench.addSuggested(preview, {
      entries: [
        { id: '0', key: 'taken', secrets },
        { id: '1', key: 'y', secrets: [] },
        { id: '9', key: 'nothing', secrets: [] },
      ],
    });
    expect(result).toMatchObject({ added: ['y'], failed: [{ key: 'taken' }], secrets: [] });
    expect(bench.vault.size).toBe(0);
  });

  it('[PB-CLIENT-2] is undone whole: servers and secrets, but not what is used elsewhere', async () => {
    await using bench = await importBench();
    const preview = await bench.importer.parse(
      text({ x: { command: 'x', env: { A_TOKEN: 'value-one', B_TOKEN: 'value-two' } } }),
    );
    const { undoId = '', secrets } = await bench.addSuggested(preview);
    expect(secrets).toEqual(['A_TOKEN', 'B_TOKEN']);
    await bench.config.add([{ key: 'mine', entry: { command: 'm', args: ['${secret:B_TOKEN}'] } }]);
    await bench.importer.undo(undoId);
    expect(bench.config.state.servers.map(({ key }) => key)).toEqual(['mine']);
    expect([...bench.vault.keys()]).toEqual(['B_TOKEN']);
    await expect(bench.importer.undo(undoId)).rejects.toMatchObject({ problem: { code: 'import.closed' } });
  });

  it('[PB-CLIENT-2] ends when its session is closed', async () => {
    await using bench = await importBench();
    const preview = await bench.importer.parse(text({ x: npx }));
    bench.importer.close(preview.session);
    await expect(bench.addSuggested(preview)).rejects.toMatchObject({ problem: { code: 'import.closed' } });
  });

  it('[PB-CLIENT-2] does not take our own entry for a server', async () => {
    await using bench = await importBench();
    const ours = { command: '/opt/Patchbay/resources/bin/patchbay-bridge', args: ['--client', 'cursor'] };
    const { entries } = await bench.importer.parse(text({ patchbay: ours }));
    expect(entries).toMatchObject([{ suggested: false, issues: [{ severity: 'error' }] }]);
  });
});

describe('an open value of a source', () => {
  it('[PB-CLIENT-2] is asked for once, and put wherever it is wanted', async () => {
    await using bench = await importBench();
    const file = await bench.put(
      'proj/.vscode/mcp.json',
      JSON.stringify({
        inputs: [
          { id: 'region', type: 'pickString', options: ['eu', { label: 'US', value: 'us' }], default: 'us' },
          { id: 'note', type: 'promptString', description: 'Any text' },
        ],
        servers: {
          x: {
            command: '${workspaceFolder}/run',
            args: [
              '--in',
              '${workspaceFolder:proj}/a',
              '--name=${workspaceFolderBasename}',
              '${command:pick.it}',
            ],
            env: { R: '${input:region}', N: '<${input:note}>', K: '${input:apiKey}', F: '${file:~/.key}' },
          },
          y: { command: 'y', args: ['${{ secrets.CONTINUE_KEY }}', '%APPDATA%\\y', '%SET%', '100%a%'] },
        },
      }),
    );
    const preview = await bench.importer.readFiles([file]);
    expect(preview.inputs.map(({ id, kind, default: preset }) => [id, kind, preset])).toEqual([
      ['workspaceFolder', 'folder', `${bench.home}/proj`],
      ['command:pick.it', 'text', undefined],
      ['input:region', 'choice', 'us'],
      ['input:note', 'text', undefined],
      ['input:apiKey', 'password', undefined],
      ['file:~/.key', 'password', undefined],
      ['secret:CONTINUE_KEY', 'password', undefined],
      ['variable:APPDATA', 'text', undefined],
    ]);
    const inputs = [
      { id: 'command:pick.it', value: 'it' },
      { id: 'input:note', value: '$SET ${HOME} ${input:region}' },
      { id: 'input:apiKey', value: 'k', secretName: 'APIKEY' },
      { id: 'file:~/.key', value: 'f', secretName: 'FILE_KEY' },
      { id: 'secret:CONTINUE_KEY', value: 'c' },
      { id: 'variable:APPDATA', value: '/data' },
    ];
    expect((await bench.addSuggested(preview, { inputs })).failed).toEqual([]);
    const [x, y] = bench.config.state.servers;
    const folder = `${bench.home}/proj`;
    expect(x?.target).toMatchObject({
      ok: true,
      value: {
        command: `${folder}/run`,
        args: ['--in', `${folder}/a`, '--name=proj', 'it'],
        env: { R: 'us', N: '<$SET ${HOME} ${input:region}>', K: 'k', F: 'f' },
      },
    });
    expect(y?.target).toMatchObject({ ok: true, value: { args: ['c', '/data\\y', 'hush-hush', '100%a%'] } });
  });

  it('[PB-CLIENT-2] stays a reference on Windows where it is one there', async () => {
    await using bench = await importBench({ platform: 'win32', env: { USERPROFILE: 'C:\\Users\\ann' } });
    await bench.addSuggested(
      await bench.importer.parse(text({ x: { command: '${userHome}${pathSeparator}s', args: ['%SET%'] } })),
    );
    expect(await bench.entry('x')).toEqual({ command: '${USERPROFILE}\\s', args: ['%SET%'] });
  });

  it('[PB-CLIENT-2] asks for what goose stores in its keychain', async () => {
    await using bench = await importBench();
    const yaml =
      'extensions:\n  dev:\n    type: builtin\n  gh:\n    type: stdio\n    cmd: npx\n    args: [s]\n    env_keys: [GITHUB_TOKEN]\n';
    const preview = await bench.importer.parse(yaml);
    expect(preview.entries.map(({ key, suggested }) => [key, suggested])).toEqual([
      ['dev', false],
      ['gh', true],
    ]);
    const inputs = [{ id: 'goose:GITHUB_TOKEN', value: 'hush', secretName: 'GITHUB_TOKEN' }];
    await bench.addSuggested(preview, { inputs });
    expect(await bench.entry('gh')).toEqual({
      type: 'stdio',
      command: 'npx',
      args: ['s'],
      env: { GITHUB_TOKEN: '${secret:GITHUB_TOKEN}' },
    });
  });
});

describe('instructions', () => {
  it.each([
    [
      'TOML in a fence',
      'Add to your config:\n\n```toml\n[mcp_servers.x]\ncommand = "npx"\nargs = ["-y", "s"]\n```\n',
    ],
    ['YAML with a list', 'mcpServers:\n  - name: x\n    command: npx\n    args: ["-y", "s"]\n'],
    ['JSON in prose', 'Put {"mcpServers": {"x": {"command": "npx", "args": ["-y", "s"]}}} there.'],
    ['typographic quotes', '{“mcpServers”: {“x”: {“command”: “npx”, “args”: [“-y”, “s”]}}}'],
  ])('[PB-CLIENT-2] are read: %s', async (_what, given) => {
    await using bench = await importBench();
    await bench.addSuggested(await bench.importer.parse(given));
    expect(await bench.entry('x')).toEqual(npx);
  });

  it.each([
    ['nothing', '', 'No MCP server'],
    ['prose', 'Install it with npm.', 'No MCP server'],
    ['broken JSON', '{"mcpServers": {', 'Not valid JSON'],
    ['broken TOML', '[mcp_servers.x]\ncommand = npx', 'Not valid TOML'],
    ['broken YAML', 'extensions:\n  x: {\n', 'Not valid YAML'],
  ])('[PB-CLIENT-2] that hold none say so: %s', async (_what, given, message) => {
    await using bench = await importBench();
    const preview = await bench.importer.parse(given);
    expect(preview).toMatchObject({ entries: [], issues: [{ severity: 'error' }] });
    expect(preview.issues[0]?.message).toContain(message);
  });
});
