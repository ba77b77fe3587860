/**
 * Finds an Electron to run and package the app with; run as a program it prints the folder. Order:
 * ELECTRON_OVERRIDE_DIST_PATH, the pinned `electron` package's own download, a test runtime (Linux x64).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { cacheDir, testRuntime } from './electron-test-runtime.mjs';
import { isProgram, root } from './root.mjs';

/**
 * @typedef {object} ElectronRuntime
 * @property {string} dist folder of the unpacked Electron
 * @property {string} executable
 * @property {string} version
 * @property {'override' | 'pinned' | 'test'} kind 'test' is an older Electron, only for tests and trying out
 */

/** @returns {Promise<ElectronRuntime>} */
export async function findElectron() {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) return runtimeAt(override, 'override');
  const pinned = path.join(electronPackage(), 'dist');
  if (isElectron(pinned) || (await downloadPinned())) return runtimeAt(pinned, 'pinned');
  if (hasTestRuntime) return runtimeAt(await testRuntime(), 'test');
  throw new Error(
    'No Electron: its download failed (see above). Check the network, or point ELECTRON_OVERRIDE_DIST_PATH at an unpacked one.',
  );
}

function runtimeAt(dist, kind) {
  if (!isElectron(dist)) throw new Error(`No Electron in ${dist}`);
  const version = readFileSync(path.join(dist, 'version'), 'utf8').trim().replace(/^v/, '');
  return { dist, executable: path.join(dist, executableName()), version, kind };
}

function isElectron(dist) {
  return existsSync(path.join(dist, 'version')) && existsSync(path.join(dist, executableName()));
}

function executableName() {
  if (process.platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return process.platform === 'win32' ? 'electron.exe' : 'electron';
}

function electronPackage() {
  return path.dirname(createRequire(import.meta.url).resolve('electron/package.json'));
}

/** Runs the package's own download. If there is a fallback, a failure is remembered for a day. */
async function downloadPinned() {
  const failed = path.join(cacheDir(), 'electron-download-failed');
  const lastFailure = await stat(failed).catch(() => undefined);
  if (lastFailure && Date.now() - lastFailure.mtimeMs < oneDayMs) return false;
  console.error('Downloading Electron…');
  const install = path.join(electronPackage(), 'install.js');
  const { status, stderr } = spawnSync(process.execPath, [install], {
    cwd: root,
    encoding: 'utf8',
    timeout: tenMinutesMs,
  });
  if (status === 0) return true;
  console.error(`Electron's own download failed: ${stderr.trim().split('\n')[0]}`);
  await mkdir(cacheDir(), { recursive: true });
  if (hasTestRuntime) await writeFile(failed, '');
  return false;
}

const hasTestRuntime = process.platform === 'linux' && process.arch === 'x64';
const oneDayMs = 24 * 60 * 60 * 1000;
const tenMinutesMs = 10 * 60 * 1000;

if (isProgram(import.meta.url)) console.log((await findElectron()).dist);
