import { createHash } from 'node:crypto';
import {
  appendFile,
  chmod,
  mkdir,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ConnectHub, startConnectHub, textOfFile } from '../../../helper/connect-hub.ts';
import { eventually } from '../../../helper/eventually.ts';
import { fixture, nodeEntry } from '../../../helper/programs.ts';

const servers = { echo: nodeEntry(fixture('echo')) };
const id = 'cursor';
/** Windows makes links only for some users, and Wine none that Node reads. */
const hasLinks = process.platform !== 'win32';
/** The launcher is a shell script, on the made-up Linux machine of these tests too. */
const runsShell = process.platform !== 'win32';
const path = '.cursor/mcp.json';
const own = '{\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n';

const start = () => startConnectHub({ platform: 'linux', servers });
/** A digest, since a matcher takes minutes to compare the bytes of a large file. */
const bytesOf = (file: string): Promise<string> =>
  readFile(file).then(
    (bytes) => createHash('sha256').update(bytes).digest('hex'),
    (error) => error.code,
  );

type Spoil = (hub: ConnectHub) => Promise<string>;
const spoiled: Readonly<Record<string, Spoil>> = {
  'text that is no JSON': (hub) => hub.put(path, '{ "mcpServers": { oops'),
  'another encoding': async (hub) => {
    const file = await hub.put(path, '');
    await writeFile(file, Buffer.from('\uFEFF{}', 'utf16le'));
    return file;
  },
  'a list': (hub) => hub.put(path, '[]'),
  'entries that are none': (hub) => hub.put(path, '{"mcpServers": "see elsewhere"}'),
  'two roots': (hub) => hub.put(path, '{"mcpServers":{},"mcpServers":{}}'),
  'a folder': async (hub) => {
    const file = join(hub.home, path);
    await mkdir(file, { recursive: true });
    return file;
  },
  'a link': async (hub) => {
    const target = await hub.put('dotfiles/mcp.json', own);
    await mkdir(join(hub.home, '.cursor'));
    await symlink(target, join(hub.home, path));
    return target;
  },
  'a read-only file': async (hub) => {
    const file = await hub.put(path, own);
    await chmod(file, 0o444);
    return file;
  },
  'a huge file': async (hub) => {
    const file = await hub.put(path, own);
    await truncate(file, 40 * 1024 * 1024);
    return file;
  },
};

describe('a file that must not be edited', () => {
  it.each(Object.entries(spoiled).filter(([what]) => hasLinks || what !== 'a link'))(
    '[PB-CLIENT-1] %s: untouched, with the reason',
    async (_, spoil) => {
      await using hub = await start();
      const file = await spoil(hub);
      const before = await bytesOf(file);
      const { files, previewId } = await hub.engine.run('connect.preview', { id });
      expect(files).toMatchObject([{ kind: 'refused', problem: { code: 'client.config_unusable' } }]);
      await expect(hub.engine.run('connect.apply', { id, previewId })).rejects.toMatchObject({
        problem: { code: 'client.config_unusable' },
      });
      expect(await bytesOf(file)).toEqual(before);
      expect((await hub.client(id)).status).toBe('found');
    },
  );

  it('[PB-CLIENT-1] one that has changed since the preview is not written', async () => {
    await using hub = await start();
    const file = await hub.put(path, own);
    const { previewId } = await hub.engine.run('connect.preview', { id });
    await appendFile(file, '\n');
    await expect(hub.engine.run('connect.apply', { id, previewId })).rejects.toMatchObject({
      problem: { code: 'client.config_changed' },
    });
    expect(await textOfFile(file)).toBe(`${own}\n`);
    await expect(hub.engine.run('connect.apply', { id, previewId: 'never seen' })).rejects.toMatchObject({
      problem: { code: 'client.config_changed' },
    });
  });

  it('[PB-CLIENT-1] is reported with its client, and with what is there instead', async () => {
    await using hub = await start();
    await expect(hub.engine.run('connect.preview', { id: 'zed' })).rejects.toMatchObject({
      problem: { code: 'client.config_unusable' },
    });
    await expect(hub.engine.run('connect.preview', { id: 'cherry-studio' })).rejects.toMatchObject({
      problem: { code: 'client.config_unusable' },
    });
    await expect(hub.engine.run('connect.preview', { id: 'nobody' })).rejects.toMatchObject({
      problem: { code: 'client.unknown' },
    });
    await expect(hub.engine.run('connect.undo', { id })).rejects.toMatchObject({
      problem: { code: 'client.not_connected' },
    });
    await expect(hub.engine.run('connect.prove', { id })).rejects.toMatchObject({
      problem: { code: 'client.not_connected' },
    });
    await expect(hub.engine.run('connect.bundleFile', undefined)).rejects.toMatchObject({
      problem: { code: 'client.no_launcher' },
    });
  });
});

describe('a link', () => {
  it.runIf(hasLinks)(
    '[PB-CLIENT-1] says where it points to, so that the user can choose that file',
    async () => {
      await using hub = await start();
      const target = await spoiled['a link']?.(hub);
      const { files } = await hub.engine.run('connect.preview', { id });
      expect(files).toMatchObject([{ problem: { evidence: [{}, { label: 'points to', value: target }] } }]);
      await hub.engine.run('connect.setFile', { id, file: target });
      await hub.connected(id);
      expect(await textOfFile(target ?? '')).toContain('patchbay');
    },
  );
});

describe('connecting', () => {
  it.runIf(runsShell)(
    '[PB-CLIENT-1] creates the file of a client that has none yet, and removes it again',
    async () => {
      await using hub = await start();
      await mkdir(join(hub.home, '.cursor'));
      const file = join(hub.home, path);
      expect((await hub.client(id)).files).toMatchObject([{ file, exists: false }]);
      const { files, previewId } = await hub.engine.run('connect.preview', { id });
      expect(files).toMatchObject([{ kind: 'create', file }]);
      await hub.engine.run('connect.apply', { id, previewId });
      expect((await hub.engine.run('connect.prove', { id })).ok).toBe(true);
      expect((await hub.engine.run('connect.undo', { id })).files).toEqual([{ kind: 'deleted', file }]);
      expect(await bytesOf(file)).toBe('ENOENT');
    },
  );

  it('[PB-CLIENT-1] writes without a byte order mark, and gives it back', async () => {
    await using hub = await start();
    const file = await hub.put(path, `\uFEFF${own}`);
    await hub.connected(id);
    expect((await textOfFile(file)).startsWith('{')).toBe(true);
    await hub.engine.run('connect.undo', { id });
    expect(await textOfFile(file)).toBe(`\uFEFF${own}`);
  });

  it('[PB-CLIENT-1] uses another key if ours belongs to another server', async () => {
    await using hub = await start();
    const file = await hub.put(path, '{"mcpServers":{"patchbay":{"command":"theirs"}}}');
    expect((await hub.engine.run('connect.preview', { id })).entryKey).toBe('patchbay2');
    await hub.connected(id);
    expect(JSON.parse(await textOfFile(file)).mcpServers.patchbay).toEqual({ command: 'theirs' });
  });

  it('[PB-CLIENT-1] writes every existing file of a client', async () => {
    await using hub = await startConnectHub({ platform: 'win32', servers });
    const name = 'claude_desktop_config.json';
    const store = await hub.put(`AppData/Local/Packages/Claude_x1/LocalCache/Roaming/Claude/${name}`, '{}');
    const classic = await hub.put(`AppData/Roaming/Claude/${name}`, '{}');
    await hub.connected('claude-desktop');
    for (const file of [store, classic]) expect(await textOfFile(file)).toContain('patchbay');
    expect((await hub.engine.run('connect.undo', { id: 'claude-desktop' })).files).toMatchObject([
      { kind: 'restored' },
      { kind: 'restored' },
    ]);
    expect(await textOfFile(store)).toBe('{}');
  });

  it('[PB-CLIENT-1] creates a folder only where the client itself has its file', async () => {
    await using hub = await start();
    const usual = `${hub.home}/${path}`;
    await hub.engine.run('connect.setFile', { id, file: usual });
    await hub.connected(id);
    expect(await textOfFile(usual)).toContain('patchbay');
    const mistyped = { id: 'vscode-workspace', file: join(hub.home, 'porject', 'mcp.json') };
    const missing = { problem: { sentence: expect.stringContaining('is in a folder that does not exist') } };
    await expect(hub.engine.run('connect.setFile', mistyped)).rejects.toMatchObject(missing);
    expect(await hub.client('vscode-workspace')).toMatchObject({ files: [] });
    const file = await hub.put('project/mcp.json', '{}');
    await hub.engine.run('connect.setFile', { id: 'vscode-workspace', file });
    await rm(dirname(file), { recursive: true });
    const preview = hub.engine.run('connect.preview', { id: 'vscode-workspace' });
    await expect(preview).rejects.toMatchObject(missing);
  });

  it('[PB-CLIENT-1] writes the file that the user chooses', async () => {
    await using hub = await start();
    const file = await hub.put('project/.vscode/mcp.json', '{ "servers": {} }');
    await hub.engine.run('connect.setFile', { id: 'vscode-workspace', file });
    expect(await hub.client('vscode-workspace')).toMatchObject({
      status: 'found',
      files: [{ file, chosen: true }],
    });
    await hub.connected('vscode-workspace');
    expect(JSON.parse(await textOfFile(file)).servers.patchbay.type).toBe('stdio');
    await hub.engine.run('connect.setFile', { id: 'vscode-workspace' });
    expect((await hub.client('vscode-workspace')).status).toBe('connected');
  });

  it('[PB-CLIENT-1] undoes only our entry where the file has changed since', async () => {
    await using hub = await start();
    const file = await hub.put(path, own);
    await hub.connected(id);
    const theirs = (await textOfFile(file)).replace('"other"', '"renamed"');
    await writeFile(file, theirs);
    expect((await hub.engine.run('connect.undo', { id })).files).toEqual([{ kind: 'entry-removed', file }]);
    expect(await textOfFile(file)).toBe(own.replace('"other"', '"renamed"'));
    expect((await hub.client(id)).status).toBe('found');
  });

  it('[PB-CLIENT-1] notices an entry that was edited, and does not change it', async () => {
    await using hub = await start();
    const file = await hub.put(path, own);
    await hub.connected(id);
    await writeFile(file, (await textOfFile(file)).replace('"--client"', '"--names"'));
    await eventually(async () => expect((await hub.client(id)).status).toBe('changed'));
    expect((await hub.client(id)).problem?.code).toBe('client.config_edited');
    await hub.engine.run('connect.accept', { id });
    expect((await hub.client(id)).status).toBe('found');
    expect(await textOfFile(file)).toContain('"--names"');
  });

  it.each<[string, string, (text: string) => string, string]>([
    [
      'cline',
      '.cline/data/settings/cline_mcp_settings.json',
      (text) =>
        text.replace('"--client"', '"--names"').replace('"args"', '"alwaysAllow": ["canary-1"],\n"args"'),
      'alwaysAllow',
    ],
    [
      'codex',
      '.codex/config.toml',
      (text) => `${text.replace('"--client"', '"--names"')}enabled_tools = ["canary-1"]\n`,
      'enabled_tools',
    ],
    [
      'goose',
      '.config/goose/config.yaml',
      (text) =>
        text.replace('- --client', '- --names').replace('    args:', '    env_keys: [canary-1]\n    args:'),
      'env_keys',
    ],
  ])(
    '[PB-CLIENT-1] keeps what others added to our entry when %s is connected again',
    async (client, at, edit, name) => {
      await using hub = await start();
      const file = await hub.put(at, '');
      await hub.connected(client);
      await writeFile(file, edit(await textOfFile(file)));
      await eventually(async () => expect((await hub.client(client)).status).toBe('changed'));
      const preview = await hub.engine.run('connect.preview', { id: client });
      expect(JSON.stringify(preview)).not.toContain('canary-1');
      await hub.engine.run('connect.apply', { id: client, previewId: preview.previewId });
      const text = await textOfFile(file);
      expect(text).toContain('--client');
      expect(text).toContain('canary-1');
      expect(await textOfFile(join(hub.dataDir, 'clients.journal'))).not.toContain('canary-1');
      expect(text).toContain(name);
      expect((await hub.client(client)).status).toBe('connected');
    },
  );

  it('[PB-CLIENT-1] an addition of others to our entry is not a change of ours', async () => {
    await using hub = await start();
    const file = await hub.put(path, own);
    await hub.connected(id);
    const text = await textOfFile(file);
    await writeFile(file, text.replace('"--client"', '"--names"'));
    await eventually(async () => expect((await hub.client(id)).status).toBe('changed'));
    await writeFile(file, text.replace('"args"', '"alwaysAllow": ["a"], "args"'));
    await eventually(async () => expect((await hub.client(id)).status).toBe('connected'));
  });

  it('[PB-CLIENT-1] sees a wipe in a large file that its client writes all the time', async () => {
    await using hub = await start();
    const state = (number: number) => JSON.stringify({ projects: 'x'.repeat(400_000), number });
    const file = await hub.put('.claude.json', state(0));
    await hub.connected('claude-code');
    const { mcpServers } = JSON.parse(await textOfFile(file));
    await writeFile(file, JSON.stringify({ ...JSON.parse(state(1)), mcpServers }));
    await hub.engine.checkClients();
    expect((await hub.client('claude-code')).status).toBe('connected');
    await writeFile(file, state(2));
    await eventually(async () => expect((await hub.client('claude-code')).status).toBe('wiped'));
    expect((await hub.engine.run('connect.undo', { id: 'claude-code' })).files).toEqual([
      { kind: 'nothing', file },
    ]);
  });

  it('[PB-CLIENT-1] a file that is gone counts as wiped', async () => {
    await using hub = await start();
    const file = await hub.put(path, own);
    await hub.connected(id);
    await rm(file);
    await eventually(async () => expect((await hub.client(id)).status).toBe('wiped'));
    expect((await hub.engine.run('connect.undo', { id })).files).toEqual([{ kind: 'nothing', file }]);
  });

  it.runIf(runsShell)(
    '[PB-CLIENT-1] says why an entry does not work, and leaves the undo to the user',
    async () => {
      await using hub = await start();
      const file = await hub.put(path, own);
      await hub.connected(id);
      await writeFile(
        join(hub.dataDir, 'bin', 'patchbay-bridge'),
        '#!/bin/sh\necho "not today" >&2\nexit 3\n',
      );
      const proof = await hub.engine.run('connect.prove', { id });
      expect(proof).toMatchObject({ ok: false, problem: { code: 'client.proof_failed' } });
      expect(proof.steps.find(({ ok }) => !ok)).toMatchObject({ step: 'handshake', text: /exit code 3/ });
      expect(JSON.stringify(proof.problem?.evidence)).toContain('not today');
      expect((await hub.engine.run('connect.undo', { id })).files).toEqual([{ kind: 'restored', file }]);
    },
  );

  it.runIf(runsShell)(
    '[PB-CLIENT-1] fails the test of a program that writes other text to standard output',
    async () => {
      await using hub = await start();
      await hub.put(path, own);
      await hub.connected(id);
      await writeFile(
        join(hub.dataDir, 'bin', 'patchbay-bridge'),
        '#!/bin/sh\necho Welcome\ncat >/dev/null\n',
      );
      const proof = await hub.engine.run('connect.prove', { id });
      expect(proof.problem?.sentence).toContain('not a message');
      expect(proof.steps.at(-1)).toMatchObject({ step: 'end', ok: true });
    },
  );
});

describe('the journal', () => {
  it('[PB-CLIENT-1] lists every write with a copy of the file as it was', async () => {
    await using hub = await start();
    await hub.put(path, own);
    await hub.connected(id);
    await hub.engine.run('connect.undo', { id });
    const records = (await hub.engine.run('connect.journal', undefined)).records;
    expect(records.map(({ action, done }) => [action, done])).toEqual([
      ['undo', true],
      ['connect', true],
    ]);
    expect(await textOfFile(records[1]?.backup ?? '')).toBe(own);
    expect(records[0]?.after).toBe(records[1]?.before);
  });

  it('[PB-CLIENT-1] knows after a kill during a write whether the file was written', async () => {
    await using hub = await start();
    const file = await hub.put(path, own);
    await hub.connected(id);
    const journal = join(hub.dataDir, 'clients.journal');
    const lines = (await textOfFile(journal)).trimEnd().split('\n');
    // The state after the write but before its `settled` line; then the state before the write.
    await writeFile(journal, `${lines[0]}\n{"v":1,"torn`);
    await hub.engine.checkClients();
    expect((await hub.client(id)).status).toBe('connected');
    expect((await hub.engine.run('connect.journal', undefined)).records[0]).toMatchObject({
      action: 'connect',
      done: true,
    });
    await writeFile(file, own);
    await writeFile(journal, `${lines[0]}\n`);
    await hub.engine.checkClients();
    expect((await hub.client(id)).status).toBe('found');
  });

  it('[PB-CLIENT-1] of a newer version is rejected, not guessed at', async () => {
    await using hub = await start();
    await writeFile(join(hub.dataDir, 'clients.journal'), '{"v":2,"action":"connect"}\n');
    await expect(hub.engine.run('connect.list', undefined)).rejects.toMatchObject({
      problem: { code: 'hub.newer_data' },
    });
  });

  it('[PB-CLIENT-1] backups do not pile up', async () => {
    await using hub = await start();
    await hub.put(path, own);
    for (let round = 0; round < 25; round += 1) {
      await hub.connected(id);
      await hub.engine.run('connect.undo', { id });
    }
    expect((await readdir(join(hub.dataDir, 'backups'))).length).toBeLessThanOrEqual(20);
  });
});

describe('what is put in by hand', () => {
  it('[PB-CLIENT-1] the program without secrets, the address with a masked token', async () => {
    await using hub = await start();
    const both = async (id: string, transport: 'stdio' | 'http') => ({
      shown: await hub.engine.run('connect.snippet', { id, transport }),
      whole: (await hub.engine.run('connect.wholeSnippet', { id, transport })).text,
    });
    const stdio = await both('other', 'stdio');
    expect(JSON.parse(stdio.whole).mcpServers.patchbay.command).toBe(
      join(hub.dataDir, 'bin/patchbay-bridge'),
    );
    expect(stdio.shown.text).toBe(stdio.whole);
    const { token, url } = hub.engine.connection();
    for (const client of ['other', 'codex', 'goose', 'gemini-cli', 'windsurf', 'cherry-studio']) {
      const http = await both(client, 'http');
      expect(http.whole).toContain(token);
      expect(http.whole).toContain(url);
      expect(http.shown.text).not.toContain(token);
    }
    for (const name of ['connect.snippet', 'connect.wholeSnippet'] as const)
      await expect(hub.engine.run(name, { id: 'claude-desktop', transport: 'http' })).rejects.toMatchObject({
        problem: { code: 'client.unable' },
      });
  });
});
