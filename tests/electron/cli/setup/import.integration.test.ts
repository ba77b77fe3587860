import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { fixture, nodeEntry, programs } from '../../../helper/programs.ts';
import { isConnected, startHub } from '../../../helper/running-hub.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

const canary = 'sk-canary-7f3a9c2e5b8d1f4a';

async function patchbay(dir: string, input: string | Buffer, ...args: string[]) {
  const argv = [programs.patchbay, 'import', ...args, '--data-dir', dir];
  const home = join(dir, '..');
  const env = { PATH: process.env.PATH, HOME: home, USERPROFILE: home };
  const child = spawn(process.execPath, argv, { env, stdio: 'pipe' });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { out, err, code: child.exitCode };
}

const echo = nodeEntry(fixture('echo'));
const found = JSON.stringify({
  mcpServers: {
    echo: { ...echo, env: { API_KEY: canary } },
    waits: { ...nodeEntry(fixture('slow')), env: { OTHER_KEY: 'YOUR_OTHER_KEY' } },
    bad: { args: ['x'] },
  },
});

describe('patchbay import', () => {
  it('[PB-CLIENT-2] [NFR-R4] refuses more input than any config has', async () => {
    await using folder = await tempDir();
    const { code, out, err } = await patchbay(join(folder.path, 'data'), Buffer.alloc(4_000_001, '{'), '-');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('too long for a config');
  });

  it('[PB-CLIENT-2] [PB-HEAD-1] [NFR-SEC1] shows what a running hub would add, adds it when asked to, and undoes it', async () => {
    await using hub = await startHub({ echo });
    const shown = await patchbay(hub.dir, found, '-');
    expect(shown).toMatchObject({ code: 0, err: '' });
    expect(shown.out).toContain('+ echo-2  ');
    expect(shown.out).toContain('renamed from echo');
    expect(shown.out).toContain('env.API_KEY is stored as secret API_KEY');
    expect(shown.out).toContain('needs OTHER_KEY');
    expect(shown.out).toContain('! bad');
    expect(shown.out).toContain('Nothing has been added yet. To add 2 servers, add --yes.');
    expect(hub.engine.servers()).toHaveLength(1);

    const done = await patchbay(hub.dir, found, '-', '--yes');
    expect(done).toMatchObject({ code: 0, err: '' });
    expect(done.out).toContain('Added: echo-2, waits');
    expect(done.out).toContain('Stored as secrets: API_KEY');
    expect(done.out).toContain('  patchbay secret enter waits OTHER_KEY');
    await isConnected(hub, 'echo-2');
    expect(hub.engine.servers().find(({ key }) => key === 'waits')).toMatchObject({
      status: 'error',
      missing: [{ label: 'OTHER_KEY' }],
    });
    expect(await readFile(join(hub.dir, 'mcp.json'), 'utf8')).not.toContain(canary);
    for (const { out } of [shown, done]) expect(out).not.toContain(canary);

    const undoId = /--undo (\S+)/.exec(done.out)?.[1] ?? '';
    expect((await patchbay(hub.dir, '', '--undo', undoId)).out).toBe('The import was undone.\n');
    expect(hub.engine.servers().map(({ key }) => key)).toEqual(['echo']);
    expect((await hub.engine.run('secret.list', undefined)).secrets).toEqual([]);
  });

  it('[PB-CLIENT-2] [PB-HEAD-1] [NFR-SEC1] does the same without a hub, from a file and from an app, and previews without creating a folder', async () => {
    await using folder = await tempDir();
    const dir = join(folder.path, 'data');
    const file = join(folder.path, 'found.json');
    await writeFile(file, Buffer.from(`\uFEFF${found}`, 'utf16le'));
    await mkdir(join(folder.path, '.cursor'));
    await writeFile(
      join(folder.path, '.cursor/mcp.json'),
      JSON.stringify({ mcpServers: { mine: { command: 'mine' } } }),
    );
    const shown = await patchbay(dir, '', file, '--json');
    expect(shown).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(shown.out)).toMatchObject({
      entries: [{ key: 'echo' }, { key: 'waits' }, { key: 'bad' }],
    });
    expect(existsSync(dir)).toBe(false);

    const done = await patchbay(dir, '', file, '--yes', '--json');
    expect(done).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(done.out).result).toEqual({
      added: ['echo', 'waits'],
      failed: [],
      secrets: ['API_KEY'],
      waiting: [{ key: 'waits', values: ['OTHER_KEY'] }],
    });
    for (const { out } of [shown, done]) expect(out).not.toContain(canary);
    const app = await patchbay(dir, '', '--from', 'cursor', '--yes');
    expect(app).toMatchObject({ code: 0, err: '' });
    expect(app.out).toContain('Added: mine');
    const { mcpServers } = JSON.parse(await readFile(join(dir, 'mcp.json'), 'utf8'));
    expect(mcpServers).toMatchObject({
      echo: { env: { API_KEY: `\${secret:API_KEY}` } },
      waits: { env: { OTHER_KEY: `\${secret:OTHER_KEY}` } },
      mine: { command: 'mine' },
    });
    expect((await patchbay(dir, '', '--from', 'claud-desktop')).err).toContain(
      'Did you mean claude-desktop?',
    );
    expect((await patchbay(dir, '', '--from', 'Cursor')).err).toContain('Did you mean cursor?');
    expect((await patchbay(dir, '', '--from', 'zed')).out).toContain('No app’s config file was found');
    expect((await patchbay(dir, '', '--from', 'nobody')).err).toContain('[client.unknown]');
    expect(await patchbay(dir, 'nothing here', '-')).toMatchObject({ code: 1 });
    expect((await patchbay(dir, '', '--undo', 'x')).err).toContain('[hub.unreachable]');
  });
});
