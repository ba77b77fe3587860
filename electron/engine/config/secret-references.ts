import type { ConfiguredServer, SecretReference } from './contract.ts';
import type { JsonNode } from './parse.ts';
import { readConfigFile, validateConfigText } from './reading.ts';
import { membersOf, type Path } from './tree.ts';

/** Returns the secret references of the servers in a config file; empty if it cannot be read. */
export async function readSecretReferences(
  file: string,
): Promise<readonly Required<Pick<ConfiguredServer, 'key' | 'secretReferences'>>[]> {
  const reading = await readConfigFile(file);
  const good = reading.kind === 'text' ? validateConfigText(file, reading.text) : undefined;
  if (good === undefined || 'code' in good) return [];
  return good.servers.map(({ key, member }) => ({ key, secretReferences: secretReferencesIn(member.value) }));
}

/** Returns every `${secret:NAME}` in the texts of an entry, once per field and name. */
export function secretReferencesIn(node: JsonNode, path: Path = []): readonly SecretReference[] {
  if (node.type === 'string') return referencesOf(String(node.value), path);
  if (node.type === 'array') {
    return (node.children ?? []).flatMap((child, index) => secretReferencesIn(child, [...path, index]));
  }
  return membersOf(node).flatMap(({ key, value }) => secretReferencesIn(value, [...path, key]));
}

function referencesOf(text: string, path: Path): readonly SecretReference[] {
  const names = [...text.matchAll(reference)].map(([, name = '']) => name);
  return [...new Set(names)].map((name) => ({ name, field: path.join('.') }));
}

/** Escaped by `$$` it is not a reference, see {@link expandText}. */
const reference = /(?<!\$)\$\{secret:([^{}]*)\}/g;
