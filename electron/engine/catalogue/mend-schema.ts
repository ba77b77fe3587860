import { isRecord } from '../../../shared/json.ts';
import type { RawItem } from './contract.ts';

/** Corrects an input schema, which is always of type object. */
export function repairInputSchema(value: unknown): RawItem {
  if (!isRecord(value)) return { type: 'object' };
  const repaired = repairRoot(value);
  return repaired.type === 'object' ? repaired : { ...repaired, type: 'object' };
}

/**
 * Corrects an output schema; returns undefined if it should be left out, because clients refuse results or
 * the whole list if they cannot compile it.
 */
export function repairOutputSchema(value: unknown): RawItem | undefined {
  if (!isRecord(value) || value.type !== 'object') return undefined;
  const repaired = repairRoot(value);
  return hasDanglingReference(repaired) ? undefined : repaired;
}

/** Corrects the root schema. Its properties must not be true or false, which SDK clients refuse. */
function repairRoot(schema: RawItem): RawItem {
  const repaired = repairSchema(schema, 0);
  const { properties } = repaired;
  if (!isRecord(properties)) return repaired;
  const objects = mapMembers(properties, (_name, value) =>
    typeof value === 'boolean' ? booleanAsObject(value) : value,
  );
  return objects === properties ? repaired : { ...repaired, properties: objects };
}

function booleanAsObject(schema: boolean): RawItem {
  return schema ? {} : { not: {} };
}

/** Returns the same object if there is nothing to correct. */
function repairSchema(schema: RawItem, depth: number): RawItem {
  if (depth > maxDepth) return schema;
  return mapMembers(schema, (keyword, value) => {
    if (valueKeywords.has(keyword)) return value;
    if (value === null) return undefined;
    return keywords.get(keyword)?.(value, depth + 1) ?? (keywords.has(keyword) ? undefined : value);
  });
}

/** Deeper than any handwritten schema. */
const maxDepth = 200;

/** Keywords that may have any value, including null. */
const valueKeywords: ReadonlySet<string> = new Set(['default', 'const', 'example']);

/** Returns undefined if the keyword should be left out. */
type Keyword = (value: unknown, depth: number) => unknown;

const subschema: Keyword = (value, depth) => {
  if (typeof value === 'boolean') return value;
  if (isRecord(value)) return repairSchema(value, depth);
  // PHP writes an empty object as an empty array.
  return Array.isArray(value) && value.length === 0 ? {} : undefined;
};

const subschemas: Keyword = (value, depth) => {
  if (!Array.isArray(value)) return undefined;
  const repaired = mapItems(value, (item) => subschema(item, depth));
  return repaired.length === 0 ? undefined : repaired;
};

const namedSubschemas: Keyword = (value, depth) => {
  if (isRecord(value)) return mapMembers(value, (_name, member) => subschema(member, depth) ?? {});
  return Array.isArray(value) && value.length === 0 ? {} : undefined;
};

const names: Keyword = (value) =>
  Array.isArray(value) ? mapItems(value, (item) => (typeof item === 'string' ? item : undefined)) : undefined;

const types: Keyword = (value) => {
  if (typeof value === 'string') return value;
  const list = names(value, 0);
  return Array.isArray(list) && list.length > 0 ? list : undefined;
};

const list: Keyword = (value) => (Array.isArray(value) ? value : undefined);

const text: Keyword = (value) => (typeof value === 'string' ? value : undefined);

const keywords: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ['type', types],
  ['required', names],
  ['title', text],
  ['description', text],
  ['$ref', text],
  ['format', text],
  ['pattern', text],
  ['enum', list],
  ['examples', list],
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'].map(
    (name) => [name, namedSubschemas] as const,
  ),
  ...['anyOf', 'oneOf', 'allOf', 'prefixItems'].map((name) => [name, subschemas] as const),
  ...['additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'].map(
    (name) => [name, subschema] as const,
  ),
  ['items', (value, depth) => (Array.isArray(value) ? subschemas(value, depth) : subschema(value, depth))],
]);

/**
 * Maps the members of an object and removes those mapped to undefined; returns the same object if none
 * differs.
 */
export function mapMembers(members: RawItem, map: (name: string, value: unknown) => unknown): RawItem {
  let changed: Map<string, unknown> | undefined;
  for (const name of Object.keys(members)) {
    const value = map(name, members[name]);
    if (value === members[name]) continue;
    changed ??= new Map(Object.entries(members));
    if (value === undefined) changed.delete(name);
    else changed.set(name, value);
  }
  return changed === undefined ? members : Object.fromEntries(changed);
}

/** Maps a list in the same way. */
export function mapItems(items: readonly unknown[], map: (item: unknown) => unknown): readonly unknown[] {
  const mapped = items.map(map);
  if (mapped.every((item, index) => item === items[index])) return items;
  return mapped.filter((item) => item !== undefined);
}

/**
 * Detects references to missing definitions: SDK clients compile every outputSchema, and one such reference
 * costs them the list.
 */
function hasDanglingReference(root: RawItem): boolean {
  const pending: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null || depth > maxDepth) continue;
    const reference = (value as RawItem).$ref;
    if (typeof reference === 'string' && isDanglingPointer(root, reference)) return true;
    for (const member of Object.values(value)) pending.push({ value: member, depth: depth + 1 });
  }
  return false;
}

/** Checks only pointers into the same document; names and other documents are left to the client. */
function isDanglingPointer(root: unknown, reference: string): boolean {
  if (reference !== '#' && !reference.startsWith('#/')) return false;
  const steps = reference
    .slice(2)
    .split('/')
    .filter((step) => step !== '');
  let value: unknown = root;
  for (const step of steps) {
    const key = decodeStep(step);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return true;
    value = (value as RawItem)[key];
  }
  return false;
}

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}
