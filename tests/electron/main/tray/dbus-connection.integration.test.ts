import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { socketPath } from '../../../../electron/main/tray/dbus-connection.ts';
import { type TrayHost, watchTrayHost } from '../../../../electron/main/tray/tray-host.ts';
import { eventually } from '../../../helper/eventually.ts';
import { tempDir } from '../../../helper/temp-dir.ts';
import { startTrayHost } from '../../../helper/tray-host.ts';

describe('the address of a bus', () => {
  it.each([
    ['unix:path=/run/user/1000/bus', '/run/user/1000/bus'],
    ['unix:path=/tmp/dbus-a%20b,guid=00ff', '/tmp/dbus-a b'],
    ['unix:guid=00ff,abstract=/tmp/dbus-x', '\0/tmp/dbus-x'],
    ['tcp:host=localhost,port=1;unix:path=/a=b', '/a=b'],
    ['tcp:host=localhost,port=1', undefined],
    ['', undefined],
  ])('[PB-TRAY-1] %j', (address, path) => {
    expect(socketPath(address)).toBe(path);
  });
});

const hasDaemon = spawnSync('dbus-daemon', ['--version']).status === 0;

describe.runIf(hasDaemon)('the host of tray icons', () => {
  let daemon: ChildProcess;
  let folder: Awaited<ReturnType<typeof tempDir>>;
  let address: string;

  beforeEach(async () => {
    // A daemon that is killed leaves its socket.
    folder = await tempDir();
    const listen = `--address=unix:dir=${folder.path}`;
    daemon = spawn('dbus-daemon', ['--session', '--nofork', '--print-address', listen], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(daemon.stdout ?? daemon, 'data')) as [Buffer];
    address = line.toString().trim();
  });

  afterEach(async () => {
    if (daemon.exitCode === null && daemon.signalCode === null) {
      daemon.kill('SIGKILL');
      await once(daemon, 'exit');
    }
    await folder[Symbol.asyncDispose]();
  });

  it('[PB-TRAY-1] is known at once if there is one', async () => {
    await using _host = await startTrayHost(address);
    const { watch, appeared } = await follow(address);
    expect(watch.present).toBe(true);
    expect(appeared).toEqual([]);
    watch.dispose();
  });

  it('[PB-TRAY-1] is noticed when it comes, goes and comes again', async () => {
    const { watch, appeared } = await follow(address);
    expect(watch.present).toBe(false);
    const first = await startTrayHost(address);
    await eventually(() => expect(appeared).toHaveLength(1));
    expect(watch.present).toBe(true);
    await first[Symbol.asyncDispose]();
    await eventually(() => expect(watch.present).toBe(false));
    await using _second = await startTrayHost(address);
    await eventually(() => expect(appeared).toHaveLength(2));
    watch.dispose();
  });

  it('[PB-TRAY-1] is absent when the bus goes away', async () => {
    await using _host = await startTrayHost(address);
    const { watch, errors } = await follow(address);
    daemon.kill('SIGKILL');
    await eventually(() => expect(errors).not.toEqual([]));
    expect(watch.present).toBe(false);
  });

  it.each([undefined, '', 'tcp:host=localhost,port=1', 'unix:path=/nowhere/at/all'])(
    '[PB-TRAY-1] is absent, and nothing breaks, with the address %j',
    async (wrong) => {
      const { watch, errors } = await follow(wrong);
      expect(watch.present).toBe(false);
      expect(errors).toHaveLength(1);
    },
  );
});

async function follow(
  address: string | undefined,
): Promise<{ watch: TrayHost; appeared: unknown[]; errors: unknown[] }> {
  const appeared: unknown[] = [];
  const errors: unknown[] = [];
  const watch = await watchTrayHost({
    address,
    onAppear: () => void appeared.push(true),
    onError: (error) => void errors.push(error),
  });
  return { watch, appeared, errors };
}
