import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './root.mjs';

/**
 * Writes the test results that `build/steps.mjs` reads to the file that TEST_REPORT names. Vitest's own JSON
 * report has no errors outside of tests.
 *
 * @typedef {object} TestNote
 * @property {string} file relative to the repository; '' if unknown
 * @property {string} title the full name of the test
 * @property {string} message the first line of the error
 *
 * @typedef {object} TestReport
 * @property {number} passed
 * @property {TestNote[]} failed a file that did not load counts as one
 * @property {TestNote[]} stray errors outside of tests, with the file that was running
 */
export default class TestReporter {
  onTestRunEnd(/** @type {readonly import('vitest/node').TestModule[]} */ modules, strayErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const broken = suites.filter((suite) => suite.errors().length > 0);
    const report = {
      passed: tests.filter((test) => test.result().state === 'passed').length,
      failed: [
        ...tests.filter((test) => test.result().state === 'failed').map(noteOf),
        ...broken.map((suite) => note(suite.module ?? suite, suite.fullName ?? '(the file)', suite.errors())),
      ],
      stray: strayErrors.map((error) => ({
        file: error.VITEST_TEST_PATH === undefined ? '' : path.relative(root, error.VITEST_TEST_PATH),
        title: '(outside of all tests)',
        message: firstLine([error]),
      })),
    };
    writeFileSync(process.env.TEST_REPORT, JSON.stringify(report));
  }
}

function noteOf(test) {
  return note(test.module, test.fullName, test.result().errors);
}

function note(module, title, errors) {
  return { file: path.relative(root, module.moduleId), title, message: firstLine(errors) };
}

function firstLine([error]) {
  return (error?.message ?? '').split('\n', 1)[0];
}
