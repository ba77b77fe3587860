import type { SecretReference } from './contract.ts';
import type { JsonNode } from './parse.ts';
import { membersOf, type Path } from './tree.ts';

/** Every `${secret:NAME}` in the texts of an entry, one for each field and name. */
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

/** After `$$` it is no reference, see {@link expandText}. */
const reference = /(?<!\$)\$\{secret:([^{}]*)\}/g;
