import { isRecord } from '../../../../shared/json.ts';

type Node = Readonly<Record<string, unknown>>;

/**
 * Drops optional objects that defaults fill only in part from the initial arguments. Their required fields
 * are asked for once the user fills something in.
 */
export function withoutPartial(schema: unknown, value: unknown): unknown {
  return prune(schema, value, schema, (part, members) => {
    const required = Array.isArray(part.required) ? part.required : [];
    const isEmpty = Object.keys(members).length === 0;
    return isEmpty || required.some((name) => members[String(name)] === undefined);
  });
}

/** Drops optional objects whose last field was emptied. */
export function withoutEmptied(schema: unknown, value: unknown): unknown {
  return prune(schema, value, schema, (_part, object) => {
    const members = Object.values(object);
    return members.length > 0 && members.every((member) => member === undefined);
  });
}

function prune(
  schema: unknown,
  value: unknown,
  root: unknown,
  isDropped: (part: Node, held: Node) => boolean,
): unknown {
  const { properties, required } = resolve(schema, root);
  if (!isRecord(value) || !isRecord(properties)) return value;
  const needed = new Set(Array.isArray(required) ? required : []);
  const members = Object.entries(value).flatMap(([name, member]) => {
    const part = resolve(properties[name], root);
    if (!isRecord(part.properties) || !isRecord(member)) return [[name, member] as const];
    const inner = prune(part, member, root, isDropped);
    const isOptional = !needed.has(name) && part.default === undefined;
    return isOptional && isRecord(inner) && isDropped(part, inner) ? [] : [[name, inner] as const];
  });
  const isSame =
    members.length === Object.keys(value).length && members.every(([name, one]) => value[name] === one);
  return isSame ? value : Object.fromEntries(members);
}

/** Follows references within the schema, up to a few in a row. */
function resolve(schema: unknown, root: unknown, steps = 8): Node {
  if (!isRecord(schema)) return {};
  const { $ref } = schema;
  if (typeof $ref !== 'string' || !$ref.startsWith('#/') || steps === 0) return schema;
  const target = $ref
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, step) => (isRecord(node) ? node[step] : undefined), root);
  return resolve(target, root, steps - 1);
}
