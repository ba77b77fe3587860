/**
 * `npm run test:windows`: runs unit tests and Windows-only tests with Node for Windows under Wine (see
 * windows/machine.mjs). Says so and succeeds if that is not possible. `-- unit` runs one project, also
 * `integration`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt } from './build.mjs';
import { root } from './root.mjs';
import { copyRepository, ensureMachine, obstacle, runNode, windowsPath } from './windows/machine.mjs';

const seconds = { unit: 1_500, windows: 1_500, integration: 3_000 };

const reason = obstacle();
if (reason !== undefined) {
  console.log(`Windows: skipped because ${reason}.`);
  process.exit(0);
}
process.exit((await main(process.argv.slice(2))) ? 0 : 1);

async function main(wanted) {
  await ensureMachine();
  await ensureBuilt();
  const copy = copyRepository();
  const known = knownFailures();
  const report = { passed: 0, failed: [], stray: [] };
  for (const project of wanted.length > 0 ? wanted : ['unit', 'windows']) {
    const { passed, failed } = await runProject(copy, project);
    const fresh = failed.filter(({ file, title }) => !known.has(`${file}: ${title}`));
    report.passed += passed;
    report.failed.push(...fresh);
    console.log(
      `${project}: ${passed} passed, ${fresh.length} failed, ${failed.length - fresh.length} known failures`,
    );
    for (const { file, title, message } of fresh)
      console.log(`  ${file}: ${title}\n${message.slice(0, 600).replace(/^/gm, '    ')}`);
  }
  if (process.env.TEST_REPORT !== undefined) writeFileSync(process.env.TEST_REPORT, JSON.stringify(report));
  console.log(`\n${report.passed} passed, ${report.failed.length} failed`);
  return report.failed.length === 0 && report.passed > 0;
}

/** @returns {Promise<{ passed: number; failed: import('./test-reporter.mjs').TestNote[] }>} */
async function runProject(copy, project) {
  const report = path.join(copy, `${project}.json`);
  const vitest = windowsPath(path.join(copy, 'node_modules/vitest/vitest.mjs'));
  const options = ['--root', windowsPath(copy), '--project', project, '--pool=threads', '--maxWorkers=2'];
  const reporters = ['--reporter=json', `--outputFile=${windowsPath(report)}`];
  const { code, text } = await runNode(seconds[project], [vitest, 'run', ...options, ...reporters]);
  if (!existsSync(report))
    throw new Error(`${project} ended with ${code} and no report:\n${text.slice(-4000)}`);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const failed = [];
  let passed = 0;
  for (const { name, status: whole, message, assertionResults } of testResults) {
    const file = name.replaceAll('\\', '/').replace(/^.*\/copy\//, '');
    // A file that could not be loaded has no tests.
    if (assertionResults.length === 0 && whole === 'failed')
      failed.push({ file, title: '(the file)', message });
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status === 'passed') passed += 1;
      if (status === 'failed') failed.push({ file, title: fullName, message: failureMessages.join('\n') });
    }
  }
  return { passed, failed };
}

/** Tests that fail because of Wine: one per line; lines that begin with # explain them. */
function knownFailures() {
  const lines = readFileSync(path.join(root, 'build/windows/known-failures.txt'), 'utf8').split('\n');
  return new Set(lines.filter((line) => line !== '' && !line.startsWith('#')));
}
