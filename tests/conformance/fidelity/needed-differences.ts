import { memberOf, withMember } from './fixture/raw-json.mjs';
import { withLast } from './modern-raw-client.ts';
import type { Era, PathName } from './paths.ts';

/** Eras of a client and of the server that it reaches. */
export type Cell = `${Era} client, ${Era} server`;

export const translatedCells: readonly Cell[] = [
  'legacy client, modern server',
  'modern client, legacy server',
  'modern client, modern server',
];

/** A difference from what a client of the server's own era gets at the server itself. */
export interface NeededDifference {
  readonly cells: readonly Cell[];
  /** Items that it concerns, by their names. */
  readonly items: RegExp;
  /** Only on this path. */
  readonly path?: PathName;
  readonly what: string;
  readonly reason: string;
  /** Turns what comes at the server itself into what must come through the hub. */
  readonly becomes?: (text: string) => string;
  /** Takes away what belongs to one hop, on both sides of the comparison. */
  readonly without?: (text: string) => string;
}

const toLegacy: readonly Cell[] = ['modern client, legacy server'];
const toModern: readonly Cell[] = ['legacy client, modern server', 'modern client, modern server'];
const fromModern: readonly Cell[] = ['modern client, legacy server', 'modern client, modern server'];
const prefix = 'io.modelcontextprotocol/';

export const neededDifferences: readonly NeededDifference[] = [
  {
    cells: toLegacy,
    items: /^(result|prompts\/get|completion|resources\/read),/,
    what: 'A result gets `resultType: "complete"`; another value of that member is replaced',
    reason: 'Stateless results must say their type, and a server with sessions cannot mean another by it',
    becomes: (text) => inMember(text, 'result', (result) => withSet(result, 'resultType', '"complete"')),
  },
  {
    cells: fromModern,
    items: /^resources\/read,/,
    what: 'What is read gets `ttlMs: 0` and `cacheScope: "private"`, whatever the server says',
    reason: 'Both are required, and what the hub grants or turns off may change at any time',
    becomes: (text) =>
      inMember(text, 'result', (result) => withSet(withSet(result, 'ttlMs', '0'), 'cacheScope', '"private"')),
  },
  {
    cells: toLegacy,
    items: /^(resources\/read|prompts\/get), an error/,
    what: 'Error -32002 becomes -32602',
    reason: 'The stateless protocol has dropped -32002',
    becomes: (text) =>
      inMember(text, 'error', (error) =>
        memberOf(error, 'code') === '-32002' ? withMember(error, 'code', '-32602') : error,
      ),
  },
  {
    cells: toLegacy,
    items: /^visit,/,
    what: 'Error -32042 becomes a question for each page, without `elicitationId`',
    reason: 'The stateless protocol has dropped -32042, and asks within the call',
    becomes: (text) => {
      const { data } = (JSON.parse(text) as { error: { data: { elicitations: readonly object[] } } }).error;
      const [{ elicitationId: _id, ...params }] = data.elicitations as readonly [Record<string, unknown>];
      return `{"method":"elicitation/create","params":${JSON.stringify(params)}}`;
    },
  },
  {
    cells: fromModern,
    items: /^question, elicitation\/create by URL/,
    what: 'A question by URL loses its `elicitationId`',
    reason: 'The stateless protocol has none: the client learns of the end by repeating the call',
    becomes: (text) => inMember(text, 'params', (params) => withoutMember(params, 'elicitationId')),
  },
  {
    cells: ['legacy client, modern server'],
    items: /^question, elicitation\/create by URL/,
    what: 'A question by URL gets an `elicitationId` of ours',
    reason: 'It is required where there are sessions, and its completion is reported under it',
    without: (text) => inMember(text, 'params', (params) => withoutMember(params, 'elicitationId')),
  },
  {
    cells: ['legacy client, modern server'],
    items: /^refusal, elicitation/,
    what: 'A refused elicitation reaches the server as `cancel`',
    reason: 'The stateless protocol has no errors in answers to questions',
    becomes: () => '{"result":{"action":"cancel"}}',
  },
  {
    cells: ['legacy client, modern server'],
    items: /^refusal, (sampling|roots)/,
    what: 'Refused sampling, or roots, end the call with the error of the client',
    reason: 'Their answers cannot say that they were refused, and the server would ask forever',
    becomes: () => '{"error":{"code":-1,"message":"User rejected","data":{"x":[null]}}}',
  },
  {
    cells: toModern,
    items: /^params,/,
    what: 'The envelope in `_meta` is ours: version, capabilities, client, log level',
    reason: 'Each hop has its own; the capabilities are those of the client that calls',
    without: withoutEnvelope,
  },
  {
    cells: toModern,
    path: 'remote server',
    items: /^tool, x-keys/,
    what: 'A tool whose `x-mcp-header` breaks the rules is not listed, over HTTP',
    reason: 'The protocol demands it of a client over HTTP',
    becomes: () => '{"missing":true}',
  },
  {
    cells: translatedCells,
    items: /^update,/,
    what: 'Updates and changed lists name the listen, or the session has none',
    reason: 'The id of a listen belongs to one hop',
    without: withoutEnvelope,
  },
];

/** Returns what must come through the hub, and what did come without what is a hop's own. */
export function translated(
  cell: Cell,
  path: PathName,
  item: string,
  expected: string,
  got: string,
): { readonly expected: string; readonly got: string; readonly used: readonly NeededDifference[] } {
  const used: NeededDifference[] = [];
  let [wanted, seen] = [expected, got];
  for (const row of neededDifferences) {
    if (!row.cells.includes(cell) || !row.items.test(item) || (row.path ?? path) !== path) continue;
    const before = `${wanted}\n${seen}`;
    wanted = row.without?.(wanted) ?? row.becomes?.(wanted) ?? wanted;
    seen = row.without?.(seen) ?? seen;
    if (`${wanted}\n${seen}` !== before) used.push(row);
  }
  return { expected: wanted, got: seen, used };
}

/** The table as Markdown. */
export function differencesTable(): string {
  const rows = neededDifferences.map(({ cells, what, reason }) => [
    cells.length === translatedCells.length ? 'all three' : cells.join('; '),
    what,
    reason,
  ]);
  const all = [['client and server', 'difference', 'reason'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(all[0] ?? []), rule, ...rows.map(line)].join('\n');
}

function inMember(text: string, name: string, change: (value: string) => string): string {
  const value = memberOf(text, name);
  return value === undefined || !value.startsWith('{') ? text : withMember(text, name, change(value));
}

/** Sets a member where it is, or at the end. */
function withSet(object: string, name: string, value: string): string {
  return memberOf(object, name) === undefined
    ? withLast(object, `"${name}":${value}`)
    : withMember(object, name, value);
}

function withoutMember(object: string, name: string): string {
  const value = memberOf(object, name);
  if (value === undefined) return object;
  const written = `"${name}":${value}`;
  const ways = [`${written},`, `,${written}`, written];
  return ways.reduce((text, way) => (text === object ? text.replace(way, () => '') : text), object);
}

/** Without the reserved members of `_meta`, and without `_meta` if it has no others. */
function withoutEnvelope(text: string): string {
  return inMember(text, '_meta', (meta) => {
    const names = Object.keys(JSON.parse(meta) as object).filter((name) => name.startsWith(prefix));
    return names.reduce(withoutMember, meta);
  }).replace(/,?"_meta":\{\}/, '');
}
