import { isRecord, scalarText } from '../../../../shared/json.ts';
import type { RawItem } from '../contract.ts';
import { isCompilable } from './compilable-schema.ts';
import { flattenRoot } from './flatten-root.ts';
import { mapItems, mapMembers } from './map-members.ts';
import { bool, number as readNumber, text as readText } from './repair-member.ts';

/**
 * Corrects an input schema, which is always of type object. Model APIs refuse all tools for one whose schema
 * violates draft 2020-12, or has alternatives at its root.
 */
export function repairInputSchema(value: unknown): RawItem {
  if (!isRecord(value)) return { type: 'object' };
  const repaired = flattenRoot(repairRoot(value));
  return repaired.type === 'object' ? repaired : { ...repaired, type: 'object' };
}

/**
 * Corrects an output schema; returns undefined if it should be left out, because clients refuse results or
 * the whole list if they cannot compile it.
 */
export function repairOutputSchema(value: unknown): RawItem | undefined {
  if (!isRecord(value) || value.type !== 'object') return undefined;
  const repaired = repairRoot(value);
  return isCompilable(repaired) ? repaired : undefined;
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
  const repaired = mapMembers(schema, (keyword, value) => {
    if (valueKeywords.has(keyword)) return value;
    if (value === null) return undefined;
    return keywords.get(keyword)?.(value, depth + 1) ?? (keywords.has(keyword) ? undefined : value);
  });
  return repairItems(repaired);
}

/**
 * Describes each item under the keyword of draft 2020-12, and requires nothing of all others: model APIs
 * refuse an array whose items are a list, or are not described.
 */
function repairItems(schema: RawItem): RawItem {
  const { type, items } = schema;
  if (Array.isArray(items))
    return { ...schema, ...(items.length === 0 ? {} : { prefixItems: items }), items: {} };
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'));
  return isArray && items === undefined ? { ...schema, items: {} } : schema;
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

const items: Keyword = (value, depth) =>
  Array.isArray(value) ? (subschemas(value, depth) ?? {}) : subschema(value, depth);

const namedSubschemas: Keyword = (value, depth) => {
  if (isRecord(value)) return mapMembers(value, (_name, member) => subschema(member, depth) ?? {});
  return Array.isArray(value) && value.length === 0 ? {} : undefined;
};

const patternSubschemas: Keyword = (value, depth) => {
  const named = namedSubschemas(value, depth);
  return isRecord(named)
    ? mapMembers(named, (name, member) => (pattern(name, depth) === undefined ? undefined : member))
    : undefined;
};

const names: Keyword = (value) => {
  if (!Array.isArray(value)) return undefined;
  const found = new Set<string>();
  return mapItems(value, (item) =>
    typeof item === 'string' && !found.has(item) && found.add(item) ? item : undefined,
  );
};

const members: Keyword = (value) => (isRecord(value) ? value : undefined);

const namedNames: Keyword = (value, depth) =>
  isRecord(value) ? mapMembers(value, (_name, member) => names(member, depth)) : undefined;

const dependencies: Keyword = (value, depth) => {
  const dependency: Keyword = (member) => names(member, depth) ?? subschema(member, depth);
  return isRecord(value) ? mapMembers(value, (_name, member) => dependency(member, depth)) : undefined;
};

const types: Keyword = (value, depth) => {
  if (typeof value === 'string') return typeOf(value);
  const list = names(value, depth);
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const known = mapItems(list, typeOf);
  // Without the unknown one of several types, fewer values would be allowed.
  return known.length === list.length ? names(known, depth) : undefined;
};

/** Returns the type that a word of another language means; undefined for any other word. */
function typeOf(word: unknown): string | undefined {
  const name = scalarText(word).toLowerCase();
  return knownTypes.has(name) ? name : foreignTypes.get(name);
}

const knownTypes: ReadonlySet<string> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
]);

/** Types of Python, Go and others. */
const foreignTypes: ReadonlyMap<string, string> = new Map([
  ['str', 'string'],
  ['text', 'string'],
  ['int', 'integer'],
  ['float', 'number'],
  ['double', 'number'],
  ['bool', 'boolean'],
  ['dict', 'object'],
  ['list', 'array'],
]);

const list: Keyword = (value) => (Array.isArray(value) ? value : undefined);

const choices: Keyword = (value) => (Array.isArray(value) && value.length > 0 ? value : undefined);

const text: Keyword = (value) => readText(value, {});

const flag: Keyword = (value) => bool(value, {});

const number: Keyword = (value) => readNumber(value, {});

const positive: Keyword = (value, depth) => {
  const read = number(value, depth);
  return typeof read === 'number' && read > 0 ? read : undefined;
};

const count: Keyword = (value, depth) => {
  const read = number(value, depth);
  return typeof read === 'number' && Number.isInteger(read) && read >= 0 ? read : undefined;
};

/** Leaves out expressions of other languages: one that does not compile costs clients the list. */
const pattern: Keyword = (value) => {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') ? value : undefined;
  } catch {
    return undefined;
  }
};

const identifier: Keyword = (value) =>
  typeof value === 'string' && !value.slice(0, -1).includes('#') ? value : undefined;

const named = (keyword: Keyword, ...all: readonly string[]) => all.map((name) => [name, keyword] as const);

const keywords: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ...named(types, 'type'),
  ...named(names, 'required'),
  ...named(namedNames, 'dependentRequired'),
  ...named(dependencies, 'dependencies'),
  ...named(members, '$vocabulary'),
  ...named(text, '$ref', '$schema', '$anchor', '$dynamicRef', '$dynamicAnchor', '$comment'),
  ...named(text, 'title', 'description', 'format', 'contentMediaType', 'contentEncoding'),
  ...named(identifier, '$id'),
  ...named(pattern, 'pattern'),
  ...named(choices, 'enum'),
  ...named(list, 'examples'),
  ...named(number, 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'),
  ...named(positive, 'multipleOf'),
  ...named(count, 'minLength', 'maxLength', 'minItems', 'maxItems', 'minContains', 'maxContains'),
  ...named(count, 'minProperties', 'maxProperties'),
  ...named(flag, 'uniqueItems', 'deprecated', 'readOnly', 'writeOnly', 'nullable'),
  ...named(namedSubschemas, 'properties', '$defs', 'definitions', 'dependentSchemas'),
  ...named(patternSubschemas, 'patternProperties'),
  ...named(subschemas, 'anyOf', 'oneOf', 'allOf', 'prefixItems'),
  ...named(subschema, 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems', 'contentSchema'),
  ...named(subschema, 'not', 'if', 'then', 'else', 'contains', 'propertyNames'),
  ...named(items, 'items'),
]);
