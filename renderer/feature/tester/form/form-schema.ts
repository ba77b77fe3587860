import type { RJSFSchema } from '@rjsf/utils';
import { isRecord } from '../../../../shared/json.ts';

type Node = Readonly<Record<string, unknown>>;

/** A schema as the form renders it, or why it cannot; then the arguments are edited as JSON. */
export type FormSchema =
  | { readonly kind: 'form'; readonly schema: RJSFSchema }
  | { readonly kind: 'json'; readonly reason: string };

/**
 * Translates a tool's schema into keywords that the form library renders. Parts it cannot render are marked
 * to be edited as JSON, with the reason. What is allowed stays the same; arguments are validated against the
 * original schema.
 */
export function toFormSchema(schema: unknown): FormSchema {
  if (!isRecord(schema)) return { kind: 'json', reason: 'The tool does not describe its arguments.' };
  if (countNodes(schema) > maxNodes) {
    return { kind: 'json', reason: 'Its schema is too large for a form.' };
  }
  const root = { root: schema };
  if (typeof schema.$ref === 'string' && !isResolvable(schema.$ref, schema)) {
    return { kind: 'json', reason: unresolved(schema.$ref) };
  }
  if (schema.type !== 'object' && schema.properties === undefined && schema.$ref === undefined) {
    const isUnion = schema.anyOf !== undefined || schema.oneOf !== undefined || schema.allOf !== undefined;
    if (!isUnion) return { kind: 'json', reason: 'Its schema does not list the arguments.' };
  }
  const { $id: _base, $schema: _draft, id: _old, ...own } = schema;
  return { kind: 'form', schema: convert(own, root) as RJSFSchema };
}

/** Returns why a part is edited as JSON; undefined if any value is allowed. */
export function jsonReason(schema: Node): string | undefined {
  return typeof schema[reasonMark] === 'string' ? schema[reasonMark] : undefined;
}

const reasonMark = 'patchbay:json';
const maxNodes = 5_000;

interface SchemaContext {
  readonly root: Node;
}

function convert(schema: unknown, context: SchemaContext): unknown {
  if (schema === true) return untyped({});
  if (!isRecord(schema)) return schema;
  const { $ref, $dynamicRef, $recursiveRef, prefixItems } = schema;
  const reference = $ref ?? $dynamicRef ?? $recursiveRef;
  if (typeof reference === 'string' && ($ref === undefined || !isResolvable(reference, context.root))) {
    return untyped(schema, unresolved(reference));
  }
  if (Object.keys(schema).every((key) => annotations.has(key))) return untyped(schema);
  if (Array.isArray(schema.type)) return convertUnion(schema, schema.type, context);
  if (Array.isArray(schema.enum) && Array.isArray(schema.enumNames)) return withTitles(schema);
  const parts = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, convertMember(key, value, context)]),
  );
  if (!Array.isArray(prefixItems)) return withOptionNames(parts);
  // The form library knows the older names of `prefixItems` and `items` from 2020-12.
  const { prefixItems: items, items: additionalItems, ...rest } = parts;
  return { ...rest, items, ...(additionalItems === undefined ? {} : { additionalItems }) };
}

function convertMember(key: string, value: unknown, context: SchemaContext): unknown {
  if (schemaMaps.has(key) && isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, convert(part, context)]));
  }
  if (schemaLists.has(key) && Array.isArray(value)) return value.map((part) => convert(part, context));
  return schemas.has(key) ? convert(value, context) : value;
}

/** Converts `enumNames`, used in elicitations of older servers, to titled choices. */
function withTitles({ enum: values, enumNames, ...rest }: Node): Node {
  const titles: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
  const options = Array.isArray(values) ? values : [];
  return {
    ...rest,
    oneOf: options.map((value, index) => ({ const: value, title: String(titles[index] ?? value) })),
  };
}

/** Converts `type: ["string", "null"]` to a choice. */
function convertUnion(schema: Node, types: readonly unknown[], context: SchemaContext): unknown {
  const { type: _all, title, description, default: initial, ...rest } = schema;
  if (types.length === 1) return convert({ ...schema, type: types[0] }, context);
  const about = {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(initial === undefined ? {} : { default: initial }),
  };
  const options = types.map((type) => ({ ...limitedToType(rest, type), type, title: typeLabel(type) }));
  return { ...about, anyOf: options.map((option) => convert(option, context)) };
}

/** Limits a schema to one type: an enumeration keeps only values of that type. */
function limitedToType(schema: Node, type: unknown): Node {
  if (!Array.isArray(schema.enum)) return schema;
  const { enum: values, ...rest } = schema;
  const fitting = values.filter(
    (value) => typeOf(value) === type || (type === 'number' && typeOf(value) === 'integer'),
  );
  return fitting.length === 0 ? rest : { ...rest, enum: fitting };
}

/** Names the options of a choice, which would otherwise be numbered. */
function withOptionNames(schema: Node): Node {
  const withNames = (options: unknown) =>
    Array.isArray(options)
      ? options.map((option) => (isRecord(option) ? { title: optionName(option), ...option } : option))
      : options;
  return {
    ...schema,
    ...(schema.oneOf === undefined ? {} : { oneOf: withNames(schema.oneOf) }),
    ...(schema.anyOf === undefined ? {} : { anyOf: withNames(schema.anyOf) }),
  };
}

function optionName(option: Node): string {
  if (option.const !== undefined) return String(option.const);
  if (typeof option.$ref === 'string') return option.$ref.split('/').at(-1) ?? option.$ref;
  if (Array.isArray(option.enum)) return option.enum.map(String).join(' or ');
  if (isRecord(option.properties)) {
    const constant = Object.values(option.properties).find(
      (part) => isRecord(part) && part.const !== undefined,
    );
    if (isRecord(constant)) return String(constant.const);
    return `with ${Object.keys(option.properties).join(', ') || 'no fields'}`;
  }
  return typeLabel(option.type);
}

function typeLabel(type: unknown): string {
  return typeof type === 'string' ? (typeLabels.get(type) ?? type) : 'as JSON';
}

const typeLabels: ReadonlyMap<string, string> = new Map([
  ['string', 'text'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['null', 'nothing (null)'],
]);

/** Returns a schema without a type, for which the form asks for JSON. */
function untyped(schema: Node, reason?: string): Node {
  const { title, description } = schema;
  return {
    ...(title === undefined ? {} : { title }),
    description: description ?? '',
    ...(reason === undefined ? {} : { [reasonMark]: reason }),
  };
}

function unresolved(reference: string): string {
  return `Its schema refers to ${reference}, which it does not define.`;
}

/** Returns whether the form library can resolve the reference: it follows pointers within the schema only. */
function isResolvable(reference: string, root: Node): boolean {
  if (reference === '#') return true;
  if (!reference.startsWith('#/')) return false;
  const steps = reference.slice(2).split('/').map(decodeStep);
  const found = steps.reduce<unknown>(
    (place, step) => (typeof place === 'object' && place !== null ? (place as Node)[step] : undefined),
    root,
  );
  return typeof found === 'object' || typeof found === 'boolean';
}

/** Decodes a step of a JSON Pointer in the fragment of a URL. */
export function decodeStep(step: string): string {
  const text = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Counts the nodes of a schema, up to the limit. */
function countNodes(value: unknown): number {
  let count = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0 && count <= maxNodes) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    count += 1;
    waiting.push(...Object.values(next));
  }
  return count;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

const annotations = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  '$comment',
  'readOnly',
]);
const schemaMaps = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);
const schemaLists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const schemas = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'if',
  'then',
  'else',
  'contains',
]);
