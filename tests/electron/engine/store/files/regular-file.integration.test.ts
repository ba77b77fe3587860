import { execFileSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTextIfExists } from '../../../../../electron/engine/store/files/atomic-file.ts';
import { readFileOrPipe, readRegularFile } from '../../../../../electron/engine/store/files/regular-file.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

/** User id of `nobody` on every system. */
const nobody = 65_534;

describe.runIf(process.platform !== 'win32')('reading a file', () => {
  it('does not wait for anything else, and names its kind', async () => {
    await using folder = await tempDir();
    const pipe = join(folder.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const socket = join(folder.path, 'socket');
    const server = createServer().listen(socket);
    await expect(readRegularFile(pipe)).rejects.toMatchObject({ kind: 'pipe' });
    await expect(readTextIfExists(pipe)).rejects.toMatchObject({ kind: 'pipe' });
    await expect(readRegularFile(folder.path)).rejects.toMatchObject({ kind: 'folder', code: 'EISDIR' });
    await expect(readRegularFile('/dev/null')).rejects.toMatchObject({ kind: 'device' });
    await expect(readRegularFile(socket)).rejects.toMatchObject({ kind: 'socket' });
    await expect(readRegularFile(join(folder.path, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
    server.close();
  });

  it('says of a file that may not be read which one that is, and what to do', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'secrets.json');
    await writeFile(file, 'text');
    await chmod(folder.path, 0o755);
    await chmod(file, 0);
    // Root may read every file.
    const root = process.getuid?.() === 0;
    if (root) process.seteuid?.(nobody);
    try {
      await expect(readTextIfExists(file)).rejects.toMatchObject({
        code: 'EACCES',
        problem: {
          code: 'hub.data_folder_unwritable',
          sentence: `${file} cannot be read (EACCES).`,
          fix: expect.stringContaining('read permission'),
        },
      });
    } finally {
      if (root) process.seteuid?.(0);
    }
  });

  it('gives its text, or what is written to a pipe in time', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'file');
    await writeFile(file, 'text ü');
    expect(await readRegularFile(file)).toBe('text ü');
    const pipe = join(folder.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(readFileOrPipe(pipe, 50)).rejects.toMatchObject({ kind: 'pipe' });
    const long = 'ü'.repeat(200_000);
    const [read] = await Promise.all([readFileOrPipe(pipe, 10_000), writeFile(pipe, long)]);
    expect(read).toBe(long);
  });
});
