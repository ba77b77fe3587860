/**
 * `npm test`: check, part of the official conformance suite, the window's tests and the end-to-end tests. The
 * last line sums up all tests. Nothing is retried, except by CI (`--failed-once-more`), which lists what
 * passed only then. With `--windows-within 8` the tests under Wine follow if the others took no more than 8
 * minutes.
 */
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { checkSteps } from './check.mjs';
import { e2eStep, packageStep } from './e2e.mjs';
import { root } from './root.mjs';
import { runSteps } from './steps.mjs';
import { windowStep } from './window.mjs';
import { obstacle } from './windows/machine.mjs';

/**
 * Runs the transports that most clients use, the hub as the client, and questions across both eras: the whole suite
 * takes four minutes.
 */
const conformance = [process.execPath, path.join(root, 'tests/conformance/run.mjs'), '--if-possible'];
const conformanceStep = {
  name: 'conformance',
  command: [...conformance, '/mcp,', 'bridge', 'the hub', 'across: stateless client'],
  report: path.join(os.tmpdir(), `patchbay-${process.pid}-conformance.json`),
  again: (sets) => [...conformance, ...sets],
};

/** Integration tests under Wine take too long for a step of CI. */
const windowsStep = {
  name: 'windows',
  command: [process.execPath, path.join(root, 'build/windows.mjs'), 'unit', 'windows'],
  report: path.join(os.tmpdir(), `patchbay-${process.pid}-windows.json`),
};

const { values } = parseArgs({
  options: {
    'failed-once-more': { type: 'boolean', default: false },
    'windows-within': { type: 'string' },
  },
});
const integration = checkStep('integration');
const unit = checkStep('unit');
const types = checkStep('types');
const short = checkSteps.filter((step) => ![integration, unit, types].includes(step));
// Neither lane uses all processors by itself.
const first = [[types], [...short, packageStep]];
// Each of the three waits for other programs half of the time, and what they test is built by then.
const besides = [[integration], [e2eStep], [windowStep, conformanceStep]];
const steps = [first, unit, besides];
const outcomes = [await runSteps(steps, { failedOnceMore: values['failed-once-more'], quiet: true })];
if (values['windows-within'] !== undefined) {
  const reason = whyNoWindows(Number(values['windows-within']));
  if (reason === undefined) outcomes.push(await runSteps([windowsStep], { quiet: true }));
  else console.log(`skipped windows because ${reason}`);
}
const count = (key) => outcomes.reduce((total, outcome) => total + outcome[key], 0);
console.log(`\n${count('passed')} passed, ${count('failed')} failed`);
process.exit(outcomes.every(({ ok }) => ok) ? 0 : 1);

function checkStep(wanted) {
  return checkSteps.find(({ name }) => name === wanted);
}

/** Returns why the tests under Wine, which take some ten minutes with their set-up, do not run here. */
function whyNoWindows(minutes) {
  if (process.uptime() > minutes * 60) return `the other steps took more than ${minutes} minutes`;
  return obstacle();
}
