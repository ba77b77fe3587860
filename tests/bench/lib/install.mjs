import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Makes sure that a package is installed in a folder of its own, with these flags of npm; rejects with the reason where it
 * cannot be. Nothing that it brings is run.
 */
export async function installPackage({ name, version, folder, flags = [] }) {
  const isThere = await stat(join(folder, 'node_modules', name, 'package.json')).catch(() => undefined);
  if (isThere !== undefined) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const all = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...flags, `${name}@${version}`];
  const npm = spawn('npm', all, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 180_000,
    shell: process.platform === 'win32',
  });
  let words = '';
  npm.stderr.on('data', (chunk) => {
    words += chunk;
  });
  const [code] = await once(npm, 'close');
  if (code !== 0) throw new Error(`npm install failed: ${words.trim().split('\n').at(-1) ?? code}`);
}

/** The folder for one version of a package. */
export const packageFolder = (cache, name, version) =>
  join(cache, `${name.replaceAll(/[@/]/g, '_')}-${version}`);
