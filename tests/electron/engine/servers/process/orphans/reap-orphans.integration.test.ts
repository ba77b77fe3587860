import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../../../../electron/engine/base/clock.ts';
import { silentLogger } from '../../../../../../electron/engine/base/logger.ts';
import {
  createPidRegistry,
  noRecords,
  readPidRegistry,
} from '../../../../../../electron/engine/servers/process/orphans/pid-registry.ts';
import { appendTag } from '../../../../../../electron/engine/servers/process/orphans/process-tag.ts';
import { reapOrphans } from '../../../../../../electron/engine/servers/process/orphans/reap-orphans.ts';
import { readCgroup } from '../../../../../../electron/engine/servers/process/orphans/tagged-processes.ts';
import { createProcessTables } from '../../../../../../electron/engine/servers/process/table/process-tables.ts';
import { sendSignal } from '../../../../../../electron/engine/servers/process/tree/process-set.ts';
import { processIdentity } from '../../../../../../electron/engine/store/files/process-identity.ts';
import {
  ancestorsVariable,
  extendAncestors,
  processTagVariable,
} from '../../../../../../shared/model/server/loop.ts';
import { tempDir } from '../../../../../helper/temp-dir.ts';
import { eventually, fixture, harness, isAlive, order, survivors } from '../../harness.ts';

/** Owners: a hub that is gone, or this very process, which lives. */
interface Owner {
  readonly instanceId: string;
  readonly pid: number;
  readonly identity: string;
}

async function livingOwner(): Promise<Owner> {
  const identity = (await processIdentity(process.pid)) ?? '';
  return { instanceId: `test ${crypto.randomUUID()}`, pid: process.pid, identity };
}

async function goneOwner(): Promise<Owner> {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const { pid = 0 } = child;
  const identity = (await processIdentity(pid)) ?? '';
  child.stdin.end();
  await once(child, 'exit');
  return { instanceId: `test ${crypto.randomUUID()}`, pid, identity };
}

/** Tag of a process that a server of `owner` started, below any hubs above. */
function marksOf({ instanceId, pid, identity }: Owner, cgroup = readCgroup('self'), above?: Owner) {
  const tag = (owner: number, ownerIdentity: string) => ({
    owner,
    ownerIdentity,
    cgroup,
    id: crypto.randomUUID(),
  });
  const runs = above === undefined ? undefined : appendTag(undefined, tag(above.pid, above.identity));
  return {
    [ancestorsVariable]: extendAncestors(undefined, instanceId),
    [processTagVariable]: appendTag(runs, tag(pid, identity)),
  };
}

/** Starts an orphaned server, which leads its own group. */
async function leftover(name: string, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [fixture(name)], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  });
  child.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"ping"}\n`);
  // Orphans may be found and ended by any hub that starts meanwhile, such as that of another test.
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  const pid = child.pid ?? 0;
  const identity = (await processIdentity(pid)) ?? '';
  return { key: name, pid, identity };
}

const linux = process.platform === 'linux';
/** Windows has no process groups; windows-process-tree.test.ts is its test. */
const posix = process.platform !== 'win32';

describe('what a killed hub left behind', () => {
  it.runIf(posix)('[PB-PROC-1] is ended with its whole family, and nothing else', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'children.json');
    // Tagged by a living hub, so that only the registry decides what is ended.
    const [owner, other] = [await livingOwner(), await livingOwner()];
    const [stubborn, family, innocent] = await Promise.all([
      leftover('stubborn', marksOf(owner)),
      leftover('family', marksOf(owner)),
      leftover('stubborn', marksOf(other)),
    ]);
    const ledger = createPidRegistry(file, silentLogger, noRecords);
    // Holds a pid that was reused, and one that does not exist.
    await Promise.all([
      ledger.add(stubborn),
      ledger.add(family),
      ledger.add({ ...innocent, identity: 'an earlier process' }),
      ledger.add({ key: 'gone', pid: 4_000_001, identity: 'x' }),
    ]);
    const processes = createProcessTables();
    const report = await reapOrphans((await readPidRegistry(file)).children, {
      clock: systemClock,
      logger: silentLogger,
      processes,
      step: 500,
    });
    expect(report).toEqual({ reaped: [stubborn, family], left: [] });
    expect(await survivors(owner.instanceId)).toEqual([]);
    expect(await isAlive(innocent.pid)).toBe(true);
    process.kill(-innocent.pid, 'SIGKILL');
  });

  it('[PB-PROC-1] keeps no server from starting if the registry cannot be read', async () => {
    await using folder = await tempDir();
    await using h = harness({ registryFile: folder.path });
    h.supervisor.apply([order('a', 'echo')]);
    await h.until('a', 'connected');
  });

  it.runIf(linux)('[PB-PROC-1] is ended when it is not registered and its server is gone', async () => {
    await using folder = await tempDir();
    const [gone, living] = [await goneOwner(), await livingOwner()];
    const [family, innocent] = await Promise.all([
      leftover('family', marksOf(gone)),
      leftover('family', marksOf(living)),
    ]);
    process.kill(innocent.pid, 'SIGKILL');
    if (await isAlive(family.pid)) process.kill(family.pid, 'SIGKILL');
    await eventually(async () => !(await isAlive(family.pid)) && !(await isAlive(innocent.pid)));
    await using h = harness({ registryFile: join(folder.path, 'children.json') });
    h.supervisor.apply([order('a', 'echo')]);
    await h.until('a', 'connected');
    expect(await survivors(gone.instanceId)).toEqual([]);
    expect((await survivors(living.instanceId)).length).toBe(3);
    for (const pid of await survivors(living.instanceId)) process.kill(pid, 'SIGKILL');
  });

  it.runIf(linux)('[PB-PROC-1] is ended by a command too, which has no registry', async () => {
    const gone = await goneOwner();
    await leftover('stubborn', marksOf(gone));
    await using h = harness();
    h.supervisor.apply([order('a', 'echo')]);
    await h.until('a', 'connected');
    expect(await survivors(gone.instanceId)).toEqual([]);
  });

  it.runIf(linux)('is not ended if it belongs to a running hub, or was passed on', async () => {
    const [gone, living] = [await goneOwner(), await livingOwner()];
    const innocents = [
      // Tagged by a living hub below the one that is gone.
      marksOf(living, readCgroup('self'), gone),
      // Moved by the service manager, or in a container.
      marksOf(gone, 'elsewhere'),
      // Started by the desktop.
      { ...marksOf(gone), GIO_LAUNCHED_DESKTOP_FILE: '/usr/share/applications/browser.desktop' },
    ];
    const left = await Promise.all(innocents.map((env) => leftover('stubborn', env)));
    onTestFinished(() => {
      for (const { pid } of left) sendSignal(pid, 'SIGKILL');
    });
    await using h = harness();
    h.supervisor.apply([order('a', 'echo')]);
    await h.until('a', 'connected');
    expect(await Promise.all(left.map(({ pid }) => isAlive(pid)))).toEqual([true, true, true]);
  });

  it('[PB-PROC-1] is gone before the next hub starts its servers', async () => {
    await using folder = await tempDir();
    const ledgerFile = join(folder.path, 'children.json');
    const old = await leftover('stubborn', marksOf(await livingOwner()));
    await createPidRegistry(ledgerFile, silentLogger, noRecords).add(old);
    await using h = harness({ registryFile: ledgerFile });
    h.supervisor.apply([order('a', 'echo')]);
    await h.until('a', 'connecting', (state) => state.pid !== undefined);
    expect(await isAlive(old.pid)).toBe(false);
  });

  it('is registered while servers run, and removed when they have ended', async () => {
    await using folder = await tempDir();
    const ledgerFile = join(folder.path, 'children.json');
    await using h = harness({ registryFile: ledgerFile });
    h.supervisor.apply([order('a', 'echo'), order('b', 'echo')]);
    const a = await h.until('a', 'connected');
    const b = await h.until('b', 'connected');
    const noted = await readPidRegistry(ledgerFile);
    expect(noted.children.map(({ pid }) => pid).sort()).toEqual([a.pid, b.pid].sort());
    await h.supervisor.shutdown();
    expect(await readPidRegistry(ledgerFile)).toEqual(noRecords);
  });

  it('is nothing if the file is missing, damaged or forged', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'children.json');
    expect(await readPidRegistry(file)).toEqual(noRecords);
    await writeFile(file, '{"children": [{"key":"a","pid":1,"identity":"x"}, {"pid":-1}, 7, null]}');
    expect(await readPidRegistry(file)).toEqual(noRecords);
    await writeFile(file, '{"chil');
    expect(await readPidRegistry(file)).toEqual(noRecords);
  });

  it('affects no server if it cannot be registered', async () => {
    await using folder = await tempDir();
    const ledgerFile = join(folder.path, 'no', 'such', 'folder', 'children.json');
    await using h = harness({ registryFile: ledgerFile });
    h.supervisor.apply([order('a', 'echo')]);
    await h.until('a', 'connected');
    await expect(readFile(ledgerFile)).rejects.toThrow('ENOENT');
  });
});
