import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
// @ts-expect-error a script of the build, which has no types
import { readProgress, runAll } from '../../build/windows/test-progress.mjs';
import { tempDir } from '../helper/temp-dir.ts';

const passes = (file: string) => [
  { event: 'file-started', file },
  { event: 'test-started', file, title: 'works' },
  { event: 'test-ended', file, title: 'works', state: 'passed' },
  { event: 'file-ended', file },
];
const hangs = (file: string) => [
  { event: 'file-started', file },
  { event: 'test-started', file, title: 'waits' },
];

it('a test file that hangs is named with its test, and costs no other file its run', async () => {
  await using folder = await tempDir();
  const written = join(folder.path, 'progress');
  const asked: (readonly string[])[] = [];
  const run = async (files: readonly string[]) => {
    asked.push(files);
    const lines = files.includes('b') ? [...passes('a'), ...hangs('b')] : files.flatMap(passes);
    // The run was ended while it wrote.
    const text = `${lines.map((line) => `${JSON.stringify(line)}\n`).join('')}{"event":"te`;
    await writeFile(written, text);
    return { progress: readProgress(written), text: 'last words' };
  };
  const { passed, failed } = await runAll(['a', 'b', 'c', 'd'], run);
  expect(asked).toEqual([
    ['a', 'b', 'c', 'd'],
    ['c', 'd'],
  ]);
  expect(passed).toBe(3);
  expect(failed).toEqual([
    { file: 'b', title: '(hangs)', message: expect.stringContaining('it stopped in waits') },
  ]);
});

it('test files without time left are reported as not run', async () => {
  const { failed } = await runAll(['a'], async () => undefined);
  expect(failed).toMatchObject([{ file: 'a', title: '(not run)' }]);
});

it('a run that starts no test file fails with its output', async () => {
  const run = async () => ({ progress: new Map(), text: 'Cannot find module' });
  await expect(runAll(['a'], run)).rejects.toThrow('Cannot find module');
});

it('a test file during which Wine itself has crashed has one more chance', async () => {
  await using folder = await tempDir();
  const written = join(folder.path, 'progress');
  const asked: (readonly string[])[] = [];
  const run = async (files: readonly string[]) => {
    asked.push(files);
    const lines = files.flatMap((file) => (file === 'b' ? hangs(file) : passes(file)));
    await writeFile(written, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return { progress: readProgress(written), text: 'wineserver crashed, please enable coredumps' };
  };
  const { passed, failed } = await runAll(['a', 'b'], run);
  expect(asked).toEqual([['a', 'b'], ['b']]);
  expect(passed).toBe(1);
  expect(failed).toMatchObject([{ file: 'b', title: '(hangs)' }]);
});
