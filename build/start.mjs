/**
 * `npm start`: runs the desktop app if there is a display, else the same hub without a window (`npm run
 * serve` always does). Builds first if needed. Further arguments go to the program: `npm start -- --data-dir
 * folder`.
 */
import path from 'node:path';
import { ensureBuilt } from './build.mjs';
import { runInOurPlace } from './child.mjs';
import { findElectron } from './electron-runtime.mjs';
import { root } from './root.mjs';
import { ensureSetup } from './setup.mjs';

const [headless, args] = takeFlag(process.argv.slice(2), '--headless');

try {
  await ensureBuilt();
  process.exit(await (headless || !hasDisplay() ? startHub() : startApp()));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

function startHub() {
  if (!headless) console.log('No display here: starting the hub without a window (patchbay serve).');
  return runInOurPlace(process.execPath, [path.join(root, 'dist', 'bin', 'patchbay.mjs'), 'serve', ...args]);
}

async function startApp() {
  warnOfGaps();
  const { executable, version, kind } = await findElectron();
  if (kind === 'test') console.log(`Running in Electron ${version}, a test runtime: only for trying out.`);
  return runInOurPlace(executable, [root, ...sandboxArgs(), ...args], electronEnv());
}

/** Only warns: our list of libraries may be wrong for a system, and Electron itself decides. */
function warnOfGaps() {
  try {
    ensureSetup(['run']);
  } catch (error) {
    console.warn(error.message);
  }
}

function sandboxArgs() {
  if (process.platform !== 'linux' || process.getuid() !== 0) return [];
  console.log('Running as root: Chromium allows that only without its sandbox (--no-sandbox).');
  return ['--no-sandbox'];
}

function electronEnv() {
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  return env;
}

function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

function takeFlag(list, flag) {
  return [list.includes(flag), list.filter((item) => item !== flag)];
}
