import { parseJson } from '../../../shared/json.ts';
import type { ConfiguredServer } from '../config/contract.ts';
import { secretsOf } from '../servers/log/secret-values.ts';
import { readTextIfExists } from '../store/files/atomic-file.ts';
import type { DataPaths } from '../store/files/data-dir.ts';
import type { SecretVault } from '../store/files/secret-vault.ts';

export interface ValueSources {
  readonly paths: DataPaths;
  readonly vault: SecretVault;
  readonly servers: readonly ConfiguredServer[];
}

/** Collects all secret values of this computer: our tokens, the vault, sign-ins, values given to servers. */
export async function knownValues({ paths, vault, servers }: ValueSources): Promise<readonly string[]> {
  const files = await Promise.all([paths.token, paths.adminToken, paths.secretsKey].map(fileText));
  const stored = await vaultValues(vault);
  return [
    ...files,
    ...stored.flatMap(textsIn),
    ...servers.flatMap(secretsOf),
    ...servers.flatMap(valuesGivenTo),
  ];
}

async function fileText(file: string): Promise<string> {
  return (await readTextIfExists(file).catch(() => undefined))?.trim() ?? '';
}

/** Values that cannot be decrypted here cannot appear in our own texts. */
async function vaultValues(vault: SecretVault): Promise<readonly string[]> {
  const listed = await vault.list().catch(() => []);
  const values = await Promise.all(listed.map(({ name }) => vault.get(name).catch(() => undefined)));
  return values.flatMap((value) => value ?? []);
}

/** The whole value, each of its lines, and the strings of JSON values such as sign-ins. */
function textsIn(value: string): readonly string[] {
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  return [value, ...lines, ...leaves(parseJson(value))];
}

function leaves(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length >= minLeafLength ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}

/** Values with harmless names that are too long for a plain setting and are no path or address. */
function valuesGivenTo({ target }: ConfiguredServer): readonly string[] {
  if (!target.ok) return [];
  const given = target.value.kind === 'stdio' ? target.value.env : target.value.headers;
  return Object.values(given).filter(
    (value) => value.length >= minValueLength && !/^(?:[/~.\\]|[A-Z]:|https?:)/i.test(value),
  );
}

const minLeafLength = 8;
const minValueLength = 12;
