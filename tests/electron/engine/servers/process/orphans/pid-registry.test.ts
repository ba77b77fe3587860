import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { silentLogger } from '../../../../../../electron/engine/base/logger.ts';
import {
  createPidRegistry,
  noRecords,
  readPidRegistry,
} from '../../../../../../electron/engine/servers/process/orphans/pid-registry.ts';
import { tempDir } from '../../../../../helper/temp-dir.ts';

it('[PB-PROC-1] the record of a server has what it started, for as long as the server is recorded', async () => {
  await using folder = await tempDir();
  const file = join(folder.path, 'children.json');
  const registry = createPidRegistry(file, silentLogger, noRecords);
  const family = [{ pid: 101, identity: '5..5' }];
  await registry.add({ key: 'a', pid: 100, identity: '1..9' });
  await registry.addFamily(100, family);
  expect(await readPidRegistry(file)).toEqual({
    children: [{ key: 'a', pid: 100, identity: '1..9', family }],
    containers: [],
  });
  await registry.remove(100);
  await registry.addFamily(100, family);
  expect(await readPidRegistry(file)).toEqual(noRecords);
});

it('[PB-PROC-1] a forged family is no family', async () => {
  await using folder = await tempDir();
  const file = join(folder.path, 'children.json');
  const child = { key: 'a', pid: 100, identity: '1..9' };
  await writeFile(file, JSON.stringify({ children: [{ ...child, family: [{ pid: 1, identity: 'x' }, 7] }] }));
  expect((await readPidRegistry(file)).children).toEqual([child]);
});
