import fc from 'fast-check';

/** JSON as people and programs write it: white space, escapes, numbers no program keeps, members that repeat. */
export function jsonText(depth = 3): fc.Arbitrary<string> {
  const scalar = fc.oneof(
    stringText(),
    fc.constantFrom(
      'null',
      'true',
      'false',
      '0',
      '-0',
      '1.0',
      '1e400',
      '-1E-7',
      '9007199254740993',
      '12.5e+3',
    ),
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  );
  if (depth === 0) return scalar;
  const inner = jsonText(depth - 1);
  return fc.oneof(
    { weight: 3, arbitrary: scalar },
    { weight: 1, arbitrary: fc.array(inner, { maxLength: 4 }).chain((items) => joined('[', items, ']')) },
    {
      weight: 2,
      arbitrary: fc
        .array(fc.tuple(keyText(), inner), { maxLength: 4 })
        .chain((members) => objectText(members)),
    },
  );
}

/** An object of these members, in this order, with white space in places. */
export function objectText(members: readonly (readonly [string, string])[]): fc.Arbitrary<string> {
  return fc
    .array(space(), { minLength: members.length * 2, maxLength: members.length * 2 })
    .map((spaces) =>
      members.map(([key, value], at) => `${key}${spaces[2 * at]}:${spaces[2 * at + 1]}${value}`),
    )
    .chain((written) => joined('{', written, '}'));
}

export function space(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.constantFrom(' ', '\t', '\r', '  \t') },
  );
}

/** A string as JSON, its characters plain or escaped. */
export function stringText(): fc.Arbitrary<string> {
  const piece = fc.oneof(
    fc.constantFrom(
      'a',
      'id',
      'é',
      '🚀',
      '\u2028',
      '\u2029',
      '\\u0000',
      '\\ud800',
      '\\"',
      '\\\\',
      '\\n',
      '\\/',
      '{',
      '}',
    ),
    fc.string({ maxLength: 5 }).map((text) => JSON.stringify(text).slice(1, -1)),
  );
  return fc.array(piece, { maxLength: 5 }).map((pieces) => `"${pieces.join('')}"`);
}

function keyText(): fc.Arbitrary<string> {
  return fc.oneof(
    stringText(),
    fc.constantFrom(
      '"id"',
      '"name"',
      '"uri"',
      '"method"',
      '"params"',
      '"_meta"',
      '"progressToken"',
      '"n\\u0061me"',
    ),
  );
}

function joined(open: string, items: readonly string[], close: string): fc.Arbitrary<string> {
  return fc
    .array(space(), { minLength: items.length + 1, maxLength: items.length + 1 })
    .map(
      ([first, ...rest]) => `${open}${first}${items.map((item, at) => item + rest[at]).join(',')}${close}`,
    );
}
