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
 * @property {() => Promise<void>} [prepare]
 * @property {string} [report] where the command's own reporter writes what became of its tests
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
 * Runs all steps in turn, also after one has failed, and says at the end how each went. A list of lists is steps that run
 * beside each other: each inner list in turn, all of them at once. With `failedOnceMore`, test files that failed are run
 * once more by themselves, and what passes then is named. With `quiet`, only what a failed step wrote is shown.
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

/** At the end once more, because what is kept of a long run's output is often only its end. */
function tell(heading, notes) {
  if (notes.length === 0) return;
  console.log(`${heading}:`);
  for (const { file, title, message } of notes) console.log(`  ${file}: ${title}\n    ${message}`);
  console.log('');
}

/** A step that runs one vitest project. `wrapper` is a command that starts the given one in some surroundings. */
export function vitestStep(project, wrapper = []) {
  const report = path.join(os.tmpdir(), `patchbay-${process.pid}-${project}.json`);
  const reporters = ['--reporter=default', '--reporter=build/test-reporter.mjs'];
  const command = [...wrapper, ...tool('vitest/vitest.mjs'), 'run', '--project', project, ...reporters];
  return { name: project, command, report };
}

/** A program of one of our packages, run by this Node. */
export function tool(script, ...args) {
  return [process.execPath, path.join(root, 'node_modules', script), ...args];
}

/** @returns {Promise<Outcome>} */
async function runStep({ name, command, prepare, report }, { failedOnceMore = false, quiet = false }) {
  console.log(`── ${name}`);
  const started = performance.now();
  const ended = () => performance.now() - started;
  const none = { passed: 0, failed: 0, failures: [], passedAlone: [] };
  try {
    await prepare?.();
    const run = { command, report, quiet };
    const ok = await succeeds(run);
    const tests = report === undefined ? none : await countTests(run, { ok, failedOnceMore });
    return { name, ...tests, ok: report === undefined ? ok : tests.failed === 0, milliseconds: ended() };
  } catch (error) {
    console.error(error.message);
    return { ...none, name, ok: false, milliseconds: ended(), failed: report === undefined ? 0 : 1 };
  }
}

/** Keeps what it writes in a file where it is to be quiet: only what a failed run wrote is shown, when it has ended. */
async function succeeds({ command, report = '', quiet }) {
  const env = { ...process.env, TEST_REPORT: report };
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

/** A run that ends badly and says of nothing that it failed counts as one failure. */
async function countTests(run, { ok, failedOnceMore }) {
  const first = await take(run.report);
  const failures = [...first.failed, ...first.stray];
  const files = [...new Set(failures.map(({ file }) => file))];
  if (ok || !failedOnceMore || files.length === 0 || files.includes('')) {
    return { passed: first.passed, failed: countOf(failures, ok), failures, passedAlone: [] };
  }
  console.log(`── once more, by themselves: ${files.join(', ')}`);
  const isWell = await succeeds({ ...run, command: [...run.command, '--no-file-parallelism', ...files] });
  const again = await take(run.report);
  const still = [...again.failed, ...again.stray];
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
    throw new Error('The tests ended without a report: they crashed, or were ended for taking too long');
  });
  await rm(report);
  return JSON.parse(text);
}

function sum(outcomes, key) {
  return outcomes.reduce((total, outcome) => total + outcome[key], 0);
}

/** Ends a step that hangs; the slowest takes a quarter of an hour on a quiet machine, and several times that on a busy one. */
const limitMs = 90 * 60 * 1000;
