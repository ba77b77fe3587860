import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdminService } from '../../../../electron/engine/hub/admin/admin-service.ts';
import { dataPaths } from '../../../../electron/engine/store/files/data-dir.ts';
import { eventually } from '../../../helper/eventually.ts';
import { freePort } from '../../../helper/free-port.ts';
import { fixture, nodeEntry, programs } from '../../../helper/programs.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

type Folder = Awaited<ReturnType<typeof tempDir>>;

async function run(dir: string, ...argv: string[]) {
  const args = [programs.patchbay, ...argv, '--data-dir', dir];
  const child = spawn(process.execPath, args, { timeout: 100_000, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}

describe('commands to a running hub', () => {
  let folder: Folder;
  let hub: ReturnType<typeof spawn>;

  beforeAll(async () => {
    folder = await tempDir();
    const mcpServers = {
      good: { ...nodeEntry(fixture('tricky')), env: { API_KEY: 'canary-of-status-4711' } },
      wrong: { command: 'no-such-program-of-patchbay' },
      told: {
        ...nodeEntry(fixture('turncoat')),
        env: { TOOLS: join(folder.path, 'tools.json'), SESSION_TOKEN: 'canary-of-description-0815' },
      },
      off: { ...nodeEntry(fixture('tricky')), disabled: true },
    };
    const tools = [
      { name: 'leak', description: 'Uses canary-of-description-0815.', inputSchema: { type: 'object' } },
    ];
    await writeFile(join(folder.path, 'tools.json'), JSON.stringify(tools));
    await writeFile(join(folder.path, 'mcp.json'), JSON.stringify({ mcpServers }));
    const serve = [programs.patchbay, 'serve', '--data-dir', folder.path, '--port', String(await freePort())];
    hub = spawn(process.execPath, serve, { stdio: 'ignore' });
    await eventually(async () => {
      const { stdout } = await run(folder.path, 'status');
      expect(stdout).toMatch(/good +connected/);
      expect(stdout).toContain('[server.command_not_found]');
    });
  });

  afterAll(async () => {
    const ended = once(hub, 'exit');
    hub.kill('SIGTERM');
    await ended;
    await folder[Symbol.asyncDispose]();
  });

  it('[PB-HEAD-1] patchbay status shows the state of all servers, and no secret', async () => {
    const { code, stdout, stderr } = await run(folder.path, 'status');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`process ${hub.pid}`);
    expect(stdout).toMatch(/good +connected +\d+ tools/);
    expect(stdout).toMatch(/wrong +error[\s\S]*what to do: /);
    expect(stdout).toMatch(/off +disabled/);
    expect(stdout).not.toContain('canary-of-status');
  });

  it('[PB-HEAD-1] patchbay status --json is for programs, and holds no secret either', async () => {
    const { stdout } = await run(folder.path, 'status', '--json');
    const { hub: view, servers } = JSON.parse(stdout);
    expect(view).toMatchObject({ pid: hub.pid, dataDir: folder.path });
    expect(servers.map(({ key }: { key: string }) => key)).toEqual(['good', 'wrong', 'told', 'off']);
    expect(stdout).not.toContain('canary-of-status');
  });

  it('[PB-HEAD-1] patchbay search finds what servers offer, and says if it finds nothing', async () => {
    const { stdout: all } = await run(folder.path, 'search', 'good', '--limit', '1', '--json');
    const [hit] = JSON.parse(all).hits;
    expect(hit).toMatchObject({ serverKey: 'good' });
    const found = await run(folder.path, 'search', 'good', hit.name, '--server', 'good');
    expect([found.code, found.stderr]).toEqual([0, '']);
    expect(found.stdout.split('\n')[0]).toBe(`1.00  good:${hit.name}`);
    const nothing = await run(folder.path, 'search', 'zzyzx');
    expect(nothing.code).toBe(1);
    expect(nothing.stdout).toMatch(/^No matches in \d+ tools/);
    expect(nothing.stderr).toBe(
      'Not searched, because their tools are not known yet: wrong (error). See patchbay status.\n',
    );
    const leaky = await run(folder.path, 'search', 'leak', '--server', 'told');
    expect(leaky.stdout).toMatch(/told:leak\s+Uses •••\./);
    const nowhere = await run(folder.path, 'search', 'good', '--server', 'nope');
    expect([nowhere.code, nowhere.stdout]).toEqual([1, '']);
    expect(nowhere.stderr).toMatch(/no server called "nope"[\s\S]*Servers: good, wrong, told, off/);
  });

  it('[PB-HEAD-1] [PB-PROC-1] patchbay restart ends the process and waits for the next one', async () => {
    const pid = async () => {
      const { servers } = JSON.parse((await run(folder.path, 'status', '--json')).stdout);
      return servers[0].pid as number;
    };
    const before = await pid();
    const { code, stdout } = await run(folder.path, 'restart', 'good');
    expect([code, stdout]).toEqual([0, 'good is connected again.\n']);
    expect(await pid()).not.toBe(before);
    expect(() => process.kill(before, 0)).toThrow('ESRCH');
  });

  it('[PB-HEAD-1] patchbay disable, enable and remove edit the config, and a removal can be undone', async () => {
    const config = () => readFile(join(folder.path, 'mcp.json'), 'utf8');
    const before = await config();
    expect(await run(folder.path, 'enable', 'off')).toMatchObject({ code: 0, stdout: 'off is turned on.\n' });
    await eventually(async () => expect((await run(folder.path, 'status')).stdout).toMatch(/off +connected/));
    expect(await run(folder.path, 'disable', 'off')).toMatchObject({
      code: 0,
      stdout: 'off is turned off.\n',
    });
    await eventually(async () => expect((await run(folder.path, 'status')).stdout).toMatch(/off +disabled/));
    const [, undo = ''] = /--undo (\S+)/.exec((await run(folder.path, 'remove', 'off')).stdout) ?? [];
    expect(JSON.parse(await config()).mcpServers).not.toHaveProperty('off');
    expect(await run(folder.path, 'remove', '--undo', undo)).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(await config())).toEqual(JSON.parse(before));
  });

  it('[PB-HEAD-1] patchbay log prints what a server has logged', async () => {
    const { code, stdout } = await run(folder.path, 'log', 'good');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d{4}-\S+Z {2}hub {5}Started .* as process \d+$/m);
    const last = await run(folder.path, 'log', 'good', '--last', '1');
    expect(last.stdout.trim().split('\n')).toHaveLength(1);
    expect(stdout.endsWith(last.stdout)).toBe(true);
  });

  it.each(['enable', 'disable', 'remove', 'log'])(
    '[PB-HEAD-1] patchbay %s knows no other server',
    async (verb) => {
      const { code, stdout, stderr } = await run(folder.path, verb, 'unknown');
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain('[config.unknown_server]');
    },
  );

  it.each([
    ['wrong', '[server.command_not_found]'],
    ['off', 'turned off'],
    ['unknown', '[config.unknown_server]'],
  ])('[PB-HEAD-1] [NFR-R4] patchbay restart %s fails with the reason', async (key, reason) => {
    const { code, stdout, stderr } = await run(folder.path, 'restart', key);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(reason);
  });

  it('[PB-HEAD-1] [NFR-R4] says that no hub runs where none does', async () => {
    await using empty = await tempDir();
    const { code, stderr } = await run(empty.path, 'status');
    expect([code, stderr]).toEqual([1, expect.stringContaining('[hub.unreachable]')]);
  });
});

it('[PB-HEAD-1] [NFR-R4] does nothing offline while a hub does not respond', async () => {
  await using folder = await tempDir();
  const { run: runFolder, socket } = dataPaths(folder.path);
  await mkdir(runFolder, { mode: 0o700 });
  const silent = createServer().listen(socket);
  await once(silent, 'listening');
  try {
    const { code, stderr } = await run(folder.path, 'sign-out', 'x');
    expect([code, stderr]).toEqual([1, expect.stringContaining('does not respond. [hub.busy]')]);
  } finally {
    silent.close();
  }
});

describe('a request of a command', () => {
  const service = createAdminService(() => Promise.reject(new Error('The hub must not be asked.')));

  it.each([
    ['server.restart', { key: 7 }],
    ['server.restart', undefined],
    ['toString', {}],
  ])('[PB-SAFE-2] is rejected if it is invalid: %s %j', async (call, input) => {
    await expect(service.answer(call, input)).rejects.toMatchObject({
      problem: { code: 'app.invalid_request' },
    });
  });
});
