/**
 * `npm run test:windows`: unit tests and the tests that only Windows needs, with Node for Windows under Wine (see
 * windows/machine.mjs). Says so and ends well where that cannot be had. `-- unit` runs one project, also `integration`.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt } from './build.mjs';
import { root } from './root.mjs';
import { copyRepository, ensureMachine, obstacle, runNode, windowsPath } from './windows/machine.mjs';

const seconds = { unit: 1_500, windows: 1_500, integration: 3_000 };

const reason = obstacle();
if (reason !== undefined) {
  console.log(`Windows: skipped, since ${reason}.`);
  process.exit(0);
}
process.exit((await main(process.argv.slice(2))) ? 0 : 1);

async function main(wanted) {
  await ensureMachine();
  await ensureBuilt();
  const copy = copyRepository();
  const known = knownFailures();
  let [passed, failed] = [0, 0];
  for (const project of wanted.length > 0 ? wanted : ['unit', 'windows']) {
    const outcome = await runProject(copy, project);
    const fresh = outcome.failures.filter(({ name }) => !known.has(name));
    passed += outcome.passed;
    failed += fresh.length;
    console.log(
      `${project}: ${outcome.passed} passed, ${fresh.length} failed, ${outcome.failures.length - fresh.length} failed as known`,
    );
    for (const { name, reason } of fresh)
      console.log(`  ${name}\n${reason.slice(0, 600).replace(/^/gm, '    ')}`);
  }
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0;
}

async function runProject(copy, project) {
  const report = path.join(copy, `${project}.json`);
  const vitest = windowsPath(path.join(copy, 'node_modules/vitest/vitest.mjs'));
  const options = ['--root', windowsPath(copy), '--project', project, '--pool=threads', '--maxWorkers=2'];
  const reporters = ['--reporter=json', `--outputFile=${windowsPath(report)}`];
  const { code, text } = await runNode(seconds[project], [vitest, 'run', ...options, ...reporters]);
  if (!existsSync(report))
    throw new Error(`${project} ended with ${code} and no report:\n${text.slice(-4000)}`);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const failures = [];
  let passed = 0;
  for (const file of testResults) {
    const name = file.name.replaceAll('\\', '/').replace(/^.*\/copy\//, '');
    // A file that could not be loaded has no tests.
    if (file.assertionResults.length === 0 && file.status === 'failed')
      failures.push({ name, reason: file.message });
    for (const { status, fullName, failureMessages } of file.assertionResults) {
      if (status === 'passed') passed += 1;
      if (status === 'failed')
        failures.push({ name: `${name}: ${fullName}`, reason: failureMessages.join('\n') });
    }
  }
  return { passed, failures };
}

/** Tests that fail by Wine's fault: a line each, and those that begin with # say why. */
function knownFailures() {
  const lines = readFileSync(path.join(root, 'build/windows/known-failures.txt'), 'utf8').split('\n');
  return new Set(lines.filter((line) => line !== '' && !line.startsWith('#')));
}
