import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../electron/engine/base/clock.ts';
import { silentLogger } from '../../../../electron/engine/base/logger.ts';
import { processIdentity } from '../../../../electron/engine/store/process-identity.ts';
import { createLedger, readLedger } from '../../../../electron/engine/supervise/ledger.ts';
import { createProcessTables } from '../../../../electron/engine/supervise/process-tables.ts';
import { reapLeftovers } from '../../../../electron/engine/supervise/reap-leftovers.ts';
import { ancestorsVariable, extendAncestors } from '../../../../shared/model/loop.ts';
import { tempDir } from '../../../helper/temp-dir.ts';
import { eventually, fixture, harness, isAlive, order, survivors } from './harness.ts';

/** A server of a hub that was killed: it leads its own group and nobody owns it. */
async function leftover(name: string, instanceId: string) {
  const child = spawn(process.execPath, [fixture(name)], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, [ancestorsVariable]: extendAncestors(undefined, instanceId) },
  });
  child.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"ping"}\n`);
  await once(child.stdout, 'data');
  const pid = child.pid ?? 0;
  const identity = (await processIdentity(pid)) ?? '';
  return { key: name, pid, identity };
}

describe('what a killed hub left behind', () => {
  it('[PB-PROC-1] is ended with its whole family, and nothing else', async () => {
    await using folder = await tempDir();
    const instanceId = `test ${crypto.randomUUID()}`;
    const file = join(folder.path, 'children.json');
    const [stubborn, family, innocent] = await Promise.all([
      leftover('stubborn', instanceId),
      leftover('family', instanceId),
      leftover('stubborn', `other ${instanceId}`),
    ]);
    const ledger = createLedger(file, silentLogger, []);
    // A pid that now belongs to a stranger, and one that nobody has.
    await Promise.all([
      ledger.add(stubborn),
      ledger.add(family),
      ledger.add({ ...innocent, identity: 'an earlier process' }),
      ledger.add({ key: 'gone', pid: 4_000_001, identity: 'x' }),
    ]);
    const report = await reapLeftovers({
      file,
      instanceId,
      clock: systemClock,
      logger: silentLogger,
      processes: createProcessTables(systemClock),
      step: 500,
    });
    expect(report).toEqual({ reaped: [stubborn, family], left: [] });
    expect(await survivors(instanceId)).toEqual([]);
    expect(await isAlive(innocent.pid)).toBe(true);
    process.kill(-innocent.pid, 'SIGKILL');
  });

  it.runIf(process.platform === 'linux')(
    '[PB-PROC-1] is ended when its leader has gone and only its group lives on',
    async () => {
      await using folder = await tempDir();
      const instanceId = `test ${crypto.randomUUID()}`;
      const file = join(folder.path, 'children.json');
      const family = await leftover('family', instanceId);
      process.kill(family.pid, 'SIGKILL');
      await eventually(async () => !(await isAlive(family.pid)));
      await createLedger(file, silentLogger, []).add(family);
      const options = {
        file,
        instanceId,
        clock: systemClock,
        logger: silentLogger,
        processes: createProcessTables(systemClock),
        step: 500,
      };
      expect((await reapLeftovers({ ...options, instanceId: 'another' })).reaped).toEqual([]);
      expect((await reapLeftovers(options)).reaped).toEqual([family]);
      // The one in a session of its own has lost every tie to its family; only its marker still tells.
      for (const pid of await survivors(instanceId)) process.kill(pid, 'SIGKILL');
    },
  );

  it.runIf(process.platform === 'linux')(
    '[PB-PROC-1] is ended when its server has left by itself and is on no list any more',
    async () => {
      await using folder = await tempDir();
      const ledgerFile = join(folder.path, 'children.json');
      const instanceId = `test ${crypto.randomUUID()}`;
      const other = `other ${instanceId}`;
      const [family, foreign] = await Promise.all([
        leftover('family', instanceId),
        leftover('family', other),
      ]);
      for (const { pid } of [family, foreign]) process.kill(pid, 'SIGKILL');
      await eventually(async () => !(await isAlive(family.pid)) && !(await isAlive(foreign.pid)));
      // A hub that itself runs below a server of ours, and a server of that hub.
      const below = spawn('sleep', ['1000'], {
        stdio: 'ignore',
        env: {
          ...process.env,
          [ancestorsVariable]: extendAncestors(encodeURIComponent(instanceId), 'below'),
        },
      });
      expect((await survivors(instanceId)).length).toBe(4);
      await using h = harness({ ledgerFile, instanceId });
      h.supervisor.apply([order('a', 'echo')]);
      const { pid } = await h.until('a', 'connected');
      expect([...(await survivors(instanceId))].sort()).toEqual([pid, below.pid].sort());
      expect((await survivors(other)).length).toBe(3);
      for (const stray of [...(await survivors(other)), below.pid ?? 0]) process.kill(stray, 'SIGKILL');
      await eventually(async () => !(await isAlive(below.pid ?? 0)));
    },
  );

  it('[PB-PROC-1] is gone before the next hub starts its servers', async () => {
    await using folder = await tempDir();
    const ledgerFile = join(folder.path, 'children.json');
    const instanceId = `test ${crypto.randomUUID()}`;
    const old = await leftover('stubborn', instanceId);
    await createLedger(ledgerFile, silentLogger, []).add(old);
    await using h = harness({ ledgerFile, instanceId });
    h.supervisor.apply([order('a', 'echo')]);
    await h.until('a', 'connecting', (state) => state.pid !== undefined);
    expect(await isAlive(old.pid)).toBe(false);
  });

  it('is noted while servers run and forgotten when they have ended', async () => {
    await using folder = await tempDir();
    const ledgerFile = join(folder.path, 'children.json');
    await using h = harness({ ledgerFile });
    h.supervisor.apply([order('a', 'echo'), order('b', 'echo')]);
    const a = await h.until('a', 'connected');
    const b = await h.until('b', 'connected');
    const noted = await readLedger(ledgerFile);
    expect(noted.map(({ pid }) => pid).sort()).toEqual([a.pid, b.pid].sort());
    await h.supervisor.shutdown();
    expect(await readLedger(ledgerFile)).toEqual([]);
  });

  it('is nothing in a file that is missing, damaged or forged', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'children.json');
    expect(await readLedger(file)).toEqual([]);
    await writeFile(file, '{"children": [{"key":"a","pid":1,"identity":"x"}, {"pid":-1}, 7, null]}');
    expect(await readLedger(file)).toEqual([]);
    await writeFile(file, '{"chil');
    expect(await readLedger(file)).toEqual([]);
  });

  it('hurts no server when it cannot be noted', async () => {
    await using folder = await tempDir();
    const ledgerFile = join(folder.path, 'no', 'such', 'folder', 'children.json');
    await using h = harness({ ledgerFile });
    h.supervisor.apply([order('a', 'echo')]);
    await h.until('a', 'connected');
    await expect(readFile(ledgerFile)).rejects.toThrow('ENOENT');
  });
});
