import { isRecord } from '../../../shared/json.ts';
import type { RawItem } from './contract.ts';

/** Kinds of listed items, by what the protocol calls them. */
export type ItemKind = 'tool' | 'prompt' | 'resource' | 'resource template';

/**
 * What is wrong with an item by the protocol's own schema, as the end of a sentence; undefined if nothing is. Clients
 * built on the official SDKs refuse a whole list for one such item, so one server's slip would cost a user the tools of
 * all. Checked by hand, as the bridge must not load a schema library.
 */
export function definitionFault(kind: ItemKind, item: RawItem): string | undefined {
  return faultOf(item, shapes[kind]) ?? (kind === 'tool' ? danglingReference(item.outputSchema) : undefined);
}

/** Says what is wrong with a value, if anything is. */
type Check = (value: unknown) => string | undefined;
/** Fields in the order they are looked at. */
type Shape = readonly { readonly field: string; readonly check: Check; readonly isRequired: boolean }[];

const text: Check = (value) => (typeof value === 'string' ? undefined : 'is not text');
const bool: Check = (value) => (typeof value === 'boolean' ? undefined : 'is not true or false');
const number: Check = (value) => (typeof value === 'number' ? undefined : 'is not a number');
const record: Check = (value) => (isRecord(value) ? undefined : 'is not an object');
const anyObject: Check = (value) =>
  typeof value === 'object' && value !== null ? undefined : 'is not an object';
const required =
  (check: Check): Check =>
  (value) =>
    value === undefined ? 'is missing' : check(value);

function listOf(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return 'is not a list';
    const fault = value.map(check).find((found) => found !== undefined);
    return fault === undefined ? undefined : `holds something that ${fault}`;
  };
}

function mapOf(check: Check): Check {
  return (value) => {
    if (!isRecord(value)) return 'is not an object';
    const bad = Object.keys(value).find((name) => check(value[name]) !== undefined);
    return bad === undefined ? undefined : `holds "${bad}", which ${check(value[bad])}`;
  };
}

function oneOf(...values: readonly string[]): Check {
  return (value) => (values.some((known) => known === value) ? undefined : `is none of ${values.join(', ')}`);
}

function shapeOf(checks: Readonly<Record<string, Check>>): Shape {
  return Object.entries(checks).map(([field, check]) => ({ field, check, isRequired: requires(check) }));
}

function shaped(checks: Readonly<Record<string, Check>>): Check {
  const shape = shapeOf(checks);
  return (value) => {
    if (!isRecord(value)) return 'is not an object';
    const fault = faultOf(value, shape);
    return fault === undefined ? undefined : `is wrong: ${fault}`;
  };
}

const schema = shaped({
  type: required(oneOf('object')),
  properties: mapOf(anyObject),
  required: listOf(text),
});
const icons = listOf(
  shaped({ src: required(text), mimeType: text, sizes: listOf(text), theme: oneOf('light', 'dark') }),
);
const annotations = shaped({
  audience: listOf(oneOf('user', 'assistant')),
  priority: number,
  lastModified: text,
});
const common = { title: text, description: text, icons, _meta: record } as const;

const shapes: Readonly<Record<ItemKind, Shape>> = {
  tool: shapeOf({
    ...common,
    name: required(text),
    inputSchema: required(schema),
    outputSchema: schema,
    annotations: shaped({
      title: text,
      readOnlyHint: bool,
      destructiveHint: bool,
      idempotentHint: bool,
      openWorldHint: bool,
    }),
    execution: shaped({ taskSupport: oneOf('required', 'optional', 'forbidden') }),
  }),
  prompt: shapeOf({
    ...common,
    name: required(text),
    arguments: listOf(shaped({ name: required(text), title: text, description: text, required: bool })),
  }),
  resource: shapeOf({
    ...common,
    name: required(text),
    uri: required(text),
    mimeType: text,
    size: number,
    annotations,
  }),
  'resource template': shapeOf({
    ...common,
    name: required(text),
    uriTemplate: required(text),
    mimeType: text,
    annotations,
  }),
};

function faultOf(item: Readonly<Record<string, unknown>>, shape: Shape): string | undefined {
  for (const { field, check, isRequired } of shape) {
    const value = item[field];
    // Only `required` has anything to say of an absent field.
    const fault = value === undefined && !isRequired ? undefined : check(value);
    if (fault !== undefined) return `its "${field}" ${fault}`;
  }
  return undefined;
}

function requires(check: Check): boolean {
  return check(undefined) === 'is missing';
}

/** SDK clients compile every outputSchema as they list; one reference that leads nowhere costs them the list. */
function danglingReference(outputSchema: unknown): string | undefined {
  if (outputSchema === undefined) return undefined;
  const pending: { readonly value: unknown; readonly depth: number }[] = [{ value: outputSchema, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null || depth > maxDepth) continue;
    const reference = (value as RawItem).$ref;
    if (typeof reference === 'string' && leadsNowhere(outputSchema, reference)) {
      return `its "outputSchema" refers to ${JSON.stringify(reference)}, which is not in it`;
    }
    for (const member of Object.values(value)) pending.push({ value: member, depth: depth + 1 });
  }
  return undefined;
}

/** Deeper than any schema a person wrote. */
const maxDepth = 200;

/** Only pointers into the same document can be judged here; names and other documents are left to the client. */
function leadsNowhere(root: unknown, reference: string): boolean {
  if (reference !== '#' && !reference.startsWith('#/')) return false;
  const steps = reference
    .slice(2)
    .split('/')
    .filter((step) => step !== '');
  let value: unknown = root;
  for (const step of steps) {
    const key = decodeStep(step);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return true;
    value = (value as RawItem)[key];
  }
  return false;
}

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}
