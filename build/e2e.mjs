/** `npm run test:e2e`: the packaged app, driven from outside; on Linux on a display and a session bus of its own. */
import { pack } from './pack.mjs';
import { isProgram } from './root.mjs';
import { ensureSetup } from './setup.mjs';
import { runSteps, vitestStep } from './steps.mjs';

export const ownDesktop =
  process.platform === 'linux'
    ? ['dbus-run-session', '--', 'xvfb-run', '-a', '-s', '-screen 0 1440x900x24']
    : [];

export const e2eStep = { ...vitestStep('e2e', ownDesktop), prepare };

async function prepare() {
  ensureSetup();
  await pack();
}

if (isProgram(import.meta.url)) process.exit((await runSteps([e2eStep])).ok ? 0 : 1);
