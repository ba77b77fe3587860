import type { JsonNode } from './parse.ts';

/** A `"key": value` pair of an object. */
export interface Member {
  readonly key: string;
  /** The whole property, from the opening quote of its key to the end of its value. */
  readonly node: JsonNode;
  readonly keyNode: JsonNode;
  readonly value: JsonNode;
}

export type Path = readonly (string | number)[];

/** Returns the properties of an object in file order, duplicates included; none for anything else. */
export function membersOf(node: JsonNode | undefined): readonly Member[] {
  if (node?.type !== 'object') return [];
  return (node.children ?? []).flatMap((property) => {
    const [keyNode, value] = property.children ?? [];
    if (keyNode === undefined || value === undefined) return [];
    return [{ key: String(keyNode.value), node: property, keyNode, value }];
  });
}

export function memberOf(node: JsonNode | undefined, key: string): Member | undefined {
  return membersOf(node).find((member) => member.key === key);
}

/** Returns the plain value; unlike an assignment, a key named `__proto__` stays an ordinary key. */
export function plainValue(node: JsonNode): unknown {
  if (node.type === 'array') return (node.children ?? []).map(plainValue);
  if (node.type !== 'object') return node.value;
  return Object.fromEntries(membersOf(node).map(({ key, value }) => [key, plainValue(value)]));
}

/** Returns the node at a path, or its deepest existing ancestor. */
export function nearestNode(node: JsonNode, path: Path): JsonNode {
  const [step, ...rest] = path;
  if (step === undefined) return node;
  const next = typeof step === 'number' ? node.children?.[step] : memberOf(node, step)?.value;
  return next === undefined ? node : nearestNode(next, rest);
}

/** Returns every repeated key of an object with all its members, in the whole tree. */
export function duplicatesIn(
  node: JsonNode,
  path: Path = [],
): { readonly path: Path; readonly members: readonly Member[] }[] {
  if (node.type === 'array') {
    return (node.children ?? []).flatMap((child, index) => duplicatesIn(child, [...path, index]));
  }
  const byKey = groupByKey(membersOf(node));
  const here = [...byKey].flatMap(([key, members]) =>
    members.length > 1 ? [{ path: [...path, key], members }] : [],
  );
  const below = membersOf(node).flatMap(({ key, value }) => duplicatesIn(value, [...path, key]));
  return [...here, ...below];
}

export function groupByKey(members: readonly Member[]): Map<string, readonly Member[]> {
  const groups = new Map<string, readonly Member[]>();
  for (const member of members) groups.set(member.key, [...(groups.get(member.key) ?? []), member]);
  return groups;
}
