import { parse as parseToml, stringify, TomlDate, TomlError } from 'smol-toml';
import { type ConfigFormat, type Entry, type EntryLocation, FormatError } from './contract.ts';
import { mergedEntry } from './merged-entry.ts';

/**
 * TOML by whole tables: an entry is a `[root.key]` table of its own at the end, and is removed as one. If the
 * root is written in another way (inline, or with dotted keys), a table does not fit, and the check of the
 * edit refuses it.
 */
export const toml: ConfigFormat = {
  language: 'toml',
  parse,
  put(before, place, entry) {
    const text = withoutTable(before, place) ?? before;
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const table = tableWith(before, place, entry).replaceAll('\n', eol);
    if (text.trim() === '') return text + table;
    const gap = text.endsWith('\n') ? eol : eol + eol;
    return text + gap + table;
  },
  remove: (text, place) => withoutTable(text, place) ?? text,
  render: tableOf,
};

function parse(text: string): unknown {
  try {
    return plain(read(text));
  } catch (error) {
    // The parser is recursive, and fails where the stack ends.
    if (!(error instanceof TomlError)) throw new FormatError('it nests too deeply');
    const [reason = 'this is not valid TOML'] = error.message.split('\n');
    throw new FormatError(reason.replace(/^Invalid TOML document: /, ''), error.line);
  }
}

/** Large integers must not be rounded before they are compared. */
function read(text: string): unknown {
  return parseToml(text, { integersAsBigInt: true });
}

/** A date as it is written; differs from its text in comparisons, and is that text in JSON. */
class WrittenDate {
  readonly text: string;

  constructor(date: TomlDate) {
    this.text = date.toISOString().replace(/\.000(?=Z|[+-]|$)/, '');
  }

  toJSON(): string {
    return this.text;
  }
}

/**
 * The parser's tables have no prototype and its dates are objects; neither compares equal to plain values.
 */
function plain(value: unknown): unknown {
  if (value instanceof TomlDate) return new WrittenDate(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}

/** Returns the table with the members that it has already; their dates, integers and floats stay such. */
function tableWith(text: string, place: EntryLocation, entry: Entry): string {
  const present = tableIn(read(text), place);
  if (present === undefined) return tableOf(place, entry);
  const next = tableIn(read(tableOf(place, entry)), place);
  return tableOf(place, mergedEntry(present, next) as Entry, { numbersAsFloat: true });
}

function tableIn(value: unknown, { root, key }: EntryLocation): unknown {
  return (tables(value, root) as Readonly<Record<string, unknown>>)[key];
}

function tableOf({ root, key }: EntryLocation, entry: Entry, style?: { numbersAsFloat: boolean }): string {
  return `${stringify({ [root]: { [key]: entry } }, style)
    .replace(/^\[[^\].]+\]\n(?=\[)/, '')
    .trim()}\n`;
}

/**
 * Returns the text without the table and its sub-tables. A line that looks like a header may be inside a
 * multi-line string, so every possible end is tried until the rest still parses the same.
 */
function withoutTable(text: string, { root, key }: EntryLocation): string | undefined {
  const headers = [...text.matchAll(/^[ \t]*\[{1,2}[^\r\n]*/gm)].map(({ index, 0: line }) => ({
    index,
    line,
  }));
  const names = spellings(root).flatMap((a) => spellings(key).map((b) => `${a}\\s*\\.\\s*${b}`));
  const own = new RegExp(`^\\s*\\[\\s*(?:${names.join('|')})\\s*[.\\]]`);
  for (const { index: start } of headers.filter(({ line }) => own.test(line))) {
    const ends = headers
      .filter(({ index, line }) => index > start && !own.test(line))
      .map(({ index }) => index);
    for (const end of [...ends, text.length]) {
      const kept = cut(text, start, end);
      if (isWithout(kept, text, { root, key })) return kept;
    }
  }
  return undefined;
}

/** Returns the blank lines and comments at the end of a text. */
function commentsAtEnd(text: string): string {
  let start = text.length;
  while (start > 0 && text[start - 1] === '\n') {
    const from = start === 1 ? 0 : text.lastIndexOf('\n', start - 2) + 1;
    if (!/^[ \t]*(?:#[^\n]*|\r)?$/.test(text.slice(from, start - 1))) break;
    start = from;
  }
  return text.slice(start);
}

/** Also removes the blank line before the table; comments before the next table stay with that one. */
function cut(text: string, start: number, end: number): string {
  const own = text.slice(start, end);
  const tail = end === text.length ? '' : commentsAtEnd(own);
  const before = text.slice(0, start);
  const gap = /(?:^|\n)(\r?\n)$/.exec(before)?.[1] ?? '';
  const kept =
    tail === '' || /^\r?\n/.test(tail) || end === text.length
      ? before.slice(0, before.length - gap.length)
      : before;
  return kept + tail + text.slice(end);
}

function isWithout(kept: string, text: string, { root, key }: EntryLocation): boolean {
  try {
    const [after, before] = [tables(parse(kept), root), tables(parse(text), root)];
    return !Object.hasOwn(after, key) && Object.keys(after).length === Object.keys(before).length - 1;
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}

function tables(value: unknown, root: string): object {
  const found = (value as Readonly<Record<string, unknown>>)[root];
  return typeof found === 'object' && found !== null ? found : {};
}

/** Returns a key, bare and quoted, as part of a regular expression. */
function spellings(key: string): readonly string[] {
  const text = key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return [text, `"${text}"`, `'${text}'`];
}
