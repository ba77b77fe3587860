/**
 * `npm test`: check, some of the official conformance suite, the window's tests and the end-to-end tests. The last line
 * sums up all tests. Nothing is tried twice, except by CI (`--failed-once-more`), which names what passed only then.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { checkSteps } from './check.mjs';
import { e2eStep, packageStep } from './e2e.mjs';
import { root } from './root.mjs';
import { runSteps } from './steps.mjs';
import { windowStep } from './window.mjs';

/** By the ways that most clients take, and with the hub as the client: all of it takes three minutes. */
const conformanceStep = {
  name: 'conformance',
  command: [
    process.execPath,
    path.join(root, 'tests/conformance/run.mjs'),
    '--if-possible',
    '/mcp,',
    'bridge',
    'the hub',
  ],
};

const { values } = parseArgs({ options: { 'failed-once-more': { type: 'boolean', default: false } } });
const [integration] = checkSteps.filter(({ name }) => name === 'integration');
// Each of the three waits for other programs half of the time, and what they test is built by then.
const besides = [[integration], [e2eStep], [windowStep, conformanceStep]];
const steps = [...checkSteps.filter((step) => step !== integration), packageStep, besides];
const { ok, passed, failed } = await runSteps(steps, {
  failedOnceMore: values['failed-once-more'],
  quiet: true,
});
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(ok ? 0 : 1);
