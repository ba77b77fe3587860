import { isRecord, parseJson, scalarText } from '../../../../shared/json.ts';
import type { CatalogueServer, ClientProfile, RawItem, ServerListing } from '../contract.ts';
import { withMembers } from '../item-text.ts';
import { mapMembers } from './map-members.ts';
import {
  annotations,
  bool,
  icons,
  listOf,
  number,
  oneOf,
  type RepairMember,
  record,
  repairObject,
  text,
} from './repair-member.ts';
import { repairInputSchema, repairOutputSchema } from './repair-schema.ts';

/** Kinds of listed items, named as in the protocol. */
export type ItemKind = 'tool' | 'prompt' | 'resource' | 'resource template';

/**
 * Returns the items that violate the protocol's schema, each with a valid form: clients built on the official
 * SDKs refuse a whole list because of one of them.
 */
export function strictItems(offer: ServerListing): CatalogueServer['strict'] {
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

/** Returns the form of an item for this kind of client. */
export function formFor(
  { isStrict, propertyNames }: ClientProfile,
  { strict }: Pick<CatalogueServer, 'strict'>,
  item: RawItem,
): RawItem {
  const form = isStrict ? (strict.get(item) ?? item) : item;
  return propertyNames === undefined ? form : withProperties(form, propertyNames);
}

/** Leaves out the properties of a tool's input with another name: all tools would be lost for them. */
function withProperties(tool: RawItem, names: RegExp): RawItem {
  const { inputSchema } = tool;
  if (!isRecord(inputSchema) || !isRecord(inputSchema.properties)) return tool;
  const properties = mapMembers(inputSchema.properties, (name, value) =>
    names.test(name) ? value : undefined,
  );
  if (properties === inputSchema.properties) return tool;
  const required = Array.isArray(inputSchema.required) ? inputSchema.required : [];
  const kept = required.filter((name) => names.test(scalarText(name)));
  return withMembers(tool, { inputSchema: { ...inputSchema, properties, required: kept } });
}

/**
 * Returns the item with the minimal changes that the protocol's schema requires, or the item itself. Null
 * counts as absent and an empty list as an empty object; other values of a wrong type are left out if
 * optional. Done by hand, because the bridge must not load a schema library.
 */
export function strictForm(kind: ItemKind, item: RawItem): RawItem {
  const changes: Record<string, unknown> = {};
  for (const [field, repair] of shapes[kind]) {
    const isThere = Object.hasOwn(item, field);
    if (!isThere && !requiredMembers.has(repair)) continue;
    const repaired = repair(item[field], item);
    if (repaired !== item[field] || (isThere && repaired === undefined)) changes[field] = repaired;
  }
  return Object.keys(changes).length === 0 ? item : withMembers(item, changes);
}

/** The input schema, also under the names that the APIs of models have for it, or as JSON text. */
const inputSchema: RepairMember = (value, { input_schema, parameters }) => {
  const found = [value, input_schema, parameters].map((one) =>
    typeof one === 'string' ? parseJson(one) : one,
  );
  return repairInputSchema(found.find(isRecord));
};
const titleOrUri: RepairMember = (value, { title, uri, uriTemplate }) =>
  [value, title, uri, uriTemplate].find((name) => typeof name === 'string');
const common = { title: text, description: text, icons, _meta: record } as const;

/** Required members. */
const requiredMembers: ReadonlySet<RepairMember> = new Set([inputSchema, titleOrUri]);

type Shape = readonly (readonly [field: string, mend: RepairMember])[];

const shapes: Readonly<Record<ItemKind, Shape>> = {
  tool: Object.entries<RepairMember>({
    ...common,
    inputSchema,
    outputSchema: (value) => repairOutputSchema(value),
    annotations: repairObject({
      title: text,
      readOnlyHint: bool,
      destructiveHint: bool,
      idempotentHint: bool,
      openWorldHint: bool,
    }),
    execution: repairObject({ taskSupport: oneOf('required', 'optional', 'forbidden') }),
  }),
  prompt: Object.entries<RepairMember>({
    ...common,
    arguments: listOf(repairObject({ name: text, title: text, description: text, required: bool }, 'name')),
  }),
  resource: Object.entries<RepairMember>({
    ...common,
    name: titleOrUri,
    mimeType: text,
    size: number,
    annotations,
  }),
  'resource template': Object.entries<RepairMember>({
    ...common,
    name: titleOrUri,
    mimeType: text,
    annotations,
  }),
};
