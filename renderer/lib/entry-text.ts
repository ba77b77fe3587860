import { findNodeAtLocation, type Node, type ParseError, parse, parseTree } from 'jsonc-parser';
import { isRecord } from '../../shared/json.ts';
import { parseNameValuePairs } from '../../shared/named-texts.ts';
import { setJson } from './edit-json.ts';

/** A server entry as its form shows it; parts that the form does not know stay in the text unchanged. */
export interface EntryDraft {
  readonly kind: 'stdio' | 'remote';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly Pair[];
  readonly cwd: string;
  readonly url: string;
  readonly headers: readonly Pair[];
}

export interface Pair {
  readonly name: string;
  readonly value: string;
}

export type EntryField = 'command' | 'args' | 'env' | 'cwd' | 'url' | 'headers';

const tolerant = { allowTrailingComma: true };

/**
 * Parses a text into a draft; undefined unless it is a JSON object (comments and trailing commas allowed).
 */
export function readDraft(text: string): EntryDraft | undefined {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, tolerant);
  if (errors.length > 0 || !isRecord(value)) return undefined;
  return {
    kind: value.url !== undefined && value.command === undefined ? 'remote' : 'stdio',
    command: asText(value.command),
    args: Array.isArray(value.args) ? value.args.map(asText) : [],
    env: asPairs(value.env, 'env'),
    cwd: asText(value.cwd),
    url: asText(value.url),
    headers: asPairs(value.headers, 'headers'),
  };
}

/** Returns the text with one field changed and everything else, comments included, unchanged. */
export function writeField(text: string, field: EntryField, value: EntryDraft[EntryField]): string {
  if (field === 'env' || field === 'headers') return writePairs(text, field, value as readonly Pair[]);
  return setJson(text, [field], storedValue(field, value));
}

/**
 * Converts a text to the other kind: removes the fields of the old kind and adds the main field of the new
 * one.
 */
export function switchKind(text: string, kind: EntryDraft['kind']): string {
  const gone =
    kind === 'stdio' ? ['url', 'headers', 'type'] : ['command', 'args', 'env', 'envFile', 'cwd', 'type'];
  const cleared = gone.reduce((current, key) => setJson(current, [key], undefined), text);
  const main = kind === 'stdio' ? 'command' : 'url';
  return readDraft(cleared)?.[main] === '' ? setJson(cleared, [main], '') : cleared;
}

/** Parses the entry; undefined unless the text is a JSON object. */
export function readEntry(text: string): Readonly<Record<string, unknown>> | undefined {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, tolerant);
  return errors.length === 0 && isRecord(value) ? value : undefined;
}

/** A range of characters in a text. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the range of a path such as `env.TOKEN` or `args.0`; of the nearest existing parent, else of the
 * whole text.
 */
export function pathRange(text: string, path: string): TextRange {
  const root = parseTree(text, [], tolerant);
  if (root === undefined) return { from: 0, to: text.length };
  const node = descend(root, path.split(/[.[\]]+/).filter(Boolean));
  const shown = node.parent?.type === 'property' ? node.parent : node;
  return node === root
    ? { from: root.offset, to: root.offset + 1 }
    : { from: shown.offset, to: shown.offset + shown.length };
}

/** Returns the ranges of `env` and `headers` values that are more than references to variables. */
export function secretRanges(text: string): readonly TextRange[] {
  const root = parseTree(text, [], tolerant);
  if (root === undefined) return [];
  return ['env', 'headers']
    .flatMap((key) => valuesIn(findNodeAtLocation(root, [key])))
    .flatMap((value) =>
      !isReference(String(value.value)) && value.length > 2
        ? [{ from: value.offset + 1, to: value.offset + value.length - 1 }]
        : [],
    );
}

/** Returns the string nodes below a node, without member names. */
function valuesIn(node: Node | undefined): readonly Node[] {
  if (node?.type === 'string') return [node];
  const children = node?.children ?? [];
  return children.flatMap((child) => valuesIn(child.type === 'property' ? child.children?.[1] : child));
}

/**
 * True for a value that only refers to variables or secrets, such as `${GITHUB_TOKEN}`, so that nothing needs
 * hiding.
 */
export function isReference(value: string): boolean {
  return /^(Bearer\s+)?\$(\{[^}]+\}|[A-Za-z_]\w*)$/.test(value);
}

/** Follows the path as far as it exists. Names may contain dots, so longer joins are tried first. */
function descend(node: Node, parts: readonly string[]): Node {
  for (let taken = parts.length; taken > 0; taken -= 1) {
    const head = parts.slice(0, taken).join('.');
    const segment = node.type === 'array' ? Number(head) : head;
    const child = findNodeAtLocation(node, [segment]);
    if (child !== undefined) return descend(child, parts.slice(taken));
  }
  return node;
}

/**
 * Changes only the pairs that differ, so that comments between them stay; a rename rewrites all to keep the
 * order.
 */
function writePairs(text: string, field: 'env' | 'headers', pairs: readonly Pair[]): string {
  const wanted = storedPairs(pairs);
  const old = storedPairs(readDraft(text)?.[field] ?? []) ?? {};
  if (wanted === undefined) return setJson(text, [field], undefined);
  const kept = Object.keys(old).filter((name) => name in wanted);
  const inOrder = kept.every((name, index) => Object.keys(wanted)[index] === name);
  const renamed = kept.length < Object.keys(old).length && Object.keys(wanted).length > kept.length;
  const isObject = isRecord(readEntry(text)?.[field]);
  if (Object.keys(old).length === 0 || !isObject || !inOrder || renamed)
    return setJson(text, [field], wanted);
  return [...Object.keys(old), ...Object.keys(wanted)]
    .filter((name) => old[name] !== wanted[name])
    .reduce((current, name) => setJson(current, [field, name], wanted[name]), text);
}

/** Returns the value to write to the file; empty optional fields are omitted. */
function storedValue(field: EntryField, value: EntryDraft[EntryField]): unknown {
  if (field === 'args') return value.length === 0 ? undefined : value;
  return value === '' && field === 'cwd' ? undefined : value;
}

function storedPairs(pairs: readonly Pair[]): Record<string, string> | undefined {
  const named = pairs.filter((pair) => pair.name !== '');
  return named.length === 0 ? undefined : Object.fromEntries(named.map(({ name, value }) => [name, value]));
}

function asPairs(value: unknown, field: 'env' | 'headers'): readonly Pair[] {
  const members = isRecord(value) ? value : (parseNameValuePairs(value, field) ?? {});
  return Object.entries(members).map(([name, one]) => ({ name, value: asText(one) }));
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}
