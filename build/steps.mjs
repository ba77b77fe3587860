import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { root } from './root.mjs';

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} command program and arguments
 * @property {() => Promise<void>} [prepare]
 * @property {string} [report] a vitest JSON report that the command writes; its tests are counted
 */

/** Runs all steps in turn, also after one has failed, and says at the end how each went. */
export async function runSteps(/** @type {readonly Step[]} */ steps) {
  const outcomes = [];
  for (const step of steps) outcomes.push(await runStep(step));
  console.log('');
  for (const { name, ok, milliseconds, passed, failed } of outcomes) {
    const tests = passed + failed > 0 ? `${passed} passed, ${failed} failed` : '';
    const time = `${(milliseconds / 1000).toFixed(1)} s`.padStart(8);
    console.log(`${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(12)} ${time}  ${tests}`.trimEnd());
  }
  return {
    ok: outcomes.every(({ ok }) => ok),
    passed: sum(outcomes, 'passed'),
    failed: sum(outcomes, 'failed'),
  };
}

/** A step that runs one vitest project. `wrapper` is a command that starts the given one in some surroundings. */
export function vitestStep(project, wrapper = []) {
  const report = path.join(os.tmpdir(), `patchbay-${process.pid}-${project}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const command = [...wrapper, ...tool('vitest/vitest.mjs'), 'run', '--project', project, ...reporters];
  return { name: project, command, report };
}

/** A program of one of our packages, run by this Node. */
export function tool(script, ...args) {
  return [process.execPath, path.join(root, 'node_modules', script), ...args];
}

/** @returns {Promise<{ name: string, ok: boolean, milliseconds: number, passed: number, failed: number }>} */
async function runStep({ name, command, prepare, report }) {
  console.log(`\n── ${name}`);
  const started = performance.now();
  const ended = () => performance.now() - started;
  try {
    await prepare?.();
    const ok = await succeeds(command);
    return { name, ok, milliseconds: ended(), ...(await countTests(report, ok)) };
  } catch (error) {
    console.error(error.message);
    return { name, ok: false, milliseconds: ended(), passed: 0, failed: report === undefined ? 0 : 1 };
  }
}

function succeeds([program, ...args]) {
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: limitMs,
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
}

/** A run that failed without a failed test (a file that did not load, a crash) counts as one. */
async function countTests(report, ok) {
  if (report === undefined) return { passed: 0, failed: 0 };
  const { numPassedTests, numFailedTests } = JSON.parse(await readFile(report, 'utf8'));
  await rm(report);
  return { passed: numPassedTests, failed: Math.max(numFailedTests, ok ? 0 : 1) };
}

function sum(outcomes, key) {
  return outcomes.reduce((total, outcome) => total + outcome[key], 0);
}

const limitMs = 20 * 60 * 1000;
