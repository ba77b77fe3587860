import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataPaths, openDataDir } from '../../../electron/engine/store/files/data-dir.ts';
import { turnOff } from '../../../electron/engine/store/files/turned-off.ts';
import { loneBridge, runBridge, startBridge } from '../../helper/bridge.ts';
import { eventually } from '../../helper/eventually.ts';
import { programs } from '../../helper/programs.ts';
import { tempDir } from '../../helper/temp-dir.ts';

/** Uses its own temporary folder, so that leftovers are visible. */
async function place() {
  const folder = await tempDir();
  const temporary = join(folder.path, 'tmp');
  await mkdir(temporary);
  const dataDir = join(folder.path, 'data');
  return {
    dataDir,
    folder: folder.path,
    env: temporaryIn(temporary),
    left: () => readdir(temporary),
    /** Program that the bridge starts as the hub. */
    async launch(script: string) {
      const paths = await openDataDir(dataDir);
      const launch = { command: process.execPath, args: ['-e', script], env: {} };
      await writeFile(paths.launch, JSON.stringify(launch));
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** The variables by which systems name the folder for temporary files. */
const temporaryIn = (folder: string) => ({ TMPDIR: folder, TEMP: folder, TMP: folder });

describe('a hub that cannot start', () => {
  it('[PB-BRIDGE-1] [NFR-R4] is why calls and lists fail at once, and is started again once its folder can be used', async () => {
    await using at = await place();
    await writeFile(at.dataDir, 'a file');
    await using bridge = await startBridge(programs.bridge, ['--data-dir', at.dataDir], at.env);
    await bridge.client.greet();
    const { error } = await bridge.client.request('tools/call', { name: 'x' });
    expect(error).toMatchObject({
      message: expect.stringContaining(`${at.dataDir} is a file, but should be a folder`),
      data: { code: 'hub.data_folder_unwritable', fix: expect.any(String) },
    });
    for (const method of ['tools/list', 'resources/list']) {
      const list = await bridge.client.request(method);
      expect(list.error?.data).toMatchObject({ code: 'hub.data_folder_unwritable' });
    }
    expect(bridge.stderr()).toContain(`starting Patchbay for ${at.dataDir}: ${process.execPath} `);
    expect(bridge.stderr()).toContain(`--data-dir=${at.dataDir}`);
    expect(bridge.stderr().split('is a file, but should be a folder')).toHaveLength(2);
    // Windows may list a deleted file until it is closed.
    if (process.platform !== 'win32') expect(await at.left()).toEqual([]);

    await rm(at.dataDir);
    await eventually(async () => {
      expect((await bridge.client.request('tools/list')).result).toMatchObject({
        tools: [{ name: 'patchbay_status' }],
      });
    });
    const { pid } = JSON.parse(await readFile(dataPaths(at.dataDir).hub, 'utf8'));
    expect(await bridge.hangUp()).toBe(0);
    process.kill(pid, 'SIGTERM');
    await eventually(() => expect(() => process.kill(pid, 0)).toThrow());
    expect(await at.left()).toEqual([]);
  });

  it('[PB-BRIDGE-1] [NFR-R4] is followed by one without a window if the app ends without a reason: its display may be gone', async () => {
    await using at = await place();
    await at.launch('process.kill(process.pid, "SIGSEGV")');
    await using bridge = await startBridge(programs.bridge, ['--data-dir', at.dataDir], at.env);
    await bridge.client.greet();
    await eventually(async () => {
      expect((await bridge.client.request('tools/list')).result).toMatchObject({
        tools: [{ name: 'patchbay_status' }],
      });
    });
    expect(bridge.stderr()).toMatch(/could not be started[\s\S]*without a window: .* serve --data-dir=/);
    const { pid } = JSON.parse(await readFile(dataPaths(at.dataDir).hub, 'utf8'));
    expect(await bridge.hangUp()).toBe(0);
    process.kill(pid, 'SIGTERM');
    await eventually(() => expect(() => process.kill(pid, 0)).toThrow());
  });

  it('[PB-BRIDGE-1] is reported with its last output if it reports no problem', async () => {
    await using at = await place();
    await at.launch('process.stderr.write("something broke\\n"); process.exitCode = 3');
    const program = await loneBridge(at.folder);
    await using bridge = await startBridge(program, ['--data-dir', at.dataDir], at.env);
    await bridge.client.greet();
    const { error } = await bridge.client.request('tools/call', { name: 'x' });
    expect(error).toMatchObject({
      message: expect.stringMatching(/could not be started \(exit code 3\)\. Run this in a terminal/),
      data: {
        code: 'hub.unreachable',
        evidence: expect.arrayContaining([{ label: 'standard error', value: 'something broke' }]),
      },
    });
    expect((await bridge.client.request('tools/list')).error?.data?.code).toBe('hub.unreachable');
    expect(await bridge.hangUp()).toBe(0);
    expect(await at.left()).toEqual([]);
  });

  it('[PB-BRIDGE-1] is reported without a temporary folder too', async () => {
    await using at = await place();
    await at.launch('process.exitCode = 4');
    const program = await loneBridge(at.folder);
    const nowhere = temporaryIn(join(at.folder, 'nowhere'));
    await using bridge = await startBridge(program, ['--data-dir', at.dataDir], nowhere);
    await bridge.client.greet();
    const { error } = await bridge.client.request('tools/call', { name: 'x' });
    expect(error?.data?.code).toBe('hub.unreachable');
    expect(error?.message).toContain('exit code 4');
  });

  it('[PB-BRIDGE-1] [PB-PROC-1] may still write to standard error after the bridge has gone', async () => {
    await using at = await place();
    const file = join(at.folder, 'pid');
    await at.launch(
      `require('fs').writeFileSync(${JSON.stringify(file)}, String(process.pid));` +
        'setInterval(() => process.stderr.write("still here\\n"), 20)',
    );
    const program = await loneBridge(at.folder);
    await using bridge = await startBridge(program, ['--data-dir', at.dataDir], at.env);
    await bridge.client.greet();
    await eventually(async () => expect(Number(await readFile(file, 'utf8'))).toBeGreaterThan(0));
    const pid = Number(await readFile(file, 'utf8'));
    expect(await bridge.hangUp()).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(process.kill(pid, 0)).toBe(true);
    process.kill(pid, 'SIGKILL');
    expect(await at.left()).toEqual([]);
  });
});

describe('the doctor', () => {
  const doctor = (program: string, dataDir: string) =>
    runBridge(program, ['--data-dir', dataDir, '--doctor']);

  it('[PB-BRIDGE-1] sees a data folder that cannot be used, and leaves it as it is', async () => {
    await using at = await place();
    await writeFile(at.dataDir, 'a file');
    for (const dataDir of [at.dataDir, join(at.dataDir, 'below')]) {
      const { code, stdout } = await doctor(programs.bridge, dataDir);
      expect(code).toBe(1);
      expect(stdout).toMatch(
        /cannot be used \(hub\.data_folder_unwritable\)[\s\S]*what to do +Move the file away/,
      );
    }
    expect(await readFile(at.dataDir, 'utf8')).toBe('a file');
  });

  it.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
    '[PB-BRIDGE-1] sees a folder that it may not write',
    async () => {
      await using at = await place();
      await mkdir(at.dataDir);
      await chmod(at.dataDir, 0o500);
      const { code, stdout } = await doctor(programs.bridge, at.dataDir);
      expect([code, stdout]).toEqual([1, expect.stringContaining('EACCES')]);
    },
  );

  it('[PB-BRIDGE-1] says how a hub that is not there would be started, and makes no folder', async () => {
    await using at = await place();
    const { code, stdout } = await doctor(programs.bridge, at.dataDir);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /does not exist yet[\s\S]*not running[\s\S]*patchbay\.mjs serve --data-dir=[\s\S]*nothing: /,
    );
    expect(stdout).toContain(at.dataDir);
    expect(await readdir(at.folder)).toEqual(['tmp']);
  });

  it('[PB-BRIDGE-1] says that Patchbay is turned off, and what turns it on', async () => {
    await using at = await place();
    await openDataDir(at.dataDir);
    await turnOff(at.dataDir);
    const { code, stdout } = await doctor(programs.bridge, at.dataDir);
    expect(code).toBe(1);
    expect(stdout).toMatch(/turned off[\s\S]*what to do +Open Patchbay/);
  });

  it('[PB-BRIDGE-1] ignores a command whose program is missing, and a record whose process has ended', async () => {
    await using at = await place();
    const paths = await openDataDir(at.dataDir);
    const gone = { command: process.execPath, args: [join(at.folder, 'gone.mjs'), 'serve'], env: {} };
    await writeFile(paths.launch, JSON.stringify(gone));
    await writeFile(
      paths.hub,
      JSON.stringify({ pid: process.pid, identity: 'of another', startedAt: 1, version: '1' }),
    );
    const { code, stdout } = await doctor(await loneBridge(at.folder), at.dataDir);
    expect(code).toBe(1);
    expect(stdout).toMatch(/ended unexpectedly[\s\S]*none known[\s\S]*what to do +open Patchbay once/);
  });
});
