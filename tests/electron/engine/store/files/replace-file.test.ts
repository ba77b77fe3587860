import { open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { writeFileAtomic, writeProblem } from '../../../../../electron/engine/store/files/atomic-file.ts';
import {
  acquireInstanceLock,
  readHubRecord,
} from '../../../../../electron/engine/store/files/instance-lock.ts';
import { retryWhileLocked } from '../../../../../electron/engine/store/files/replace-file.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

const refusal = (code: string) => Object.assign(new Error(code), { code });

/** Refuses an operation this many times, and records the waits. */
function refused(times: number, code: string, platform: NodeJS.Platform = 'win32') {
  const waits: number[] = [];
  let calls = 0;
  const operation = async () => {
    calls += 1;
    if (calls <= times) throw refusal(code);
    return 'done';
  };
  const pause = async (milliseconds: number) => void waits.push(milliseconds);
  return { result: retryWhileLocked(operation, { platform, pause }), waits, calls: () => calls };
}

describe('a file that another program has open on Windows', () => {
  it.each(['EPERM', 'EACCES', 'EBUSY'])('is tried again after %s, more and more slowly', async (code) => {
    const { result, waits } = refused(6, code);
    expect(await result).toBe('done');
    expect(waits).toEqual([5, 10, 20, 40, 80, 100]);
  });

  it('is abandoned after about two seconds, with the error of the system', async () => {
    const { result, waits } = refused(Number.POSITIVE_INFINITY, 'EPERM');
    await expect(result).rejects.toMatchObject({ code: 'EPERM' });
    const waited = waits.reduce((sum, each) => sum + each, 0);
    expect(waited).toBeGreaterThan(1_800);
    expect(waited).toBeLessThan(2_200);
  });

  it('is not waited for where something else is wrong, nor on another system', async () => {
    const full = refused(1, 'ENOSPC');
    await expect(full.result).rejects.toMatchObject({ code: 'ENOSPC' });
    const linux = refused(1, 'EPERM', 'linux');
    await expect(linux.result).rejects.toMatchObject({ code: 'EPERM' });
    expect([...full.waits, ...linux.waits]).toEqual([]);
    expect([full.calls(), linux.calls()]).toEqual([1, 1]);
  });

  it('is named with what can be done about that', () => {
    expect(writeProblem('mcp.json', refusal('EBUSY'), 'win32')).toMatchObject({
      problem: {
        code: 'config.unwritable',
        sentence: 'mcp.json cannot be written (EBUSY).',
        fix: expect.stringContaining('Close any program that has this file open'),
      },
    });
  });

  it('[PB-CFG-2] is replaced as soon as the other program lets go', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'mcp.json');
    await writeFile(file, 'old');
    const reader = await open(file, 'r');
    const written = writeFileAtomic(file, 'new');
    await Promise.race([written, sleep(300)]);
    await reader.close();
    await written;
    expect(await readFile(file, 'utf8')).toBe('new');
    expect(await readdir(folder.path)).toEqual(['mcp.json']);
  });

  it('[PB-CFG-2] does not keep a hub from taking over from one that was killed', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'hub.json');
    const left = { pid: 2_000_000_000, identity: 'gone', startedAt: 1, version: '0.0.1' };
    await writeFile(file, JSON.stringify(left));
    const reader = await open(file, 'r');
    const acquired = acquireInstanceLock(file, '1.0.0');
    await Promise.race([acquired.catch(() => undefined), sleep(300)]);
    await reader.close();
    const lock = await acquired;
    expect(await readHubRecord(file)).toMatchObject({ pid: process.pid });
    await lock.release();
    expect(await readdir(folder.path)).toEqual([]);
  });

  it.runIf(process.platform === 'win32')(
    '[PB-CFG-2] keeps its text where the other program never lets go',
    async () => {
      await using folder = await tempDir();
      const file = join(folder.path, 'mcp.json');
      await writeFile(file, 'old');
      const reader = await open(file, 'r');
      await expect(writeFileAtomic(file, 'new')).rejects.toMatchObject({
        problem: { code: 'config.unwritable' },
      });
      await reader.close();
      expect(await readFile(file, 'utf8')).toBe('old');
      expect(await readdir(folder.path)).toEqual(['mcp.json']);
    },
  );
});
