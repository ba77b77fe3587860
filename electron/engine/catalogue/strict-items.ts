import { isRecord } from '../../../shared/json.ts';
import type { CatalogueServer, ClientProfile, Offer, RawItem } from './contract.ts';
import { withMembers } from './item-text.ts';
import { mapItems, mapMembers, mendInputSchema, mendOutputSchema } from './mend-schema.ts';

/** Kinds of listed items, by what the protocol calls them. */
export type ItemKind = 'tool' | 'prompt' | 'resource' | 'resource template';

/**
 * Items that break the protocol's own schema, each with the form that a strict client takes: clients built on the official
 * SDKs refuse a whole list for one of them.
 */
export function strictItems(offer: Offer): CatalogueServer['strict'] {
  const forms = new Map<RawItem, RawItem>();
  const add = (kind: ItemKind, items: readonly RawItem[]) => {
    for (const item of items) {
      const form = strictForm(kind, item);
      if (form !== item) forms.set(item, form);
    }
  };
  add('tool', offer.tools);
  add('prompt', offer.prompts);
  add('resource', offer.resources);
  add('resource template', offer.resourceTemplates);
  return forms;
}

/** How this kind of client is told of an item. */
export function formFor(
  { refusesUnfit }: ClientProfile,
  { strict }: Pick<CatalogueServer, 'strict'>,
  item: RawItem,
): RawItem {
  return refusesUnfit ? (strict.get(item) ?? item) : item;
}

/**
 * The item with as little changed as the protocol's schema asks for, itself where that is nothing. Null stands for what is
 * not there and an empty list for an empty object; any other value of a wrong type is left out where it may be missing. Done
 * by hand, as the bridge must not load a schema library.
 */
export function strictForm(kind: ItemKind, item: RawItem): RawItem {
  const changes: Record<string, unknown> = {};
  for (const [field, mend] of shapes[kind]) {
    const isThere = Object.hasOwn(item, field);
    if (!isThere && !always.has(mend)) continue;
    const mended = mend(item[field], item);
    if (mended !== item[field] || (isThere && mended === undefined)) changes[field] = mended;
  }
  return Object.keys(changes).length === 0 ? item : withMembers(item, changes);
}

/** The value as it should be; undefined where it is best left out. */
type Mend = (value: unknown, item: RawItem) => unknown;

const text: Mend = (value) => (typeof value === 'string' ? value : undefined);

const bool: Mend = (value) => {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.slice(0, 6).toLowerCase() : undefined;
  return word === 'true' || word === 'false' ? word === 'true' : undefined;
};

const number: Mend = (value) => {
  if (typeof value === 'number') return value;
  const read =
    typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : Number.NaN;
  return Number.isNaN(read) ? undefined : read;
};

const record: Mend = (value) => {
  if (isRecord(value)) return value;
  // An empty list is how PHP writes an empty object.
  return Array.isArray(value) && value.length === 0 ? {} : undefined;
};

/** From 0 to 1. */
const share: Mend = (value, item) => {
  const read = number(value, item);
  return typeof read === 'number' && read >= 0 && read <= 1 ? read : undefined;
};

const moment: Mend = (value) => {
  const isMoment =
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(value);
  return isMoment && !Number.isNaN(Date.parse(value)) ? value : undefined;
};

const listOf =
  (mend: Mend): Mend =>
  (value, item) =>
    Array.isArray(value) ? mapItems(value, (member) => mend(member, item)) : undefined;

const texts: Mend = (value, item) => (typeof value === 'string' ? [value] : listOf(text)(value, item));

const oneOf =
  (...values: readonly string[]): Mend =>
  (value) =>
    values.some((known) => known === value) ? value : undefined;

/** Left out as a whole where a required member cannot be had. */
function shaped(members: Readonly<Record<string, Mend>>, ...required: readonly string[]): Mend {
  return (value, item) => {
    const found = record(value, item);
    if (!isRecord(found)) return undefined;
    const mended = mapMembers(found, (name, member) =>
      Object.hasOwn(members, name) ? members[name]?.(member, item) : member,
    );
    return required.every((name) => mended[name] !== undefined) ? mended : undefined;
  };
}

const icons = listOf(
  shaped({ src: text, mimeType: text, sizes: texts, theme: oneOf('light', 'dark') }, 'src'),
);
const annotations = shaped({
  audience: listOf(oneOf('user', 'assistant')),
  priority: share,
  lastModified: moment,
});
const inputSchema: Mend = (value) => mendInputSchema(value);
const titleOrUri: Mend = (value, { title, uri, uriTemplate }) =>
  [value, title, uri, uriTemplate].find((name) => typeof name === 'string');
const common = { title: text, description: text, icons, _meta: record } as const;

/** Members that must be there. */
const always: ReadonlySet<Mend> = new Set([inputSchema, titleOrUri]);

type Shape = readonly (readonly [field: string, mend: Mend])[];

const shapes: Readonly<Record<ItemKind, Shape>> = {
  tool: Object.entries<Mend>({
    ...common,
    inputSchema,
    outputSchema: (value) => mendOutputSchema(value),
    annotations: shaped({
      title: text,
      readOnlyHint: bool,
      destructiveHint: bool,
      idempotentHint: bool,
      openWorldHint: bool,
    }),
    execution: shaped({ taskSupport: oneOf('required', 'optional', 'forbidden') }),
  }),
  prompt: Object.entries<Mend>({
    ...common,
    arguments: listOf(shaped({ name: text, title: text, description: text, required: bool }, 'name')),
  }),
  resource: Object.entries<Mend>({
    ...common,
    name: titleOrUri,
    mimeType: text,
    size: number,
    annotations,
  }),
  'resource template': Object.entries<Mend>({
    ...common,
    name: titleOrUri,
    mimeType: text,
    annotations,
  }),
};
