import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pollFile, watchFile } from '../../../../../electron/engine/config/store/watch-file.ts';
import { replaceFile } from '../../../../../electron/engine/store/files/replace-file.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

/** Does something to a file and waits until the watcher has noticed. */
async function noticed(touches: () => number, act: () => Promise<void>): Promise<void> {
  const before = touches();
  await act();
  const deadline = Date.now() + 60_000;
  while (touches() === before) {
    if (Date.now() > deadline) throw new Error('the change was never noticed');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe.each([
  ['watchFile', watchFile],
  ['pollFile', async (file: string, onTouch: () => void) => pollFile(file, onTouch, 20)],
])('%s', (_, watch) => {
  it('[PB-CFG-1] notices that a file is created, written, replaced, deleted and created again', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'mcp.json');
    let count = 0;
    const watcher = await watch(file, () => {
      count += 1;
    });
    const touches = () => count;
    try {
      await noticed(touches, () => writeFile(file, '1'));
      await noticed(touches, () => writeFile(file, '22'));
      for (const text of ['333', '4444', '55555']) {
        await writeFile(`${file}.tmp`, text);
        await noticed(touches, () => replaceFile(`${file}.tmp`, file));
      }
      await noticed(touches, () => rm(file));
      await noticed(touches, () => writeFile(file, '666666'));
    } finally {
      watcher.dispose();
    }
  });
});

describe('watchFile', () => {
  it.each([
    ['deleted', (path: string) => rm(path, { recursive: true })],
    ['moved away', (path: string) => rename(path, `${path}.old`)],
  ])('[PB-CFG-1] notices a file in a folder that was %s and created again', async (_, remove) => {
    await using parent = await tempDir();
    const folder = join(parent.path, 'folder');
    const file = join(folder, 'mcp.json');
    await mkdir(folder);
    await writeFile(file, '1');
    let count = 0;
    const watcher = await watchFile(file, () => {
      count += 1;
    });
    const touches = () => count;
    try {
      await noticed(touches, () => remove(folder));
      await mkdir(folder);
      await noticed(touches, () => writeFile(file, '22'));
      await noticed(touches, () => writeFile(file, '333'));
    } finally {
      watcher.dispose();
    }
  });

  it('ignores other files in the folder, and everything once disposed', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'mcp.json');
    let count = 0;
    const watcher = await watchFile(file, () => {
      count += 1;
    });
    await writeFile(join(folder.path, 'state.db'), 'x');
    await writeFile(`${file}.1234`, 'x');
    await new Promise((resolve) => setTimeout(resolve, 300));
    watcher.dispose();
    watcher.dispose();
    await writeFile(file, 'x');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(count).toBe(0);
  });
});
