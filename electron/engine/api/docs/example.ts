type Schema = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, unknown>>;

/** Returns an example value of a schema: its own example, or else the required members. */
export function exampleOf(schema: unknown, schemas: Schemas): unknown {
  const known = resolved(schema, schemas);
  const { example, enum: words, const: only, default: defaultValue, anyOf, oneOf, allOf } = known;
  const given = example ?? only ?? defaultValue ?? (words as readonly unknown[] | undefined)?.[0];
  if (given !== undefined) return given;
  const [choice] = (anyOf ?? oneOf ?? allOf ?? []) as readonly unknown[];
  return choice === undefined ? ofType(known, schemas) : exampleOf(choice, schemas);
}

function ofType(schema: Schema, schemas: Schemas): unknown {
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return objectOf(schema, schemas);
    case 'array':
      return [exampleOf(schema.items, schemas)];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return '…';
  }
}

/** Includes optional members only if all members are optional. */
function objectOf({ properties = {}, required = [] }: Schema, schemas: Schemas): unknown {
  const names = required as readonly string[];
  const members = Object.entries(properties as Schema);
  const shown = names.length === 0 ? members : members.filter(([name]) => names.includes(name));
  return Object.fromEntries(shown.map(([name, member]) => [name, exampleOf(member, schemas)]));
}

function resolved(schema: unknown, schemas: Schemas): Schema {
  const { $ref: reference, ...rest } = (schema ?? {}) as Schema;
  if (typeof reference !== 'string') return rest;
  return { ...resolved(schemas[reference.split('/').at(-1) ?? ''], schemas), ...rest };
}
