import {
  isMap,
  isScalar,
  isSeq,
  type Pair,
  parseDocument,
  type Scalar,
  stringify,
  visit,
  type YAMLMap,
} from 'yaml';
import { isRecord } from '../../../../shared/json.ts';
import { type ConfigFormat, type Entry, type EntryLocation, FormatError } from './contract.ts';

/**
 * YAML by whole lines: an entry is inserted before the first one of its root, with the same indentation, and
 * removed by its lines. Nothing else is rewritten, so formatting that the library would change stays.
 */
export const yaml: ConfigFormat = {
  language: 'yaml',
  parse,
  put: (text, place, entry) => insert(remove(text, place, false), place, entryWith(text, place, entry)),
  remove,
  render: ({ root, key }, entry) => stringify({ [root]: { [key]: entry } }, style),
};

function parse(text: string): unknown {
  const document = read(text);
  visit(document, { Scalar: (_, node) => keepAsWritten(node) });
  try {
    return document.toJS() ?? {};
  } catch {
    // An alias bomb, or an alias inside its own anchor.
    throw new FormatError('its aliases cannot be resolved');
  }
}

/** A number that would print differently stays as it is written, and a custom tag becomes a reference. */
function keepAsWritten(node: Scalar): void {
  const { value, source, tag } = node;
  if (typeof value === 'number' && source !== undefined && String(value) !== source) node.value = source;
  if (tag?.startsWith('!') && typeof value === 'string')
    node.value =
      /^!env/i.test(tag) && /^\w+$/.test(value)
        ? `\${${value}}`
        : `<${/^[\w.-]+$/.test(value) ? value : 'value'}>`;
}

const style = { lineWidth: 0 } as const;

function read(text: string) {
  // The library's own check compares each key of a map with all others.
  const document = parseDocument(text, { prettyErrors: true, uniqueKeys: false, merge: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const [reason = 'this is not valid YAML'] = error.message.split('\n');
    throw new FormatError(reason.replace(/ at line \d+, column \d+:?$/, ''), error.linePos?.[0].line);
  }
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key) || key.value === '<<') continue;
        if (keys.has(key.value))
          throw new FormatError('a mapping has the same key twice', lineOf(text, key.range?.[0]));
        keys.add(key.value);
      }
    },
  });
  return document;
}

function lineOf(text: string, offset = 0): number {
  return text.slice(0, offset).split('\n').length;
}

/** Returns the entry's node with the members of `entry`, so that all others are written as they were. */
function entryWith(text: string, { root, key }: EntryLocation, entry: Entry): Entry | YAMLMap {
  const document = read(text);
  const found = document.getIn([root, key]);
  if (!isMap(found)) return entry;
  const set = (path: readonly string[], value: unknown): void => {
    const present = document.getIn(path);
    if (isMap(present) && isRecord(value))
      for (const [name, member] of Object.entries(value)) set([...path, name], member);
    else document.setIn(path, document.createNode(value));
  };
  set([root, key], entry);
  return found;
}

function insert(text: string, place: EntryLocation, entry: Entry | YAMLMap): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = (value: unknown, indent: string) => block(value, indent).replaceAll('\n', eol);
  const pair = rootPair(text, place.root);
  const withNewRoot = () => {
    const end = endOfContent(text);
    const before = text.slice(0, end);
    const gap = before === '' || before.endsWith('\n') ? '' : eol;
    return before + gap + lines({ [place.root]: { [place.key]: entry } }, '') + text.slice(end);
  };
  if (pair === undefined) return withNewRoot();
  const { value } = pair;
  if (isMap(value) && !value.flow) {
    const at = lineStart(text, startOf(value.items[0]));
    return text.slice(0, at) + lines({ [place.key]: entry }, indentAt(text, at)) + text.slice(at);
  }
  return insertInLine(text, pair, lines({ [place.key]: entry }, '  '), eol);
}

/** Handles a root without entries: `extensions:`, `extensions: {}`, `[]` or `~`. */
function insertInLine(text: string, { key, value }: Pair, lines: string, eol: string): string {
  const [from, to] = emptyRange(value) ?? [endOf(key), endOf(key)];
  const kept = text.slice(0, from) + text.slice(to);
  const lineEnd = kept.indexOf('\n', from);
  const at = lineEnd === -1 ? kept.length : lineEnd + 1;
  return kept.slice(0, at) + (lineEnd === -1 ? eol : '') + lines + kept.slice(at);
}

/** Returns the range of what is written for an empty mapping; undefined if nothing is. */
function emptyRange(value: unknown): readonly [number, number, number] | undefined {
  if (value === null) return undefined;
  if (isScalar(value) && value.value === null) return value.source ? rangeOf(value) : undefined;
  if (isSeq(value) && value.items.length === 0) return rangeOf(value);
  if (!isMap(value)) throw new FormatError('the value that should hold its entries is not a mapping');
  if (value.items.length > 0) throw new FormatError('its entries are on one line');
  return rangeOf(value);
}

function remove(text: string, { root, key }: EntryLocation, withRoot: boolean): string {
  const pair = rootPair(text, root);
  if (pair === undefined || !isMap(pair.value)) return text;
  const index = pair.value.items.findIndex((item) => isScalar(item.key) && item.key.value === key);
  if (index < 0 || pair.value.flow) return text;
  if (pair.value.items.length === 1 && withRoot) return cutLines(text, pair, afterPair(text, root));
  if (pair.value.items.length === 1) return withEmptyMapping(text, pair.value);
  const item = pair.value.items[index];
  const next = pair.value.items[index + 1];
  return cutLines(text, item, next === undefined ? afterPair(text, root) : lineStart(text, startOf(next)));
}

/** Removes the last entry and keeps the mapping, as an empty one. */
function withEmptyMapping(text: string, entries: YAMLMap): string {
  const at = lineStart(text, startOf(entries.items[0]));
  const end = rangeOf(entries)[1];
  const head = text.slice(0, at).trimEnd();
  return `${head} {}${text.slice(head.length, at)}${text.slice(end)}`;
}

function cutLines(text: string, item: Pair | undefined, end: number): string {
  return text.slice(0, lineStart(text, startOf(item))) + text.slice(end);
}

/** Returns the start of the line after the root's pair. */
function afterPair(text: string, root: string): number {
  const map = read(text).contents;
  const items = isMap(map) ? map.items : [];
  const next = items[items.findIndex((item) => isScalar(item.key) && item.key.value === root) + 1];
  return next === undefined ? endOfContent(text) : lineStart(text, startOf(next));
}

function rootPair(text: string, root: string): Pair | undefined {
  const { contents } = read(text);
  if (contents === null) return undefined;
  if (!isMap(contents) || contents.flow) throw new FormatError('it is not a mapping of settings');
  return contents.items.find((item) => isScalar(item.key) && item.key.value === root);
}

/** Returns the offset before a line that ends the document. */
function endOfContent(text: string): number {
  return /^\.\.\.[ \t]*$/m.exec(text)?.index ?? text.length;
}

function block(value: unknown, indent: string): string {
  try {
    return stringify(value, style).replace(/^(?=.)/gm, indent);
  } catch {
    throw new FormatError('its Patchbay entry refers to an anchor elsewhere');
  }
}

function startOf(pair: Pair | undefined): number {
  return rangeOf(pair?.key)[0];
}

function endOf(key: unknown): number {
  return rangeOf(key)[1];
}

function rangeOf(node: unknown): readonly [number, number, number] {
  const range = (node as Scalar | undefined)?.range;
  if (range === undefined || range === null) throw new FormatError('a part could not be found in the text');
  return range;
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function indentAt(text: string, at: number): string {
  return /^ */.exec(text.slice(at))?.[0] ?? '';
}
