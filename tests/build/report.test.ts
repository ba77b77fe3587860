import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
// @ts-expect-error a script of the build, which has no types
import { takeReport } from '../../build/report.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-test-report-'));
afterEach(() => rm(folder, { recursive: true, force: true }));

test('what failed, what passed only when tried again, and a file that did not load are told by name', async () => {
  const file = path.join(folder, 'report.json');
  await writeFile(file, JSON.stringify({ testResults: [tried, unloaded] }));
  expect(await takeReport(file)).toEqual({
    passed: 2,
    unstable: [{ file: 'tests/a.test.ts', title: 'second', message: 'Error: late' }],
    failed: [
      { file: 'tests/a.test.ts', title: 'third', message: 'Error: wrong' },
      { file: 'tests/b.test.ts', title: '(the file)', message: 'SyntaxError: x' },
    ],
  });
  expect(await readdir(folder)).toEqual([]);
});

const tried = {
  name: path.join(root, 'tests/a.test.ts'),
  status: 'failed',
  message: '',
  assertionResults: [
    { fullName: 'first', status: 'passed', failureMessages: [] },
    { fullName: 'second', status: 'passed', failureMessages: ['Error: late\n    at a:1'] },
    { fullName: 'third', status: 'failed', failureMessages: ['Error: wrong\n    at a:2', 'Error: other'] },
  ],
};

const unloaded = {
  name: path.join(root, 'tests/b.test.ts'),
  status: 'failed',
  message: 'SyntaxError: x\n  at b:1',
  assertionResults: [],
};
