import { isRecord } from '../../../shared/json.ts';
import { editMembers } from '../jsonrpc/json/edit-json.ts';
import { elementSpans, memberSpans } from '../jsonrpc/json/json-spans.ts';
import type { RawItem } from './contract.ts';

/**
 * Attaches the original JSON text to items whose printed value would differ: a number that no double can
 * represent, a repeated member, an unnecessary escape. Only the functions here see it; copies, comparisons
 * and JSON.stringify use the value alone.
 */
const written: unique symbol = Symbol('written');

interface WithOriginalText {
  readonly [written]?: string;
}

/** Returns the item's original text, if it differs from its printed value. */
export function originalText(item: RawItem): string | undefined {
  return (item as WithOriginalText)[written];
}

/** Serializes a list of items, each as its server wrote it. */
export function serializeItems(items: readonly RawItem[]): string {
  if (!hasOriginalTexts(items)) return JSON.stringify(items);
  return `[${items.map((item) => originalText(item) ?? JSON.stringify(item)).join(',')}]`;
}

export function hasOriginalTexts(items: readonly RawItem[]): boolean {
  return items.some((item) => originalText(item) !== undefined);
}

/** Attaches the original texts to items just parsed from member `field` of a result. */
export function attachTexts(items: readonly unknown[], result: Buffer, field: string): void {
  if (equalsPrinted(result, { [field]: items })) return;
  // JSON parsers take the last of several members with one name.
  const list = memberSpans(result, field).at(-1);
  const spans = list === undefined ? [] : elementSpans(result, list.start);
  if (spans.length !== items.length) return;
  spans.forEach(({ start, end }, index) => {
    const item = items[index];
    if (isRecord(item)) attachText(item, result.toString('utf8', start, end));
  });
}

/** A shortcut for most servers, which send exactly what JSON.stringify prints. */
function equalsPrinted(bytes: Buffer, value: object): boolean {
  const print = printed(value);
  return print !== undefined && bytes.toString('utf8') === print;
}

/** Parses an item and attaches its text; throws if it is not JSON. */
export function readItem(text: string): unknown {
  const item: unknown = JSON.parse(text);
  if (isRecord(item)) attachText(item, text);
  return item;
}

/** Replaces a member in the value and in the text; everything else stays, including the order. */
export function withMember(item: RawItem, field: string, value: string): RawItem {
  const changed = { ...item, [field]: value };
  const text = originalText(item);
  if (text === undefined) return changed;
  const edit = { name: field, value: Buffer.from(JSON.stringify(value)) };
  attachText(changed, editMembers(Buffer.from(text), [], [edit]).toString('utf8'));
  return changed;
}

/** Replaces members in the value and in the text, or removes those that are undefined. */
export function withMembers(item: RawItem, members: Readonly<Record<string, unknown>>): RawItem {
  const all = Object.entries({ ...item, ...members });
  const changed: RawItem = Object.fromEntries(all.filter(([, value]) => value !== undefined));
  const text = originalText(item);
  if (text === undefined) return changed;
  const bytes = Buffer.from(text);
  const written = Object.keys(changed).map((field) => {
    const span = Object.hasOwn(members, field) ? undefined : memberSpans(bytes, field).at(-1);
    const value =
      span === undefined ? JSON.stringify(changed[field]) : bytes.toString('utf8', span.start, span.end);
    return `${JSON.stringify(field)}:${value}`;
  });
  attachText(changed, `{${written.join(',')}}`);
  return changed;
}

/** Skips texts with line breaks, which would break the line-based transport, and items too deep to print. */
function attachText(item: RawItem, text: string): void {
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
