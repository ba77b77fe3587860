/** A tool parameter for display; nested ones follow their parent with a greater depth. */
export interface SchemaRow {
  readonly path: string;
  readonly name: string;
  readonly depth: number;
  /** `string`, `string[]`, `"a" | "b"`, `object`, `string | null`, `any`. */
  readonly type: string;
  readonly required: boolean;
  readonly description?: string;
  /** Further facts: default, allowed values, limits. */
  readonly notes: readonly string[];
}

type Schema = Readonly<Record<string, unknown>>;

interface Place {
  readonly root: Schema;
  readonly path: string;
  readonly depth: number;
  /** References followed on the way here, to detect cycles. */
  readonly seen: readonly string[];
}

const maxDepth = 6;

/**
 * Converts a JSON Schema of an object into rows. Anything it does not understand is shown as `any`; never
 * throws.
 */
export function schemaRows(schema: unknown): readonly SchemaRow[] {
  if (!isSchema(schema)) return [];
  const place = { root: schema, path: '', depth: 0, seen: [] };
  return [...objectRows(schema, place), ...choiceRows(schema, place)];
}

function objectRows(schema: Schema, place: Place): readonly SchemaRow[] {
  const resolved = resolve(schema, place);
  const parts = [
    resolved.schema,
    ...schemas(resolved.schema.allOf).map((part) => resolve(part, place).schema),
  ];
  return parts.flatMap((part) => {
    const required = new Set(Array.isArray(part.required) ? part.required : []);
    const properties = isSchema(part.properties) ? Object.entries(part.properties) : [];
    return properties.flatMap(([name, value]) =>
      propertyRows(name, value, required.has(name), { ...place, seen: resolved.seen }),
    );
  });
}

function propertyRows(name: string, value: unknown, required: boolean, place: Place): readonly SchemaRow[] {
  const path = place.path === '' ? name : `${place.path}.${name}`;
  const { schema, seen, cyclic } = resolve(isSchema(value) ? value : {}, place);
  const description = schema.description;
  const row: SchemaRow = {
    path,
    name,
    depth: place.depth,
    type: typeText(schema, place),
    required,
    ...(typeof description === 'string' ? { description } : {}),
    notes: notes(schema),
  };
  if (cyclic || place.depth >= maxDepth) return [row];
  const inner = { ...place, path, depth: place.depth + 1, seen };
  return [
    row,
    ...nested(schema, inner).flatMap((part) => objectRows(part, inner)),
    ...choiceRows(schema, inner),
  ];
}

/**
 * Returns each alternative object with its name and contents; a single alternative is shown without a choice.
 */
function choiceRows(schema: Schema, place: Place): readonly SchemaRow[] {
  const branches = [...schemas(schema.anyOf), ...schemas(schema.oneOf)]
    .map((part) => ({ part, target: resolve(part, place).schema }))
    .filter(({ target }) => isSchema(target.properties) || Array.isArray(target.allOf));
  if (branches.length === 1) return branches.flatMap(({ part }) => objectRows(part, place));
  return branches.flatMap(({ part, target }, index) => {
    const path = `${place.path}|${index + 1}`;
    const { title, description } = target;
    const head: SchemaRow = {
      path,
      name: typeof title === 'string' ? title : `Option ${index + 1}`,
      depth: place.depth,
      type: `option ${index + 1} of ${branches.length}`,
      required: false,
      ...(typeof description === 'string' ? { description } : {}),
      notes: [],
    };
    return [head, ...objectRows(part, { ...place, path, depth: place.depth + 1 })];
  });
}

/** Returns the object schemas inside: the schema itself, or the items of an array. */
function nested(schema: Schema, place: Place): readonly Schema[] {
  const items = isSchema(schema.items) ? [resolve(schema.items, place).schema] : [];
  return [schema, ...items].filter((part) => {
    const target = resolve(part, place).schema;
    return isSchema(target.properties) || Array.isArray(target.allOf);
  });
}

function typeText(schema: Schema, place: Place): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return enumText(schema.enum);
  const branches = [...schemas(schema.anyOf), ...schemas(schema.oneOf)];
  if (branches.length > 0) return unique(branches.map((part) => branchText(part, place))).join(' | ');
  const type = schema.type;
  if (Array.isArray(type)) return type.map((one) => oneType(String(one), schema, place)).join(' | ');
  if (typeof type === 'string') return oneType(type, schema, place);
  return isSchema(schema.properties) ? 'object' : 'any';
}

function branchText(schema: Schema, place: Place): string {
  const { schema: target, seen, cyclic } = resolve(schema, place);
  return cyclic ? 'object' : typeText(target, { ...place, seen });
}

function oneType(type: string, schema: Schema, place: Place): string {
  if (type !== 'array') return type;
  const items = schema.items;
  if (!isSchema(items) || place.seen.length > maxDepth) return 'any[]';
  const inner = branchText(items, place);
  return inner.includes(' | ') ? `(${inner})[]` : `${inner}[]`;
}

function enumText(values: readonly unknown[]): string {
  const shown = values.slice(0, 8).map((value) => JSON.stringify(value));
  return [...shown, ...(values.length > 8 ? [`${values.length - 8} more`] : [])].join(' | ');
}

const limits: Readonly<Record<string, string>> = {
  format: 'format',
  pattern: 'pattern',
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'more than',
  exclusiveMaximum: 'less than',
  minLength: 'min length',
  maxLength: 'max length',
  minItems: 'min items',
  maxItems: 'max items',
};

function notes(schema: Schema): readonly string[] {
  const given = Object.entries(limits).flatMap(([key, label]) =>
    schema[key] === undefined ? [] : [`${label} ${String(schema[key])}`],
  );
  return schema.default === undefined ? given : [`default ${JSON.stringify(schema.default)}`, ...given];
}

/** Follows local references (`#/$defs/Name`); a reference already followed on the way here is a cycle. */
function resolve(schema: Schema, place: Place): { schema: Schema; seen: readonly string[]; cyclic: boolean } {
  const reference = schema.$ref;
  if (typeof reference !== 'string' || !reference.startsWith('#'))
    return { schema, seen: place.seen, cyclic: false };
  const target = lookUp(place.root, reference);
  const cyclic = place.seen.includes(reference);
  return { schema: { ...target, ...schema }, seen: [...place.seen, reference], cyclic };
}

function lookUp(root: Schema, reference: string): Schema {
  const found = reference
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, part) => (isSchema(node) ? node[part] : undefined), root);
  return isSchema(found) ? found : {};
}

function schemas(value: unknown): readonly Schema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
