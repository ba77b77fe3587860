import { isRecord } from '../../../../shared/json.ts';
import type { RawItem } from '../contract.ts';
import { resolvePointer } from './compilable-schema.ts';

/**
 * Lists the properties of all alternatives at the root, and requires what each of them requires: model APIs
 * refuse all tools for one with `anyOf`, `oneOf`, `allOf`, `not` or `enum` there. Returns the same object if
 * it has none.
 */
export function flattenRoot(root: RawItem): RawItem {
  if (!refusedAtRoot.some((keyword) => Object.hasOwn(root, keyword))) return root;
  const { properties, required } = membersOf(root, root, 0);
  const rest = Object.entries(root).filter(([keyword]) => !refusedAtRoot.includes(keyword));
  return {
    ...Object.fromEntries(rest),
    ...(properties.size === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(required.size === 0 ? {} : { required: [...required] }),
  };
}

const refusedAtRoot: readonly string[] = ['anyOf', 'oneOf', 'allOf', 'not', 'enum'];

interface Members {
  readonly properties: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<unknown>;
}

/** Reads what a schema says of an object, alternatives included; `seen` are those that count already. */
function membersOf(root: RawItem, schema: RawItem, depth: number, seen = new Set<RawItem>()): Members {
  const { $ref: reference, properties, required } = schema;
  const own: Members = {
    properties: new Map(Object.entries(isRecord(properties) ? properties : {})),
    required: new Set(Array.isArray(required) ? required : []),
  };
  if (depth > maxDepth) return own;
  seen.add(schema);
  const read = (schemas: readonly unknown[]) =>
    schemas.flatMap((one) =>
      isRecord(one) && !seen.has(one) ? [membersOf(root, one, depth + 1, seen)] : [],
    );
  const branches = (list: unknown) => read(Array.isArray(list) ? list : []);
  const target = typeof reference === 'string' ? resolvePointer(root, reference) : undefined;
  const all = [own, ...read([target]), ...branches(schema.allOf)];
  const choices = [branches(schema.anyOf), branches(schema.oneOf)];
  return {
    properties: firstOf([...all, ...choices.flat()]),
    required: new Set([...all, ...choices.map(commonOf)].flatMap(({ required: names }) => [...names])),
  };
}

/** Joins properties; the first of several with one name counts. */
function firstOf(parts: readonly Members[]): ReadonlyMap<string, unknown> {
  const joined = new Map<string, unknown>();
  for (const [name, property] of parts.flatMap(({ properties }) => [...properties]))
    if (!joined.has(name)) joined.set(name, property);
  return joined;
}

/** Keeps the names that every alternative requires. */
function commonOf([first, ...others]: readonly Members[]): Pick<Members, 'required'> {
  const names = [...(first?.required ?? [])];
  return { required: new Set(names.filter((name) => others.every(({ required }) => required.has(name)))) };
}

/** Deeper than any handwritten alternatives. */
const maxDepth = 20;
