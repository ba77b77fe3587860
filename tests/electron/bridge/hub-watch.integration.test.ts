import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { watchForHub } from '../../../electron/bridge/data-folder.ts';
import { dataPaths } from '../../../electron/engine/store/files/data-dir.ts';
import { replaceFile } from '../../../electron/engine/store/files/replace-file.ts';
import { eventually } from '../../helper/eventually.ts';
import { tempDir } from '../../helper/temp-dir.ts';

/** Watches a folder and counts the signs. */
async function watched(dir: string) {
  const seen = { signs: 0, losses: 0 };
  const paths = dataPaths(dir);
  const watching = watchForHub(
    paths,
    () => {
      seen.signs += 1;
    },
    () => {
      seen.losses += 1;
    },
  );
  return { seen, paths, watching };
}

/** Written as a hub writes its record. */
async function leaveRecord(file: string): Promise<void> {
  await writeFile(`${file}.tmp`, '{}');
  await replaceFile(`${file}.tmp`, file);
}

describe('signs of a hub', () => {
  it('[PB-BRIDGE-1] its record appears, or is replaced', async () => {
    await using folder = await tempDir();
    await mkdir(join(folder.path, 'run'));
    const { seen, paths, watching } = await watched(folder.path);
    await leaveRecord(paths.hub);
    await eventually(() => expect(seen.signs).toBeGreaterThan(0));
    const before = seen.signs;
    await leaveRecord(paths.hub);
    await eventually(() => expect(seen.signs).toBeGreaterThan(before));
    watching?.dispose();
  });

  it('[PB-BRIDGE-1] are seen though the whole data folder is made later', async () => {
    await using folder = await tempDir();
    const { seen, paths, watching } = await watched(join(folder.path, 'data'));
    await mkdir(paths.run, { recursive: true });
    await eventually(() => expect(seen.signs).toBeGreaterThan(0));
    await leaveRecord(paths.hub);
    const before = seen.signs;
    await eventually(async () => {
      await leaveRecord(paths.hub);
      expect(seen.signs).toBeGreaterThan(before);
    });
    expect(seen.losses).toBe(0);
    watching?.dispose();
  });

  it('[PB-BRIDGE-1] are not other files', async () => {
    await using folder = await tempDir();
    await mkdir(join(folder.path, 'run'));
    const { seen, paths, watching } = await watched(folder.path);
    await writeFile(paths.children, '{}');
    await rm(paths.children);
    await leaveRecord(paths.hub);
    // Changes made before the record have been reported by then.
    await eventually(() => expect(seen.signs).toBeGreaterThan(0));
    expect(seen.signs).toBe(1);
    watching?.dispose();
  });

  it('[PB-BRIDGE-1] cannot be seen where not even a place for the folder is', async () => {
    await using folder = await tempDir();
    const { seen, watching } = await watched(join(folder.path, 'no', 'such', 'place'));
    expect(watching).toBeUndefined();
    expect(seen.losses).toBe(1);
  });
});
