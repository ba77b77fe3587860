import { isRecord } from '../../../shared/json.ts';
import { elementSpans, memberSpans } from '../rpc/json-spans.ts';
import { splice } from '../rpc/splice.ts';
import type { RawItem } from './contract.ts';

/**
 * Items travel as values, with their text beside them where printing the value would give another one: a number that no
 * double can hold, a name given twice, an escape that need not be. Seen by nothing but the functions here: copies,
 * comparisons and JSON.stringify go by the value alone.
 */
const written: unique symbol = Symbol('written');

interface Written {
  readonly [written]?: string;
}

/** The text of an item as its server wrote it, where that is not what printing it gives. */
export function keptText(item: RawItem): string | undefined {
  return (item as Written)[written];
}

/** The JSON text of a list of items, each as its server wrote it. */
export function textOfItems(items: readonly RawItem[]): string {
  if (!hasKeptTexts(items)) return JSON.stringify(items);
  return `[${items.map((item) => keptText(item) ?? JSON.stringify(item)).join(',')}]`;
}

export function hasKeptTexts(items: readonly RawItem[]): boolean {
  return items.some((item) => keptText(item) !== undefined);
}

/** Notes with items that have just been parsed how they stand in the result they came in, as its member `field`. */
export function keepTexts(items: readonly unknown[], result: Buffer, field: string): void {
  if (isAsPrinted(result, { [field]: items })) return;
  // Of members of one name, parsers take the last.
  const list = memberSpans(result, field).at(-1);
  const spans = list === undefined ? [] : elementSpans(result, list.start);
  if (spans.length !== items.length) return;
  spans.forEach(({ start, end }, index) => {
    const item = items[index];
    if (isRecord(item)) keepText(item, result.toString('utf8', start, end));
  });
}

/** Most servers print, and put nothing beside a list: then no item needs to be looked at by itself. */
function isAsPrinted(bytes: Buffer, value: object): boolean {
  const print = printed(value);
  return print !== undefined && bytes.toString('utf8') === print;
}

/** The item of a text, with the text; throws where it is not JSON. */
export function readItem(text: string): unknown {
  const item: unknown = JSON.parse(text);
  if (isRecord(item)) keepText(item, text);
  return item;
}

/** The item with this member replaced, by value as in its text; everything else stays, the order included. */
export function withMember(item: RawItem, field: string, value: string): RawItem {
  const changed = { ...item, [field]: value };
  const text = keptText(item);
  if (text !== undefined) keepText(changed, spliced(text, field, JSON.stringify(value)));
  return changed;
}

/** The item with these members replaced, by value as in its text, or left out where undefined. */
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

/**
 * A text of several lines would break the line that it is sent on; one too deep to be printed would break whoever reads
 * it and prints it again.
 */
function keepText(item: RawItem, text: string): void {
  const print = printed(item);
  if (print === undefined || print === text || /[\r\n]/.test(text)) return;
  Object.defineProperty(item, written, { value: text });
}

/** Undefined where the item is too deep to be printed. */
function printed(item: object): string | undefined {
  try {
    return JSON.stringify(item);
  } catch {
    return undefined;
  }
}

/** Also where the member is given twice: whichever of them a reader takes, it is the new one. */
function spliced(text: string, field: string, value: string): string {
  const bytes = Buffer.from(text);
  const places = memberSpans(bytes, field).map((span) => ({ ...span, text: value }));
  return Buffer.concat(splice([bytes], places)).toString('utf8');
}
