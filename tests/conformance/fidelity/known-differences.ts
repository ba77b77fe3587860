import type { PathName } from './paths.ts';

/** What is compared: the value, numbers to the digit; the very bytes (stdio only); or what happens. */
export type Level = 'value' | 'bytes' | 'behaviour';

/** Something a path does not do yet. Its tests must fail: one that starts to pass turns red until its row is taken out. */
interface KnownDifference {
  readonly paths: readonly PathName[];
  readonly levels: readonly Level[];
  readonly items: RegExp;
  readonly reason: string;
}

const parsed = 'payloads are parsed and printed again between the legs';
const kept = 'the catalogue keeps parsed items';
const everywhere: readonly PathName[] = ['command', 'bridge', '/mcp', '/mcp/servers/{key}'];
const exact: readonly PathName[] = ['command', 'bridge'];

const knownDifferences: readonly KnownDifference[] = [
  {
    paths: everywhere,
    levels: ['value', 'bytes'],
    items: /^(result|error|arguments).*(2\^53|minus zero|no double|other spellings|given twice)/,
    reason: parsed,
  },
  {
    paths: exact,
    levels: ['bytes'],
    items: /^(result|arguments).*(emoji|NUL|escapes that|separators, plain|number-like|white space)/,
    reason: parsed,
  },
  { paths: exact, levels: ['bytes'], items: /^params, unknown fields/, reason: parsed },
  {
    paths: everywhere,
    levels: ['value', 'bytes'],
    items: /^(resources\/read|prompts\/get|completion\/complete).*numbers$/,
    reason: parsed,
  },
  { paths: exact, levels: ['bytes'], items: /^resources\/read, ui:/, reason: parsed },
  {
    paths: everywhere,
    levels: ['value', 'bytes'],
    items: /^error, unknown fields/,
    reason: 'only code, message and data of an error are handed on',
  },
  {
    paths: everywhere,
    levels: ['value', 'bytes'],
    items: /^(tool|prompt|resource), "?numbers/,
    reason: kept,
  },
  { paths: exact, levels: ['bytes'], items: /^tool, (texts|keys)/, reason: kept },
];

export function knownDifference(path: PathName, level: Level, item: string): string | undefined {
  const found = knownDifferences.find(
    ({ paths, levels, items }) => paths.includes(path) && levels.includes(level) && items.test(item),
  );
  return found?.reason;
}
