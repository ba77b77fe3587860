import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { runGroup } from './child.mjs';
import { root } from './root.mjs';

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} command program and arguments
 * @property {Record<string, string>} [env] what the command's environment has besides ours
 * @property {() => Promise<void>} [prepare]
 * @property {string} [report] file where the command's own reporter writes its test results
 * @property {(files: readonly string[]) => string[]} [again] command that runs only these of the report's files
 */

/**
 * @typedef {object} Outcome
 * @property {string} name
 * @property {boolean} ok
 * @property {number} milliseconds
 * @property {number} passed
 * @property {number} failed
 * @property {import('./test-reporter.mjs').TestNote[]} failures
 * @property {import('./test-reporter.mjs').TestNote[]} passedAlone
 */

/**
 * Runs all steps in turn, even after a failure, and prints a summary at the end. A list of lists is steps in
 * parallel: each inner list in turn, all of them at once. With `failedOnceMore`, failed test files are run
 * once more alone, and tests that then pass are listed. With `quiet`, only the output of failed steps is
 * shown.
 *
 * @param {readonly (Step | readonly (readonly Step[])[])[]} steps
 */
export async function runSteps(steps, options = {}) {
  const outcomes = [];
  for (const step of steps) {
    const lanes = Array.isArray(step) ? step : [[step]];
    const ended = await Promise.all(lanes.map((lane) => runInTurn(lane, options)));
    outcomes.push(...ended.flat());
  }
  console.log('');
  tell(
    'Failed at first, passed alone',
    outcomes.flatMap(({ passedAlone }) => passedAlone),
  );
  tell(
    'Failed',
    outcomes.flatMap(({ failures }) => failures),
  );
  for (const outcome of outcomes) console.log(summaryOf(outcome));
  return {
    ok: outcomes.every(({ ok }) => ok),
    passed: sum(outcomes, 'passed'),
    failed: sum(outcomes, 'failed'),
  };
}

async function runInTurn(steps, options) {
  const outcomes = [];
  for (const step of steps) outcomes.push(await runStep(step, options));
  return outcomes;
}

function summaryOf({ name, ok, milliseconds, passed, failed }) {
  const tests = passed + failed > 0 ? `${passed} passed, ${failed} failed` : '';
  const time = `${(milliseconds / 1000).toFixed(1)} s`.padStart(8);
  return `${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(12)} ${time}  ${tests}`.trimEnd();
}

/** Repeats failures at the end, because often only the end of a long run's output is kept. */
function tell(heading, notes) {
  if (notes.length === 0) return;
  console.log(`${heading}:`);
  for (const { file, title, message } of notes) console.log(`  ${file}: ${title}\n    ${message}`);
  console.log('');
}

/**
 * Returns a step that runs one vitest project. `wrapper` is a command that runs the given one in some
 * environment.
 */
export function vitestStep(project, wrapper = []) {
  const report = path.join(os.tmpdir(), `patchbay-${process.pid}-${project}.json`);
  const reporters = ['--reporter=default', '--reporter=build/test-reporter.mjs'];
  const command = [...wrapper, ...tool('vitest/vitest.mjs'), 'run', '--project', project, ...reporters];
  const again = (files) => [...command, '--no-file-parallelism', ...files];
  return { name: project, command, report, again };
}

/** Returns a command that runs a script from our packages with this Node. */
export function tool(script, ...args) {
  return [process.execPath, path.join(root, 'node_modules', script), ...args];
}

/** @returns {Promise<Outcome>} */
async function runStep(step, { failedOnceMore = false, quiet = false }) {
  const { name, command, env, prepare, report, again } = step;
  console.log(`── ${name}`);
  const started = performance.now();
  const ended = () => performance.now() - started;
  const none = { passed: 0, failed: 0, failures: [], passedAlone: [] };
  try {
    await prepare?.();
    const run = { command, env, report, quiet, again };
    const ok = await succeeds(run);
    const tests = report === undefined ? none : await countTests(run, { ok, failedOnceMore });
    return { name, ...tests, ok: report === undefined ? ok : tests.failed === 0, milliseconds: ended() };
  } catch (error) {
    const failures =
      report === undefined ? [] : [{ file: name, title: '(no report)', message: error.message }];
    console.error(error.message);
    return { ...none, name, ok: false, milliseconds: ended(), failed: failures.length, failures };
  }
}

/** Writes the output to a file if it should be quiet, and shows it only if the run failed. */
async function succeeds({ command, env: added, report = '', quiet }) {
  const env = { ...process.env, ...added, TEST_REPORT: report };
  if (!quiet) return (await runGroup(command, { env, milliseconds: limitMs })) === 0;
  const file = path.join(os.tmpdir(), `patchbay-${process.pid}-${randomUUID()}.log`);
  const output = await open(file, 'w', 0o600);
  try {
    const isWell = (await runGroup(command, { env, milliseconds: limitMs, output: output.fd })) === 0;
    if (!isWell) await pipeline(createReadStream(file), process.stdout, { end: false });
    return isWell;
  } finally {
    await output.close();
    await rm(file, { force: true });
  }
}

/** Counts a run that fails without naming a failed test as one failure. */
async function countTests(run, { ok, failedOnceMore }) {
  const first = await take(run.report);
  const failures = [...first.failed, ...first.stray];
  const files = [...new Set(failures.map(({ file }) => file))];
  const { again } = run;
  if (ok || !failedOnceMore || files.length === 0 || files.includes('') || again === undefined) {
    return { passed: first.passed, failed: countOf(failures, ok), failures, passedAlone: [] };
  }
  console.log(`── once more, alone: ${files.join(', ')}`);
  const isWell = await succeeds({ ...run, command: again(files) });
  const second = await take(run.report);
  const still = [...second.failed, ...second.stray];
  const passedAlone = failures.filter((note) => !still.some((other) => isSame(note, other)));
  const passed = first.passed + first.failed.filter((note) => passedAlone.includes(note)).length;
  return { passed, failed: countOf(still, isWell), failures: still, passedAlone };
}

function isSame(one, other) {
  return one.file === other.file && one.title === other.title;
}

function countOf(failures, ok) {
  return Math.max(failures.length, ok ? 0 : 1);
}

/** @returns {Promise<import('./test-reporter.mjs').TestReport>} */
async function take(report) {
  const text = await readFile(report, 'utf8').catch(() => {
    throw new Error('The tests ended without a report: they crashed or timed out');
  });
  await rm(report);
  return JSON.parse(text);
}

function sum(outcomes, key) {
  return outcomes.reduce((total, outcome) => total + outcome[key], 0);
}

/**
 * Maximum time of a step; the slowest takes a quarter of an hour on an idle machine, and several times that
 * on a busy one.
 */
const limitMs = 90 * 60 * 1000;
