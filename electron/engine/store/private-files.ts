import { chmod, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { DataPaths } from './data-dir.ts';
import { removeTempFiles } from './drafts.ts';

/** Makes a file readable by its user only; leaves missing files and other users' files unchanged. */
export async function restrictToUser(file: string): Promise<void> {
  if (process.platform === 'win32') return;
  const info = await stat(file).catch(() => undefined);
  if (info?.isFile() && info.uid === process.getuid?.() && (info.mode & 0o077) !== 0)
    await chmod(file, 0o600).catch(() => undefined);
}

/**
 * Removes temporary files that killed hubs left in the data folder, and makes files there that may contain
 * secrets private, in case a restored copy or an earlier version left them readable. Only for the hub that
 * owns the folder; never rejects.
 */
export async function tidyDataDir(paths: DataPaths): Promise<void> {
  const { dir, run, logs, config } = paths;
  const backups = join(dir, 'backups');
  for (const folder of [dir, run, join(dir, 'bin')]) await removeTempFiles(folder);
  const target = await realpath(config).catch(() => config);
  if (dirname(target) !== dir) await removeTempFiles(dirname(target), [target]);
  for (const folder of [run, logs, backups])
    if (process.platform !== 'win32') await chmod(folder, 0o700).catch(() => undefined);
  for (const folder of [dir, run, logs, backups]) {
    const names = await readdir(folder).catch(() => []);
    const own = folder === dir ? names.filter((name) => mayHoldSecrets(name, paths)) : names;
    for (const name of own) await restrictToUser(join(folder, name));
  }
}

/** Files of the user, including `mcp.json`, keep their permissions. */
function mayHoldSecrets(name: string, paths: DataPaths): boolean {
  const { token, adminToken, secrets, secretsKey, catalogue, checks, openClients, search } = paths;
  const files = [token, adminToken, secrets, secretsKey, catalogue, checks, openClients, search];
  const isDatabase = [paths.state, paths.activity, paths.audit].some((file) =>
    name.startsWith(basename(file)),
  );
  return isDatabase || name === 'clients.journal' || files.some((file) => basename(file) === name);
}
