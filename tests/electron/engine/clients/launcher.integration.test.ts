import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseBridgeArgs } from '../../../../electron/bridge/args.ts';
import { type BridgeProgram, createLauncher } from '../../../../electron/engine/clients/launcher/launcher.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

const run = promisify(execFile);
const told = 'console.log(JSON.stringify([process.argv.slice(2), process.env.ELECTRON_RUN_AS_NODE ?? null]))';

/** Creates a folder with a program that reports how it was started. */
async function withBridge(folder: string, more: Partial<BridgeProgram> = {}): Promise<BridgeProgram> {
  const bundle = join(folder, "ada's app", 'patchbay-bridge.mjs');
  await mkdir(join(folder, "ada's app"), { recursive: true });
  await writeFile(bundle, told);
  return { binary: process.execPath, bundle, electron: false, image: false, ...more };
}

const launcherOf = (
  dataDir: string,
  bridge: BridgeProgram | undefined,
  platform: NodeJS.Platform = 'linux',
) => createLauncher({ dataDir, ownDataDir: true, platform, bridge });

async function start(launcher: ReturnType<typeof launcherOf>) {
  const { command, args, env } = launcher.command('cursor');
  const { stdout } = await run(command, [...args], { env: { ...env } });
  return JSON.parse(stdout);
}

// Skipped on Windows because the launcher is a shell script.
describe.skipIf(process.platform === 'win32')('what clients start', () => {
  it('[PB-BRIDGE-1] [PB-CLIENT-1] runs the bridge with an empty environment, from a path that stays', async () => {
    await using folder = await tempDir();
    const dataDir = join(folder.path, 'my data');
    const launcher = launcherOf(dataDir, await withBridge(folder.path, { electron: true }));
    await launcher.ensure();
    expect(launcher.command('cursor').command).toBe(join(dataDir, 'bin', 'patchbay-bridge'));
    expect(await start(launcher)).toEqual([
      ['--data-dir', dataDir, '--data-dir', dataDir, '--client', 'cursor'],
      '1',
    ]);
  });

  it('[PB-BRIDGE-1] of a data folder leads to its hub, whatever the entry that starts it says', async () => {
    await using folder = await tempDir();
    const dataDir = join(folder.path, "ada's data");
    const bridge = await withBridge(folder.path);
    await launcherOf(dataDir, bridge).ensure();
    const script = join(dataDir, 'bin', 'patchbay-bridge');
    const started = async (...args: readonly string[]) =>
      parseBridgeArgs(JSON.parse((await run(script, args, { env: {} })).stdout)[0], '0');
    expect(await started()).toMatchObject({ kind: 'run', dataDir });
    expect(await started('--data-dir', '/other')).toMatchObject({ kind: 'run', dataDir: '/other' });
    await createLauncher({ dataDir, ownDataDir: false, platform: 'linux', bridge }).ensure();
    expect(await started()).toMatchObject({ kind: 'run', dataDir: undefined });
  });

  it('[PB-BRIDGE-1] follows an app that has moved, by the next start of it', async () => {
    await using folder = await tempDir();
    const dataDir = join(folder.path, 'data');
    const gone = await withBridge(folder.path);
    await launcherOf(dataDir, gone).ensure();
    const moved = launcherOf(dataDir, await withBridge(join(folder.path, 'elsewhere')));
    await moved.ensure();
    expect((await start(moved))[0]).toContain('--client');
    expect(await readFile(join(dataDir, 'bin', 'patchbay-bridge'), 'utf8')).toContain('elsewhere');
  });

  it('[PB-BRIDGE-1] says what to do when the app is gone', async () => {
    await using folder = await tempDir();
    const binary = join(folder.path, 'node');
    await writeFile(binary, '');
    const launcher = launcherOf(join(folder.path, 'data'), await withBridge(folder.path, { binary }));
    await launcher.ensure();
    await expect(start(launcher)).rejects.toMatchObject({ code: 1, stderr: /Open Patchbay once/ });
  });

  it('[PB-BRIDGE-1] survives the mount of an AppImage, whose start script adds an argument', async () => {
    await using folder = await tempDir();
    const mounted = join(folder.path, 'mount_1');
    const image = join(folder.path, 'Patchbay.AppImage');
    // Behaves like electron-builder's AppRun on a system without a sandbox.
    const script = `#!/bin/sh\nfor a in "$@"; do [ "$a" = --no-sandbox ] && exec "${process.execPath}" "$@"; done\nexec "${process.execPath}" --no-sandbox "$@"\n`;
    await writeFile(image, script);
    await chmod(image, 0o755);
    const bridge = await withBridge(mounted, { binary: image, image: true, electron: true });
    const launcher = launcherOf(join(folder.path, 'data'), bridge);
    await launcher.ensure();
    await run('rm', ['-rf', mounted]);
    const [args] = await start(launcher);
    expect(args.slice(-4)).toEqual(['--data-dir', join(folder.path, 'data'), '--client', 'cursor']);
    expect(args).not.toContain('--no-sandbox');
  });

  it('[PB-BRIDGE-1] is refused if clients could not find it later', async () => {
    await using folder = await tempDir();
    const dir = join(folder.path, 'AppTranslocation', 'X');
    const binary = join(dir, 'Patchbay');
    const bridge = await withBridge(dir, { binary });
    await writeFile(binary, '');
    const noLauncher = { problem: { code: 'client.no_launcher' } };
    await expect(launcherOf(folder.path, bridge).ensure()).rejects.toMatchObject(noLauncher);
    await expect(launcherOf(folder.path, undefined).ensure()).rejects.toMatchObject(noLauncher);
    const missing = { ...bridge, binary: process.execPath, bundle: join(folder.path, 'none.mjs') };
    await expect(launcherOf(folder.path, missing).ensure()).rejects.toMatchObject(noLauncher);
  });
});

it('[PB-BRIDGE-1] what clients start on Windows is the app itself, with nothing in between', () => {
  const bundle = 'C:\\Patchbay\\resources\\lib\\patchbay-bridge.mjs';
  const binary = 'C:\\Patchbay\\Patchbay.exe';
  const launcher = launcherOf('C:\\d', { binary, bundle, electron: true, image: false }, 'win32');
  expect(launcher.command('zed')).toEqual({
    command: binary,
    args: [bundle, '--data-dir', 'C:\\d', '--client', 'zed'],
    env: { ELECTRON_RUN_AS_NODE: '1' },
  });
});
