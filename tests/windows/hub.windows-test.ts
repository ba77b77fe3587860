import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasProcess } from '../../electron/engine/store/files/process-identity.ts';
import { eventually } from '../helper/eventually.ts';
import { fixture, nodeEntry, programs } from '../helper/programs.ts';
import { textOf, toolNames } from '../helper/running-app.ts';
import { tempDir } from '../helper/temp-dir.ts';
import { runProgram } from './run-program.ts';
import { connectBridge, hubPid, startHub, writeServers } from './start-hub.ts';

describe('a hub on Windows', () => {
  it('[PB-PROC-1] starts once over the record of a killed one, however often, while others have its files open', async () => {
    await using folder = await tempDir();
    await writeServers(folder.path, {});
    await using first = await startHub(folder.path);
    await first.kill();
    for (let round = 0; round < 20; round += 1) {
      const files = ['run/hub.json', 'mcp.json', 'settings.json', 'token'].map((name) =>
        join(folder.path, name),
      );
      const held = await Promise.all(files.map((file) => open(file).catch(() => undefined)));
      const release = setTimeout(() => {
        for (const handle of held) void handle?.close();
      }, 800);
      await using hub = await startHub(folder.path);
      expect(hub.isUp, hub.output()).toBe(true);
      expect(await hubPid(folder.path)).toBe(hub.child.pid);
      clearTimeout(release);
      for (const handle of held) await handle?.close().catch(() => undefined);
    }
  });

  it('[PB-PROC-1] ends at its start what servers of a killed one left, and their children', async () => {
    await using folder = await tempDir();
    await writeServers(folder.path, {
      stubborn: nodeEntry(fixture('stubborn')),
      family: nodeEntry(fixture('family')),
      behind: { command: 'cmd', args: ['/c', process.execPath, fixture('stubborn')] },
      // A program, cmd.exe and the server, like `npx`.
      wrapped: { ...nodeEntry(fixture('wrapper')), env: { SERVER: './stubborn.mjs' } },
    });
    await using killed = await startHub(folder.path);
    await using client = await connectBridge(folder.path);
    await eventually(async () => expect((await toolNames(client)).length).toBeGreaterThanOrEqual(7));
    const ask = async (name: string) => textOf(await client.callTool({ name, arguments: {} }));
    const behind = [Number(await ask('behind__pid')), Number(await ask('wrapped__pid'))];
    const pids = [...behind, Number(await ask('stubborn__pid')), ...JSON.parse(await ask('family__family'))];
    const recorded = join(folder.path, 'run', 'children.json');
    await eventually(async () => {
      const text = await readFile(recorded, 'utf8');
      for (const pid of behind) expect(text).toContain(`"pid": ${pid}`);
    });
    await client.close();
    await killed.kill();
    // Windows ends the children of a killed program, and not theirs.
    expect(behind.filter(hasProcess)).toEqual(behind);
    await writeServers(folder.path, {});
    await using next = await startHub(folder.path);
    expect(next.isUp, next.output()).toBe(true);
    await eventually(() => expect(pids.filter(hasProcess)).toEqual([]));
  });

  it.each(['fail', '6000'])('refuses a second one while PowerShell answers by %s', async (mood) => {
    await using folder = await tempDir();
    await writeServers(folder.path, {});
    await using hub = await startHub(folder.path, { TEST_POWERSHELL: mood });
    expect(hub.isUp, hub.output()).toBe(true);
    await using second = await startHub(folder.path, { TEST_POWERSHELL: mood });
    expect(second.isUp, second.output()).toBe(false);
    expect(await hubPid(folder.path)).toBe(hub.child.pid);
  });

  it('asks PowerShell at most once for each of five servers that start, and three times for each that stays when it is stopped', async () => {
    await using folder = await tempDir();
    const log = join(folder.path, 'asked');
    await writeFile(log, '');
    const asked = async () => (await readFile(log, 'utf8')).split('\n').length - 1;
    const servers = Array.from({ length: 5 }, (_, index) => [`s${index}`, nodeEntry(fixture('stubborn'))]);
    await writeServers(folder.path, Object.fromEntries(servers));
    const hub = await startHub(folder.path, { TEST_POWERSHELL_LOG: log });
    await using client = await connectBridge(folder.path);
    await eventually(async () => expect((await toolNames(client)).length).toBeGreaterThanOrEqual(10));
    // The hub looks for their children a moment later.
    await eventually(async () => expect(await asked()).toBeGreaterThan(0));
    await client.close();
    const toStart = await asked();
    const stopped = await runProgram([programs.patchbay, 'stop', '--data-dir', folder.path]);
    expect(stopped.code, stopped.output).toBe(0);
    await hub[Symbol.asyncDispose]();
    expect(toStart).toBeLessThanOrEqual(5);
    expect((await asked()) - toStart).toBeLessThanOrEqual(15);
  });

  it('[PB-CLIENT-1] connects apps whose files have a byte order mark and CRLF, and gives every byte back', async () => {
    await using folder = await tempDir();
    const home = join(folder.path, 'Jörg Müller');
    const [roaming, local] = [join(home, 'AppData', 'Roaming'), join(home, 'AppData', 'Local')];
    const env = { USERPROFILE: home, APPDATA: roaming, LOCALAPPDATA: local };
    const dir = join(folder.path, 'data folder');
    const cursor = join(home, '.cursor', 'mcp.json');
    const text = `\uFEFF{\r\n  "mcpServers": {\r\n    "files": { "command": "npx", "args": ["-y", "x"] }\r\n  }\r\n}\r\n`;
    for (const made of [dir, dirname(cursor), roaming, local]) await mkdir(made, { recursive: true });
    await writeFile(cursor, text);
    await writeServers(dir, { echo: nodeEntry(fixture('echo')) });
    await using _hub = await startHub(dir, env);
    const connect = (...args: string[]) =>
      runProgram([programs.patchbay, 'connect', ...args, '--data-dir', dir], env);
    const applied = await connect('apply', 'cursor');
    expect(applied.code, applied.output).toBe(0);
    expect(await readFile(cursor, 'utf8')).toContain('patchbay-bridge');
    const undone = await connect('undo', 'cursor');
    expect(undone.code, undone.output).toBe(0);
    expect(await readFile(cursor, 'utf8')).toBe(text);
  });
});
