import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../root.mjs';

/**
 * Appends a line of JSON to the file that TEST_PROGRESS names for each thing that happens to a test file, so
 * that `test-progress.mjs` knows the results of a run that never ends, and which file holds it up.
 *
 * @typedef {object} ProgressLine
 * @property {'file-started' | 'file-ended' | 'test-started' | 'test-ended' | 'error'} event
 * @property {string} file relative to the repository
 * @property {string} [title] the full name of the test
 * @property {string} [state] passed, failed or skipped; of a test that has ended
 * @property {string} [message] why it failed; of a file: what went wrong outside of its tests
 */
export default class ProgressReporter {
  onTestModuleQueued(module) {
    append({ event: 'file-started', file: fileOf(module) });
  }

  onTestCaseReady(test) {
    append({ event: 'test-started', file: fileOf(test.module), title: test.fullName });
  }

  onTestCaseResult(test) {
    const { state, errors = [] } = test.result();
    append({
      ...{ event: 'test-ended', file: fileOf(test.module), title: test.fullName, state },
      ...(state === 'failed' ? { message: messageOf(errors) } : {}),
    });
  }

  onTestModuleEnd(module) {
    const suites = [module, ...module.children.allSuites()];
    const errors = suites.flatMap((suite) => suite.errors());
    append({
      ...{ event: 'file-ended', file: fileOf(module) },
      ...(errors.length === 0 ? {} : { message: messageOf(errors) }),
    });
  }

  onTestRunEnd(_modules, strayErrors) {
    for (const error of strayErrors)
      append({ event: 'error', file: relative(error.VITEST_TEST_PATH ?? root), message: messageOf([error]) });
  }
}

function fileOf(module) {
  return relative(module.moduleId);
}

function relative(file) {
  return path.relative(root, file).replaceAll('\\', '/');
}

function messageOf(errors) {
  // The stack of a test that took too long does not contain its message.
  return errors.map(({ stack = '', message }) => `${message}\n${stack}`).join('\n');
}

/** @param {ProgressLine} line */
function append(line) {
  appendFileSync(process.env.TEST_PROGRESS, `${JSON.stringify(line)}\n`);
}
