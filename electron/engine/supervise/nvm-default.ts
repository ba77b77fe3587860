import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Finds the folder of nvm's default Node version, else of its newest: never the oldest, which lacks `node:`
 * modules. Shells that load nvm lazily do not have it on their PATH.
 */
export async function nvmDefaultBin(root: string): Promise<string | undefined> {
  const versions = await readdir(join(root, 'versions', 'node')).catch(() => []);
  if (versions.length === 0) return undefined;
  const chosen = chooseNodeVersion(versions, await resolveAlias(root, 'default'));
  return chosen === undefined ? undefined : join(root, 'versions', 'node', chosen, 'bin');
}

/** Resolves an alias: `default` may say `lts/*`, which says `lts/jod`, which says `v22.11.0`. */
async function resolveAlias(root: string, alias: string, hops = 5): Promise<string> {
  // An alias is a file with that name; nothing outside of its folder may be read.
  if (hops === 0 || !/^[\w./*-]+$/.test(alias) || alias.includes('..')) return alias;
  const text = await readFile(join(root, 'alias', alias), 'utf8').catch(() => '');
  return text.trim() === '' ? alias : resolveAlias(root, text.trim(), hops - 1);
}

/**
 * Returns the newest of `versions` (`v20.1.0`) that starts with `wanted` (`20`, `v20.1`), else the newest of
 * all.
 */
export function chooseNodeVersion(versions: readonly string[], wanted: string): string | undefined {
  const newestFirst = versions
    .filter((version) => /^v\d+\.\d+\.\d+$/.test(version))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  const prefix = wanted.replace(/^v?/, 'v');
  return (
    newestFirst.find((version) => version === prefix || version.startsWith(`${prefix}.`)) ?? newestFirst[0]
  );
}
