import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claimFile } from '../../../../../electron/engine/store/files/claim-file.ts';
import {
  childIdentity,
  isSameProcess,
  processIdentity,
  processStatus,
  windowsIdentity,
} from '../../../../../electron/engine/store/files/process-identity.ts';
import {
  createProcessQuery,
  parseProcesses,
  systemProgram,
} from '../../../../../electron/engine/store/files/windows-processes.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

describe('whether a process still lives', () => {
  const claim = { pid: 77, identity: 'then' };
  const silent = () => Promise.reject(new Error('no answer'));
  const life = (identify: () => Promise<string | undefined>, isThere = true) =>
    processStatus(claim, { identify, hasProcess: () => isThere });

  it('is known where the system tells', async () => {
    expect(await life(async () => 'then')).toBe('alive');
    expect(await life(async () => 'later')).toBe('gone');
    expect(await life(async () => undefined)).toBe('gone');
  });

  it('is unknown if the system does not say, unless no process has its pid', async () => {
    expect(await life(silent)).toBe('unknown');
    expect(await life(silent, false)).toBe('gone');
  });

  it('[NFR-R1] a claim is taken over from a process that has exited, never from one that may be alive', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'hub.json');
    const own = { pid: process.pid, identity: 'own' };
    await writeFile(file, JSON.stringify(claim));
    for (const life of ['unknown', 'alive'] as const) {
      expect(await claimFile(file, own, async () => life)).toBe(false);
      expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(claim);
    }
    expect(await claimFile(file, own, async () => 'gone')).toBe(true);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(own);
  });

  it('is known of this program and of a child from facts recorded at its start', async () => {
    const since = Date.now();
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: 'pipe' });
    await once(child, 'spawn');
    const { pid = 0 } = child;
    const identity = await childIdentity(pid, since);
    const own = await processIdentity(process.pid);
    expect(await processStatus({ pid, identity: identity ?? '' })).toBe('alive');
    expect(await processStatus({ pid, identity: own ?? '' })).toBe('gone');
    expect(await processStatus({ pid: process.pid, identity: own ?? '' })).toBe('alive');
    child.stdin.end();
    await once(child, 'exit');
    expect(await processStatus({ pid, identity: identity ?? '' })).toBe('gone');
  });
});

describe('the identity of a process on Windows', () => {
  it('is the time of its creation, as closely as that is known', () => {
    const started = windowsIdentity(5_000);
    expect(isSameProcess(started, '4990..5010')).toBe(true);
    expect(isSameProcess(started, '5001..6000')).toBe(false);
    expect(isSameProcess(started, 'unknown')).toBe(false);
    expect(isSameProcess('unknown', 'unknown')).toBe(true);
  });
});

describe('the processes of a Windows machine', () => {
  const line = '8 4 132539328000000000 15000000 4096 node.exe|C:\\Program Files\\nodejs\\node.exe';

  it('are read from lines of numbers, with a program that may have no path', () => {
    expect(parseProcesses(`0 0 0 10 8192 System Idle Process|\r\n${line}\r\n\r\n`)).toEqual([
      { ...{ pid: 0, parent: 0, cpuSeconds: 0.000001, memory: 8192 }, name: 'System Idle Process', path: '' },
      {
        ...{ pid: 8, parent: 4, startedAt: Date.UTC(2021, 0, 1), cpuSeconds: 1.5, memory: 4096 },
        ...{ name: 'node.exe', path: 'C:\\Program Files\\nodejs\\node.exe' },
      },
    ]);
    expect(() => parseProcesses('')).toThrow('no processes');
  });

  it('are queried one at a time, and never answered from before the query', async () => {
    const runs: { readonly answer: (text: string) => void; readonly fail: (error: Error) => void }[] = [];
    const query = createProcessQuery(() => new Promise((answer, fail) => runs.push({ answer, fail })));
    const first = query();
    await expect.poll(() => runs.length).toBe(1);
    const late = [query(), query(), query()];
    expect(runs).toHaveLength(1);
    runs[0]?.fail(new Error('no PowerShell'));
    await expect(first).rejects.toThrow('no PowerShell');
    await expect.poll(() => runs.length).toBe(2);
    runs[1]?.answer(line);
    expect(new Set(await Promise.all(late)).size).toBe(1);
    expect(runs).toHaveLength(2);
  });

  it('are listed by a program of the system, regardless of PATH', () => {
    expect(systemProgram('taskkill.exe', { SystemRoot: 'D:\\Win' })).toBe('D:\\Win\\System32\\taskkill.exe');
    expect(systemProgram('reg.exe', {})).toBe('C:\\Windows\\System32\\reg.exe');
  });
});
