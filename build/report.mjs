import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { root } from './root.mjs';

/**
 * @typedef {object} TestNote
 * @property {string} file relative to the repository
 * @property {string} title the whole name of the test
 * @property {string} message the first line of what it failed with
 */

/**
 * Reads a vitest JSON report and removes it.
 *
 * @returns {Promise<{ passed: number, failed: TestNote[], unstable: TestNote[] }>} `unstable`: passed, but not at first
 */
export async function takeReport(/** @type {string} */ file) {
  const { testResults } = JSON.parse(await readFile(file, 'utf8'));
  await rm(file);
  const tests = testResults.flatMap(testsOf);
  const passed = tests.filter(({ status }) => status === 'passed');
  return {
    passed: passed.length,
    failed: tests.filter(({ status }) => status === 'failed').map(({ note }) => note),
    unstable: passed.filter(({ note }) => note.message !== '').map(({ note }) => note),
  };
}

/** A file that did not load, or failed outside of its tests, counts as a test that failed. */
function testsOf({ name, status, message, assertionResults }) {
  const file = path.relative(root, name);
  const tests = assertionResults.map((test) => ({
    status: test.status,
    note: { file, title: test.fullName, message: firstLine(test.failureMessages[0]) },
  }));
  const isToldOf = tests.some((test) => test.status === 'failed');
  if (status !== 'failed' || isToldOf) return tests;
  return [...tests, { status, note: { file, title: '(the file)', message: firstLine(message) } }];
}

function firstLine(text = '') {
  return text.split('\n', 1)[0];
}
