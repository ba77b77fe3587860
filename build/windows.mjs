/**
 * `npm run test:windows`: runs unit, integration and Windows-only tests with Node for Windows under Wine (see
 * windows/machine.mjs). Says so and succeeds if that is not possible. `-- unit` runs one project, and names of
 * files after it only those.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt } from './build.mjs';
import { root } from './root.mjs';
import { tool } from './steps.mjs';
import {
  copyRepository,
  endPrograms,
  ensureMachine,
  obstacle,
  runNode,
  windowsPath,
} from './windows/machine.mjs';
import { readProgress, runAll } from './windows/test-progress.mjs';

const projects = ['unit', 'windows', 'integration'];

/** Seconds that a project may take in all. */
const bounds = { unit: 1_500, windows: 2_400, integration: 3_000 };

/** Seconds after which a run without news hangs: longer than any test may take. */
const quiet = { unit: 180, windows: 660, integration: 180 };

/** Threads start faster; where tests start many programs, those of one process wait for each other for ever. */
const threads = ['--pool=threads', '--maxWorkers=2'];
const pool = { unit: threads, windows: threads, integration: ['--pool=forks', '--maxWorkers=3'] };

const reason = obstacle();
if (reason !== undefined) {
  console.log(`Windows: skipped because ${reason}.`);
  process.exit(0);
}
process.exit((await main(process.argv.slice(2))) ? 0 : 1);

async function main(words) {
  await ensureMachine();
  await ensureBuilt();
  const copy = copyRepository();
  const known = knownFailures();
  const report = { passed: 0, failed: [], stray: [] };
  const wanted = words.filter((word) => projects.includes(word));
  const names = words.filter((word) => !projects.includes(word));
  for (const project of wanted.length > 0 ? wanted : projects) {
    const started = performance.now();
    const { passed, skipped, failed } = await runProject(copy, project, names);
    const fresh = failed.filter(({ file, title }) => !known.has(`${file}: ${title}`));
    report.passed += passed;
    report.failed.push(...fresh);
    const time = `${Math.round((performance.now() - started) / 1_000)} s`;
    const counts = `${passed} passed, ${fresh.length} failed, ${failed.length - fresh.length} known failures`;
    console.log(`${project}: ${counts}, ${skipped} skipped, ${time}`);
    for (const { file, title, message } of fresh)
      console.log(`  ${file}: ${title}\n${message.slice(0, 600).replace(/^/gm, '    ')}`);
  }
  if (process.env.TEST_REPORT !== undefined) writeFileSync(process.env.TEST_REPORT, JSON.stringify(report));
  console.log(`\n${report.passed} passed, ${report.failed.length} failed`);
  return report.failed.length === 0 && report.passed > 0;
}

function runProject(copy, project, names) {
  const deadline = Date.now() + bounds[project] * 1_000;
  return runAll(listFiles(project, names), (files) => runFiles(copy, project, files, deadline));
}

/** The test files of a project, by their paths in the repository. */
function listFiles(project, names) {
  const [node, ...args] = tool('vitest/vitest.mjs', 'list', '--filesOnly', '--json', '--project', project);
  const listed = JSON.parse(execFileSync(node, [...args, ...names], { cwd: root, encoding: 'utf8' }));
  return listed.map(({ file }) => path.relative(root, file));
}

/** Runs test files until they have ended, nothing has happened for too long or the time is over. */
async function runFiles(copy, project, files, deadline) {
  const seconds = Math.round((deadline - Date.now()) / 1_000);
  if (seconds <= 0) return undefined;
  const progress = path.join(copy, `${project}.progress`);
  rmSync(progress, { force: true });
  writeFileSync(progress, '');
  const vitest = windowsPath(path.join(copy, 'node_modules/vitest/vitest.mjs'));
  const options = ['--root', windowsPath(copy), '--project', project, ...pool[project]];
  const reporter = windowsPath(path.join(copy, 'build/windows/progress-reporter.mjs'));
  const reporters = ['--reporter=default', `--reporter=${reporter}`];
  const variables = { TEST_PROGRESS: windowsPath(progress) };
  const watch = setInterval(() => {
    if (Date.now() - statSync(progress).mtimeMs > quiet[project] * 1_000) void endPrograms();
  }, 5_000);
  try {
    const { text } = await runNode(seconds, [vitest, 'run', ...options, ...reporters, ...files], variables);
    return { progress: readProgress(progress), text };
  } finally {
    clearInterval(watch);
  }
}

/** Tests that fail because of Wine: one per line; lines that begin with # explain them. */
function knownFailures() {
  const lines = readFileSync(path.join(root, 'build/windows/known-failures.txt'), 'utf8').split('\n');
  return new Set(lines.filter((line) => line !== '' && !line.startsWith('#')));
}
