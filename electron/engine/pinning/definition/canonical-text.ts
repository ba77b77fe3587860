import { type Node, parseTree } from 'jsonc-parser';
import type { RawItem } from '../../catalogue/contract.ts';
import { originalText } from '../../catalogue/item-text.ts';

/**
 * Returns the same text for all definitions that say the same: members sorted by name, no white space,
 * numbers by value. Duplicate members stay and no digit is dropped, so that nothing can hide in what a parser
 * ignores.
 */
export function canonicalText(item: RawItem): string {
  const text = originalText(item);
  const tree = text === undefined ? undefined : parseTree(text);
  return tree === undefined || text === undefined ? ofValue(item) : ofNode(tree, text);
}

/** Appends to one string: thousands of definitions are read at start. */
function ofValue(value: unknown): string {
  if (typeof value === 'number') return ofNumber(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return ofArray(value);
  const record = value as Readonly<Record<string, unknown>>;
  let text = '{';
  for (const key of inOrder(Object.keys(record))) {
    text += `${text.length === 1 ? '' : ','}${JSON.stringify(key)}:${ofValue(record[key])}`;
  }
  return `${text}}`;
}

function ofArray(values: readonly unknown[]): string {
  let text = '[';
  for (const value of values) text += `${text.length === 1 ? '' : ','}${ofValue(value)}`;
  return `${text}]`;
}

/**
 * Sorts in place. Most objects have few members, and for those the built-in sort allocates more than they
 * take.
 */
function inOrder(keys: string[]): readonly string[] {
  if (keys.length > fewMembers) return keys.sort();
  for (let index = 1; index < keys.length; index += 1) moveDown(keys, index);
  return keys;
}

const fewMembers = 16;

function moveDown(keys: string[], index: number): void {
  const key = keys[index] as string;
  let at = index;
  for (; at > 0; at -= 1) {
    const before = keys[at - 1] as string;
    if (before <= key) break;
    keys[at] = before;
  }
  keys[at] = key;
}

function ofNode(node: Node, text: string): string {
  const { children = [] } = node;
  switch (node.type) {
    case 'number':
      return canonicalNumber(text.slice(node.offset, node.offset + node.length));
    case 'array':
      return `[${children.map((child) => ofNode(child, text)).join(',')}]`;
    case 'object':
      return `{${children
        .map((member) => memberOf(member, text))
        .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
        .map(([key, value]) => `${JSON.stringify(key)}:${value}`)
        .join(',')}}`;
    default:
      return JSON.stringify(node.value);
  }
}

function memberOf({ children = [] }: Node, text: string): readonly [string, string] {
  const [key, value] = children;
  return [String(key?.value), value === undefined ? 'null' : ofNode(value, text)];
}

/** Returns the canonical text of a double, like {@link canonicalNumber}. */
function ofNumber(value: number): string {
  if (value === 0 || !Number.isSafeInteger(value)) return canonicalNumber(JSON.stringify(value));
  let digits = value;
  let exponent = 0;
  for (; digits % 10 === 0; digits /= 10) exponent += 1;
  return `${digits}e${exponent}`;
}

/** Returns the digits without zeros at either end, and their power of ten. */
function canonicalNumber(literal: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/(?<!0)0+$/, '');
  if (significant === '') return '0';
  const exponent = BigInt(power) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return `${sign}${significant}e${exponent}`;
}
