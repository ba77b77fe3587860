import fc from 'fast-check';
import { hopKeys, metaKeys } from '../../../../../electron/engine/transport/modern/protocol.ts';

/** Names that the translators look at, or that objects have from birth. */
const names = [
  ...['_meta', 'progressToken', 'inputRequests', 'inputResponses', 'requestState', 'resultType', 'params'],
  ...['name', 'uri', 'method', 'mode', 'elicitations', 'elicitationId', 'notifications', 'requestId'],
  ...['resourceSubscriptions', 'toolsListChanged', 'content', 'action', 'q1', 'a', 'tools', 'level', 'task'],
  ...['__proto__', 'constructor', 'toString', '', 'x-mcp-header', 'properties', 'inputSchema', 'isError'],
  ...Object.values(metaKeys),
  ...Object.values(hopKeys),
];

const numbers = ['0', '-0', '1', '-1', '1.5', '1e400', '9007199254740993', '1000000001', '1000000002'];
const texts = [
  ...['""', '"\\ud800"', '"a\\u2028b"', '"\u2028"', '"q1"', '"input_required"', '"complete"', '"2026-07-28"'],
  ...['"tools/call"', '"elicitation/create"', '"roots/list"', '"url"', '"patchbay-input-1"', '"1000000001"'],
  ...['"notifications/cancelled"', '"debug"', '"a.b.1.c"', '"ping"', '"1"'],
];
const levels = 20_000;
/** Stand for values deeper than what a recursive reader can follow, which no report of a failure should print. */
const deep = { '"<deep list>"': ['[', ']'], '"<deep object>"': ['{"a":', '}'] } as const;

/** Writes out the deep values in a line. */
export function writeOut(line: string): string {
  return Object.entries(deep).reduce(
    (text, [name, [open, close]]) =>
      text.includes(name) ? text.replaceAll(name, `${open.repeat(levels)}1${close.repeat(levels)}`) : text,
    line,
  );
}

export const anyNumber = fc.constantFrom(...numbers);
export const anyText = fc.oneof(
  fc.constantFrom(...texts),
  fc.string({ unit: 'binary', maxLength: 6 }).map((text) => JSON.stringify(text)),
);

/** Joins members, given as JSON, to an object; a name may repeat. */
export function objectOf(members: readonly (readonly [name: string, value: string | undefined])[]): string {
  const written = members.filter(([, value]) => value !== undefined);
  return `{${written.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

const tree = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'json' },
    { weight: 4, arbitrary: fc.constantFrom('null', 'true', 'false') },
    { weight: 4, arbitrary: anyNumber },
    { weight: 6, arbitrary: anyText },
    { weight: 1, arbitrary: fc.constantFrom(...Object.keys(deep)) },
    { weight: 4, arbitrary: tie('list') },
    { weight: 8, arbitrary: tie('object') },
  ),
  list: fc
    .array(tie('value'), { maxLength: 3, depthIdentifier: 'json' })
    .map((items) => `[${items.join(',')}]`),
  object: fc
    .array(fc.tuple(fc.constantFrom(...names), tie('value')), { maxLength: 4, depthIdentifier: 'json' })
    .map(objectOf),
}));

/** Any JSON, as text: odd numbers, repeated names and depth survive only that way. */
export const anyJson: fc.Arbitrary<string> = tree.value;
export const anyObject: fc.Arbitrary<string> = tree.object;

/** Usually the good value, at times anything or nothing. */
export function mostly(good: fc.Arbitrary<string>): fc.Arbitrary<string | undefined> {
  return fc.oneof(
    { weight: 6, arbitrary: good },
    { weight: 3, arbitrary: anyJson },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}
