import { type Node, parseTree } from 'jsonc-parser';
import type { RawItem } from '../catalogue/contract.ts';
import { keptText } from '../catalogue/item-text.ts';

/**
 * The one text of all that say the same: members in the order of their names, no white space, numbers by their value.
 * Members given twice stay twice, and no digit of a number is lost, so that nothing can hide behind what a parser drops.
 */
export function canonicalText(item: RawItem): string {
  const text = keptText(item);
  const tree = text === undefined ? undefined : parseTree(text);
  return tree === undefined || text === undefined ? ofValue(item) : ofNode(tree, text);
}

/** Written into one text as it goes: thousands of definitions are read at a start. */
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

/** Sorts in place. Most objects have a few members, for which the engine's sort allocates more than they are. */
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

/** As below, for a double. */
function ofNumber(value: number): string {
  if (value === 0 || !Number.isSafeInteger(value)) return canonicalNumber(JSON.stringify(value));
  let digits = value;
  let exponent = 0;
  for (; digits % 10 === 0; digits /= 10) exponent += 1;
  return `${digits}e${exponent}`;
}

/** Its digits without zeros at either end, and the power of ten they count. */
function canonicalNumber(literal: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/(?<!0)0+$/, '');
  if (significant === '') return '0';
  const exponent = BigInt(power) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return `${sign}${significant}e${exponent}`;
}
