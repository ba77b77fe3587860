import { isRecord } from '../../../shared/json.ts';
import { elementSpans, memberSpans } from '../rpc/json-spans.ts';
import { splice } from '../rpc/splice.ts';
import type { RawItem } from './contract.ts';

/**
 * Attaches the original JSON text to items whose printed value would differ: a number that no double can
 * represent, a repeated member, an unnecessary escape. Only the functions here see it; copies, comparisons
 * and JSON.stringify use the value alone.
 */
const written: unique symbol = Symbol('written');

interface Written {
  readonly [written]?: string;
}

/** Returns the item's original text, if it differs from its printed value. */
export function keptText(item: RawItem): string | undefined {
  return (item as Written)[written];
}

/** Serializes a list of items, each as its server wrote it. */
export function textOfItems(items: readonly RawItem[]): string {
  if (!hasKeptTexts(items)) return JSON.stringify(items);
  return `[${items.map((item) => keptText(item) ?? JSON.stringify(item)).join(',')}]`;
}

export function hasKeptTexts(items: readonly RawItem[]): boolean {
  return items.some((item) => keptText(item) !== undefined);
}

/** Attaches the original texts to items just parsed from member `field` of a result. */
export function keepTexts(items: readonly unknown[], result: Buffer, field: string): void {
  if (isAsPrinted(result, { [field]: items })) return;
  // JSON parsers take the last of several members with one name.
  const list = memberSpans(result, field).at(-1);
  const spans = list === undefined ? [] : elementSpans(result, list.start);
  if (spans.length !== items.length) return;
  spans.forEach(({ start, end }, index) => {
    const item = items[index];
    if (isRecord(item)) keepText(item, result.toString('utf8', start, end));
  });
}

/** A shortcut for most servers, which send exactly what JSON.stringify prints. */
function isAsPrinted(bytes: Buffer, value: object): boolean {
  const print = printed(value);
  return print !== undefined && bytes.toString('utf8') === print;
}

/** Parses an item and attaches its text; throws if it is not JSON. */
export function readItem(text: string): unknown {
  const item: unknown = JSON.parse(text);
  if (isRecord(item)) keepText(item, text);
  return item;
}

/** Replaces a member in the value and in the text; everything else stays, including the order. */
export function withMember(item: RawItem, field: string, value: string): RawItem {
  const changed = { ...item, [field]: value };
  const text = keptText(item);
  if (text !== undefined) keepText(changed, spliced(text, field, JSON.stringify(value)));
  return changed;
}

/** Replaces members in the value and in the text, or removes those that are undefined. */
export function withMembers(item: RawItem, members: Readonly<Record<string, unknown>>): RawItem {
  const all = Object.entries({ ...item, ...members });
  const changed: RawItem = Object.fromEntries(all.filter(([, value]) => value !== undefined));
  const text = keptText(item);
  if (text === undefined) return changed;
  const bytes = Buffer.from(text);
  const written = Object.keys(changed).map((field) => {
    const span = Object.hasOwn(members, field) ? undefined : memberSpans(bytes, field).at(-1);
    const value =
      span === undefined ? JSON.stringify(changed[field]) : bytes.toString('utf8', span.start, span.end);
    return `${JSON.stringify(field)}:${value}`;
  });
  keepText(changed, `{${written.join(',')}}`);
  return changed;
}

/** Skips texts with line breaks, which would break the line-based transport, and items too deep to print. */
function keepText(item: RawItem, text: string): void {
  const print = printed(item);
  if (print === undefined || print === text || /[\r\n]/.test(text)) return;
  Object.defineProperty(item, written, { value: text });
}

/** Returns undefined if the item is too deep to print. */
function printed(item: object): string | undefined {
  try {
    return JSON.stringify(item);
  } catch {
    return undefined;
  }
}

/** Replaces every occurrence of the member, so that any reader gets the new value. */
function spliced(text: string, field: string, value: string): string {
  const bytes = Buffer.from(text);
  const places = memberSpans(bytes, field).map((span) => ({ ...span, text: value }));
  return Buffer.concat(splice([bytes], places)).toString('utf8');
}
