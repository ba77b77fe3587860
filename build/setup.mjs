/**
 * `npm run setup`: installs what Linux lacks for running the app and its tests, as root on a Debian system;
 * elsewhere it lists the packages. Quick and silent if nothing is missing; other systems need nothing.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { isProgram } from './root.mjs';

const library = (name, ...debian) => ({ name, debian, found: ({ libraries }) => libraries.includes(name) });
const command = (name, ...debian) => ({ name, debian, found: () => isOnPath(name) });

/** Uses the first Debian package name that exists: some were renamed between releases. */
const needs = {
  run: [
    library('libgtk-3.so.0', 'libgtk-3-0t64', 'libgtk-3-0'),
    library('libnss3.so', 'libnss3'),
    library('libasound.so.2', 'libasound2t64', 'libasound2'),
    library('libgbm.so.1', 'libgbm1'),
    library('libsecret-1.so.0', 'libsecret-1-0'),
    library('libnotify.so.4', 'libnotify4'),
    command('unzip', 'unzip'),
    { name: 'fonts', debian: ['fonts-dejavu-core'], found: hasFonts },
  ],
  test: [
    command('xvfb-run', 'xvfb'),
    command('xauth', 'xauth'),
    command('dbus-run-session', 'dbus'),
    command('gnome-keyring-daemon', 'gnome-keyring'),
  ],
};

/** Ensures the given groups; throws, naming what is missing, if it cannot install it. */
export function ensureSetup(groups = ['run', 'test']) {
  if (process.platform !== 'linux') return;
  const wanted = groups.flatMap((group) => needs[group]);
  const before = missing(wanted);
  if (before.length === 0) return;
  if (process.getuid() !== 0 || !isOnPath('apt-get')) throw new Error(advice(before));
  install(before);
  const after = missing(wanted);
  if (after.length > 0) throw new Error(advice(after));
}

function missing(wanted) {
  const system = { libraries: sharedLibraries() };
  return wanted.filter(({ found }) => !found(system));
}

function install(items) {
  apt(['update', '-qq']);
  const packages = items.map(packageName);
  console.log(`Installing ${packages.join(', ')}…`);
  apt(['install', '-y', '-qq', '--no-install-recommends', ...packages]);
}

function apt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status } = spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`apt-get ${args[0]} failed`);
}

function packageName({ debian }) {
  const known = debian.find((name) => spawnSync('apt-cache', ['show', name]).status === 0);
  return known ?? debian.at(-1);
}

function advice(items) {
  const packages = items.map(({ debian }) => debian.at(-1)).join(' ');
  return `Missing: ${items.map(({ name }) => name).join(', ')}. On Debian and Ubuntu: sudo apt-get install ${packages}`;
}

function sharedLibraries() {
  const listing = spawnSync('ldconfig', ['-p'], { encoding: 'utf8', env: withSystemPath() }).stdout ?? '';
  return listing.split('\n').map((line) => line.trim().split(' ')[0]);
}

/** ldconfig is in /sbin, which a user's PATH may lack. */
function withSystemPath() {
  return { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
}

function isOnPath(name) {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(path.join(folder, name)));
}

function hasFonts() {
  return ['/usr/share/fonts/truetype', '/usr/share/fonts/opentype', '/usr/share/fonts/TTF'].some(
    (folder) => existsSync(folder) && readdirSync(folder).length > 0,
  );
}

if (isProgram(import.meta.url)) {
  try {
    ensureSetup();
    console.log('Nothing is missing.');
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
