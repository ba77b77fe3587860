/** `npm run build [part…]`: bundles every program into dist/, all at once. */
import { chmod, cp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'vite';
import { isProgram, root } from './root.mjs';

export const parts = ['main', 'preload', 'renderer', 'patchbay', 'bridge', 'aggregator'];

const stamp = path.join(root, 'dist', '.built');

/** Helper programs built together with a part that needs them. */
const companions = {
  main: ['main-worker'],
  patchbay: ['patchbay-worker'],
};

/** Builds the given parts in parallel; rejects after all have ended if any failed. */
export async function buildParts(names = parts) {
  const whole = parts.every((part) => names.includes(part));
  if (whole) await rm(stamp, { force: true });
  await cp(path.join(root, 'build', 'icons'), path.join(root, 'dist', 'icons'), {
    recursive: true,
    filter: isIconOfApp,
  });
  const all = names.flatMap((name) => [name, ...(companions[name] ?? [])]);
  const outcomes = await Promise.allSettled(all.map(buildPart));
  const failures = outcomes.filter(({ status }) => status === 'rejected').map(({ reason }) => reason);
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of ${all.length} builds failed`);
  if (whole) await writeFile(stamp, '');
}

/** Builds the named parts unless all of dist/ is newer than its sources. */
export async function ensureBuilt(names = parts) {
  if (await isFresh()) return;
  console.log('Building (dist/ is missing or older than the sources)…');
  await buildParts(names);
}

/** True for icons that the running app shows; the others are for installers. */
function isIconOfApp(file) {
  return !/\.(?:icns|ico)$|linux$/.test(file);
}

async function buildPart(name) {
  const started = performance.now();
  try {
    const output = await build({ configFile: path.join(root, 'vite.config.ts'), mode: name });
    await markExecutable(output.output);
    const bytes = output.output.reduce((sum, item) => sum + Buffer.byteLength(item.code ?? item.source), 0);
    const time = `${Math.round(performance.now() - started)} ms`;
    console.log(`${name.padEnd(13)} ${String(Math.round(bytes / 1024)).padStart(6)} kB ${time.padStart(8)}`);
  } catch (error) {
    console.error(`${name}: ${error.message}`);
    throw error;
  }
}

async function markExecutable(files) {
  const commands = files.filter(({ code }) => code?.startsWith('#!'));
  await Promise.all(commands.map(({ fileName }) => chmod(path.join(root, 'dist', 'bin', fileName), 0o755)));
}

async function isFresh() {
  const built = await stat(stamp).catch(() => undefined);
  return built !== undefined && (await newestSource()) <= built.mtimeMs;
}

async function newestSource() {
  const sources = [
    'shared',
    'electron',
    'renderer',
    'build/icons',
    'vite.config.ts',
    'package.json',
    'package-lock.json',
  ];
  return Math.max(...(await Promise.all(sources.map((source) => newest(path.join(root, source))))));
}

async function newest(file) {
  const info = await stat(file);
  if (!info.isDirectory()) return info.mtimeMs;
  const entries = await readdir(file);
  const times = await Promise.all(entries.map((entry) => newest(path.join(file, entry))));
  // The folder's own time reveals deleted files.
  return Math.max(info.mtimeMs, ...times);
}

if (isProgram(import.meta.url)) {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !parts.includes(name));
  if (unknown.length > 0) {
    console.error(`Unknown part: ${unknown.join(', ')}. Parts are: ${parts.join(', ')}`);
    process.exit(2);
  }
  await buildParts(names.length > 0 ? names : parts).catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
}
