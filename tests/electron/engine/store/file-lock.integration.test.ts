import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../electron/engine/base/clock.ts';
import { createFileLock } from '../../../../electron/engine/store/file-lock.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

describe('a lock between processes', () => {
  it('lets one task run at a time, whoever else holds a lock on the same file', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'lock');
    const locks = Array.from({ length: 4 }, () => createFileLock({ file, clock: systemClock }));
    let inside = 0;
    const crowds: number[] = [];
    const task = async () => {
      inside += 1;
      crowds.push(inside);
      await new Promise((resolve) => setTimeout(resolve, 3));
      inside -= 1;
    };
    await Promise.all(locks.flatMap((lock) => [lock.run(task), lock.run(task), lock.run(task)]));
    expect(crowds).toEqual(Array.from({ length: 12 }, () => 1));
    expect(await readdir(folder.path)).toEqual([]);
  });

  it('is free again after a task that failed', async () => {
    await using folder = await tempDir();
    const lock = createFileLock({ file: join(folder.path, 'lock'), clock: systemClock });
    await expect(lock.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await lock.run(async () => 'fine')).toBe('fine');
  });

  it('names the owner of the lock when it times out', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'lock');
    const held = createFileLock({ file, clock: systemClock });
    const impatient = createFileLock({ file, clock: systemClock, timeoutMs: 60 });
    await held.run(async () => {
      await expect(impatient.run(async () => 'never')).rejects.toMatchObject({
        problem: { code: 'hub.busy', evidence: [{ value: file }, { value: String(process.pid) }] },
      });
    });
  });

  it('takes over what a killed process left, and what nobody can have written', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'lock');
    const dead = spawn(process.execPath, ['-e', '']);
    await once(dead, 'exit');
    const lock = createFileLock({ file, clock: systemClock, timeoutMs: 0 });
    for (const text of [JSON.stringify({ pid: dead.pid, identity: 'gone' }), 'garbage']) {
      await writeFile(file, text);
      const seen = await lock.run(async () => JSON.parse(await readFile(file, 'utf8')));
      expect(seen).toMatchObject({ pid: process.pid });
    }
  });
});
