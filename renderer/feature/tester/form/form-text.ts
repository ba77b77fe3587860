import { applyEdits, findNodeAtLocation, format, type Node, parseTree } from 'jsonc-parser';
import { isRecord } from '../../../../shared/json.ts';
import { setJson } from '../../../lib/edit-json.ts';

/** Arguments as text, and as the form reads them. */
export type FormText =
  | {
      readonly kind: 'object';
      readonly value: Readonly<Record<string, unknown>>;
      /** Numbers the form would round, as written, by {@link placeOf}. */
      readonly exact: ReadonlyMap<string, string>;
    }
  /** Invalid JSON, or not an object, so there is nothing to fill in. */
  | { readonly kind: 'broken'; readonly reason: string };

export function readFormText(text: string): FormText {
  if (text.trim() === '') return { kind: 'object', value: {}, exact: new Map() };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { kind: 'broken', reason: 'The arguments are not a JSON object.' };
    }
    return { kind: 'object', value: value as Readonly<Record<string, unknown>>, exact: exactNumbers(text) };
  } catch (error) {
    return { kind: 'broken', reason: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Applies the edits made in the form to the text. All else stays as written, including numbers the form
 * cannot represent.
 */
export function writeFormText(text: string, before: unknown, after: unknown): string {
  const start = text.trim() === '' ? '{}' : text;
  return changes(before, after, []).reduce(applyChange, start);
}

type Path = readonly (string | number)[];

type Change =
  /** `value` is undefined if it was removed. */
  | { readonly path: Path; readonly value: unknown }
  /** A list whose length changed: the old index of each item, or its new value. */
  | { readonly path: Path; readonly items: readonly ListItem[] };

type ListItem = { readonly from: number } | { readonly value: unknown };

function changes(before: unknown, after: unknown, path: Path): readonly Change[] {
  if (before === after) return [];
  if (isRecord(before) && isRecord(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => changes(before[name], after[name], [...path, name]));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) return [{ path, items: movedItems(before, after) }];
    return after.flatMap((item, index) => changes(before[index], item ?? null, [...path, index]));
  }
  return [{ path, value: withoutGaps(after) }];
}

/** Existing items keep their text wherever they move. */
function movedItems(before: readonly unknown[], after: readonly unknown[]): readonly ListItem[] {
  const unused = new Map(before.map((item, index) => [index, JSON.stringify(item)]));
  return after.map((item) => {
    const wanted = JSON.stringify(item);
    const from = [...unused].find(([, text]) => text === wanted)?.[0];
    if (from === undefined) return { value: withoutGaps(item ?? null) };
    unused.delete(from);
    return { from };
  });
}

function applyChange(text: string, change: Change): string {
  if (!('items' in change)) return setJson(text, change.path, change.value);
  const root = parseTree(text);
  const list = root && findNodeAtLocation(root, [...change.path]);
  if (list === undefined) return text;
  const items = change.items.map((item) => {
    if (!('from' in item)) return JSON.stringify(item.value);
    const node = list.children?.[item.from];
    return node === undefined ? 'null' : text.slice(node.offset, node.offset + node.length);
  });
  const changed = `${text.slice(0, list.offset)}[${items.join(', ')}]${text.slice(list.offset + list.length)}`;
  return applyEdits(changed, format(changed, undefined, { insertSpaces: true, tabSize: 2, eol: '\n' }));
}

/** Replaces undefined list items with null. */
function withoutGaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutGaps(item ?? null));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutGaps(member)]));
}

/** Returns a map key for the path of a value. */
export function pathKey(path: readonly (string | number)[]): string {
  return JSON.stringify(path.map(String));
}

function exactNumbers(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const root = parseTree(text);
  if (root !== undefined) collect(root, [], text, found);
  return found;
}

function collect(node: Node, path: readonly string[], text: string, found: Map<string, string>): void {
  if (node.type === 'number') {
    const written = text.slice(node.offset, node.offset + node.length);
    if (!isExact(written)) found.set(pathKey(path), written);
    return;
  }
  for (const [index, child] of (node.children ?? []).entries()) {
    const [name, value] = node.type === 'array' ? [undefined, child] : (child.children ?? []);
    if (value === undefined) continue;
    collect(value, [...path, name === undefined ? String(index) : String(name.value)], text, found);
  }
}

/** Returns whether a double holds the written number exactly, regardless of notation. */
export function isExact(written: string): boolean {
  const value = Number(written);
  if (!Number.isFinite(value)) return false;
  const [digits, exponent] = normalized(written);
  const [heldDigits, heldExponent] = normalized(String(value));
  return digits === heldDigits && exponent === heldExponent;
}

/** Returns the significant digits and the power of ten. */
function normalized(written: string): readonly [string, number] {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const trimmed = digits.replace(/(?<!0)0+$/, '');
  if (trimmed === '') return ['0', 0];
  return [
    `${sign === '-' ? '-' : ''}${trimmed}`,
    Number(exponent) - fraction.length + digits.length - trimmed.length,
  ];
}
