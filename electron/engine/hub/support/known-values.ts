import type { ConfiguredServer } from '../../config/contract.ts';
import { readTextIfExists } from '../../store/atomic-file.ts';
import type { DataPaths } from '../../store/data-dir.ts';
import type { SecretVault } from '../../store/secret-vault.ts';
import { secretsOf } from '../../supervise/secret-values.ts';

export interface ValueSources {
  readonly paths: DataPaths;
  readonly vault: SecretVault;
  readonly servers: readonly ConfiguredServer[];
}

/** Everything on this computer's side that must not leave it: our token, the vault, sign-ins, what servers are given. */
export async function knownValues({ paths, vault, servers }: ValueSources): Promise<readonly string[]> {
  const files = await Promise.all([paths.token, paths.adminToken, paths.secretsKey].map(fileText));
  const stored = await vaultValues(vault);
  return [...files, ...stored.flatMap(textsIn), ...servers.flatMap(secretsOf), ...servers.flatMap(givenTo)];
}

async function fileText(file: string): Promise<string> {
  return (await readTextIfExists(file).catch(() => undefined))?.trim() ?? '';
}

/** What cannot be opened here cannot have been written by us here either. */
async function vaultValues(vault: SecretVault): Promise<readonly string[]> {
  const listed = await vault.list().catch(() => []);
  const values = await Promise.all(listed.map(({ name }) => vault.get(name).catch(() => undefined)));
  return values.flatMap((value) => value ?? []);
}

/** A value whole, with each line of it; a sign-in is JSON with several in it. */
function textsIn(value: string): readonly string[] {
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  return [value, ...lines, ...leaves(jsonIn(value))];
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function leaves(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length >= shortestLeaf ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}

/** Values with harmless names, where they are long enough to be more than a setting, and no place. */
function givenTo({ target }: ConfiguredServer): readonly string[] {
  if (!target.ok) return [];
  const given = target.value.kind === 'stdio' ? target.value.env : target.value.headers;
  return Object.values(given).filter(
    (value) => value.length >= longSetting && !/^(?:[/~.\\]|[A-Z]:|https?:)/i.test(value),
  );
}

const shortestLeaf = 8;
const longSetting = 12;
