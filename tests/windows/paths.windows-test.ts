import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultBudget, wireName } from '../../electron/engine/catalogue/wire-name.ts';
import { dataPaths, openDataDir } from '../../electron/engine/store/files/data-dir.ts';
import { eventually } from '../helper/eventually.ts';
import { fixture, nodeEntry, programs } from '../helper/programs.ts';
import { textOf, toolNames } from '../helper/running-app.ts';
import { tempDir } from '../helper/temp-dir.ts';
import { runProgram } from './run-program.ts';
import { connectBridge, startHub, writeServers } from './start-hub.ts';

/** A folder on the drive of these tests, which is another one than that of temporary folders. */
async function folderOnOtherDrive(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(import.meta.dirname, 'drive-'));
  const dispose = () => eventually(() => rm(path, { recursive: true, force: true }), 10_000);
  return { path, [Symbol.asyncDispose]: dispose };
}

const echoes = (client: Parameters<typeof toolNames>[0], name: string) =>
  client.callTool({ name, arguments: { text: 'grüß dich' } });

describe('names on Windows', () => {
  it('[PB-CFG-1] a data folder may be on another drive, have odd letters, and be written in another case', async () => {
    await using folder = await folderOnOtherDrive();
    const dir = join(folder.path, 'Jörg Müller & Söhne', 'data folder');
    await mkdir(dir, { recursive: true });
    await writeServers(dir, { echo: nodeEntry(fixture('echo')) });
    await using hub = await startHub(dir);
    expect(hub.isUp, hub.output()).toBe(true);
    const written = dir.charAt(0).toLowerCase() + dir.slice(1).toUpperCase();
    for (const each of [dir, written]) {
      await using client = await connectBridge(each);
      await eventually(async () => expect(await toolNames(client)).toContain('echo__echo'));
      expect(textOf(await echoes(client, 'echo__echo'))).toContain('grüß dich');
    }
    await using second = await startHub(written);
    expect(second.isUp, second.output()).toBe(false);
  });

  it('[PB-CFG-1] a data folder may have a path of more than 260 characters', async () => {
    await using folder = await tempDir();
    const dir = join(folder.path, ...Array.from({ length: 6 }, (_, index) => `${index}`.repeat(50)));
    expect(dir.length).toBeGreaterThan(300);
    await mkdir(dir, { recursive: true });
    await writeServers(dir, { echo: nodeEntry(fixture('echo')) });
    await using hub = await startHub(dir);
    expect(hub.isUp, hub.output()).toBe(true);
    await using client = await connectBridge(dir);
    await eventually(async () => expect(await toolNames(client)).toContain('echo__echo'));
    expect(textOf(await echoes(client, 'echo__echo'))).toContain('grüß dich');
    const header = async () => (await readFile(join(dir, 'state.db'))).subarray(0, 15).toString();
    await eventually(async () => expect(await header()).toBe('SQLite format 3'));
  });

  it('[PB-CFG-1] a data folder may be a share, or written with the prefix of long paths', async () => {
    expect(dataPaths('\\\\nas\\ann\\.patchbay').config).toBe('\\\\nas\\ann\\.patchbay\\mcp.json');
    await using folder = await tempDir();
    await openDataDir(`\\\\?\\${folder.path}`);
    expect(await readdir(folder.path)).toEqual(['logs', 'run']);
  });

  it('[PB-CFG-1] the home folder is that of USERPROFILE, whatever HOME says', async () => {
    await using folder = await tempDir();
    const home = join(folder.path, 'Jörg Müller');
    const elsewhere = join(folder.path, 'unix');
    for (const made of [home, elsewhere]) await mkdir(made);
    const file = join(folder.path, 'given.json');
    await writeFile(file, JSON.stringify({ mcpServers: { kite: { command: 'node', args: ['~/x.js'] } } }));
    const env = { USERPROFILE: home, HOME: elsewhere };
    const imported = await runProgram([programs.patchbay, 'import', file, '--yes'], env);
    expect(imported.code, imported.output).toBe(0);
    expect(await readFile(join(home, '.patchbay', 'mcp.json'), 'utf8')).toContain('kite');
    expect(await readdir(elsewhere)).toEqual([]);
  });

  it('[FR-001] servers may be called as devices of Windows are', async () => {
    await using folder = await tempDir();
    const keys = ['con', 'NUL', 'com1', 'aux.txt', 'prn'];
    await writeServers(folder.path, Object.fromEntries(keys.map((key) => [key, nodeEntry(fixture('echo'))])));
    await using hub = await startHub(folder.path);
    expect(hub.isUp, hub.output()).toBe(true);
    await using client = await connectBridge(folder.path);
    const names = keys.map((key) => wireName('safe', defaultBudget, key, 'echo'));
    await eventually(async () => expect(await toolNames(client)).toEqual(expect.arrayContaining(names)));
    for (const name of names) expect(textOf(await echoes(client, name))).toContain('grüß dich');
  });

  it('[PB-CFG-2] a config with a byte order mark and CRLF keeps both when a server is added', async () => {
    await using folder = await tempDir();
    const config = join(folder.path, 'mcp.json');
    const text =
      '\uFEFF{\r\n  // mine\r\n  "mcpServers": {\r\n    "a": { "command": "node" }\r\n  }\r\n}\r\n';
    await writeFile(config, text);
    const file = join(folder.path, 'given.json');
    await writeFile(file, '{"mcpServers":{"kite":{"command":"node","args":["x.js"]}}}');
    const args = [programs.patchbay, 'import', file, '--yes', '--data-dir', folder.path];
    const imported = await runProgram(args);
    expect(imported.code, imported.output).toBe(0);
    const changed = await readFile(config, 'utf8');
    expect(changed).toContain('"kite"');
    expect(changed.startsWith('\uFEFF{\r\n  // mine\r\n')).toBe(true);
    expect(changed.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });
});
