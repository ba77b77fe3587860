/**
 * `npm run test:window`: tests the window with a fake hub, in the Electron that the app is packaged with.
 */
import { ownDesktop } from './e2e.mjs';
import { isProgram } from './root.mjs';
import { ensureSetup } from './setup.mjs';
import { runSteps, vitestStep } from './steps.mjs';

export const windowStep = { ...vitestStep('window', ownDesktop), prepare: async () => ensureSetup() };

if (isProgram(import.meta.url)) process.exit((await runSteps([windowStep])).ok ? 0 : 1);
