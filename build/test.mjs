/** `npm test`: check, the window's tests and the end-to-end tests. The last line sums up all tests. */
import { checkSteps } from './check.mjs';
import { e2eStep } from './e2e.mjs';
import { runSteps } from './steps.mjs';
import { windowStep } from './window.mjs';

const { ok, passed, failed } = await runSteps([...checkSteps, windowStep, e2eStep]);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(ok ? 0 : 1);
