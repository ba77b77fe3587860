/**
 * `npm run test:e2e`: tests the packaged app from outside; on Linux with its own display and session bus.
 */
import path from 'node:path';
import { isProgram, root } from './root.mjs';
import { ensureSetup } from './setup.mjs';
import { runSteps, vitestStep } from './steps.mjs';

export const ownDesktop =
  process.platform === 'linux'
    ? ['dbus-run-session', '--', 'xvfb-run', '-a', '-s', '-screen 0 1440x900x24 -noreset']
    : [];

export const packageStep = {
  name: 'package',
  command: [process.execPath, path.join(root, 'build/pack.mjs')],
  prepare: async () => ensureSetup(),
};
/** Tests the package that `packageStep` made. */
export const e2eStep = vitestStep('e2e', ownDesktop);

if (isProgram(import.meta.url)) process.exit((await runSteps([packageStep, e2eStep])).ok ? 0 : 1);
