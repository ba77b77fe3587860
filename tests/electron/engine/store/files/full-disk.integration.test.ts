import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createConfigStore } from '../../../../../electron/engine/config/store/store.ts';
import { openOfflineSecrets } from '../../../../../electron/engine/secrets/offline-secrets.ts';
import { writeFileAtomic } from '../../../../../electron/engine/store/files/atomic-file.ts';
import { openDataDir } from '../../../../../electron/engine/store/files/data-dir.ts';
import { acquireInstanceLock } from '../../../../../electron/engine/store/files/instance-lock.ts';
import { createReserve, openHubFolder } from '../../../../../electron/engine/store/files/reserve.ts';
import { canMount, smallDisk } from '../../../../helper/small-disk.ts';

describe.runIf(canMount)('a disk that fills up', () => {
  it('[PB-CFG-2] keeps the old file and leaves no temporary file, whether the text fits in part or not at all', async () => {
    await using disk = await smallDisk();
    const file = join(disk.path, 'mcp.json');
    await writeFileAtomic(file, 'old');
    for (const size of [63_000, 100_000]) {
      await expect(writeFileAtomic(file, 'x'.repeat(size))).rejects.toMatchObject({
        problem: { code: 'hub.disk_full' },
      });
      expect(await readFile(file, 'utf8')).toBe('old');
      expect(await readdir(disk.path)).toEqual(['mcp.json']);
    }
  });

  it('[NFR-SEC1] still tells which secrets there are, and says why none is stored or deleted', async () => {
    await using disk = await smallDisk('128k');
    await (await openOfflineSecrets(disk.path, {})).set('API', 'hush');
    disk.fill();
    await expect(openOfflineSecrets(disk.path, {})).rejects.toMatchObject({
      problem: { code: 'hub.disk_full' },
    });
    const kept = await openOfflineSecrets(disk.path, {}, false);
    expect((await kept.list()).secrets).toMatchObject([{ name: 'API', readable: true }]);
    await expect(kept.delete('API', true)).rejects.toMatchObject({ problem: { code: 'hub.disk_full' } });
  });

  it('[PB-CFG-2] refuses an edit of the config, which stays as it was and can be edited once there is room', async () => {
    await using disk = await smallDisk();
    const file = join(disk.path, 'mcp.json');
    const text = '{\n  // mine\n  "mcpServers": { "a": { "command": "node" } }\n}\n';
    await writeFile(file, text);
    const ballast = join(disk.path, 'ballast');
    await writeFile(ballast, 'x'.repeat(56_000));
    const store = await createConfigStore({ file, env: () => ({}), create: true });
    const entry = { command: 'node', args: ['y'.repeat(9_000)] };
    await expect(store.add([{ key: 'b', entry }])).rejects.toMatchObject({
      problem: { code: 'hub.disk_full' },
    });
    expect(await readFile(file, 'utf8')).toBe(text);
    await writeFile(ballast, '');
    await store.add([{ key: 'b', entry }]);
    expect(await readFile(file, 'utf8')).toContain('// mine');
    store.dispose();
  });

  it('[NFR-R1] does not keep a hub from starting after a killed one, thanks to its reserve', async () => {
    await using disk = await smallDisk('6m');
    const data = join(disk.path, 'data');
    const first = await openHubFolder(data);
    expect(first.problem).toBeUndefined();
    await acquireInstanceLock(first.paths.hub, '1');
    await createReserve(first.paths);
    await createReserve(first.paths);
    disk.fill();
    await expect(openDataDir(data)).rejects.toMatchObject({ problem: { code: 'hub.disk_full' } });
    const second = await openHubFolder(data);
    expect(second.problem).toMatchObject({ code: 'hub.disk_full', fix: expect.stringContaining('restart') });
    await createReserve(second.paths);
    await writeFileAtomic(second.paths.children, 'x'.repeat(100_000));
    await disk.empty();
    await createReserve(second.paths);
    expect(await readdir(second.paths.run)).toContain('reserve');
  });

  it('is reported by name when the hub starts on it', async () => {
    await using disk = await smallDisk();
    disk.fill();
    const data = join(disk.path, 'data');
    await mkdir(join(data, 'run'), { recursive: true });
    await expect(openDataDir(data)).rejects.toMatchObject({
      problem: { code: 'hub.disk_full' },
    });
    expect(await readdir(join(data, 'run'))).toEqual([]);
  });
});
