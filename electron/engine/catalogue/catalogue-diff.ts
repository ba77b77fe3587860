import { isDeepStrictEqual } from 'node:util';
import type { Catalogue, CatalogueServer, ListKind, RawItem, ServerListing } from './contract.ts';
import { originalText } from './item-text.ts';

/**
 * Returns the newer listing with every part that is unchanged in value and text taken from the older one, so
 * that equal lists are the same object from here on.
 */
export function shareUnchanged(older: ServerListing | undefined, newer: ServerListing): ServerListing {
  if (older === undefined) return newer;
  const shared = {
    ...newer,
    tools: sameList(older.tools, newer.tools),
    prompts: sameList(older.prompts, newer.prompts),
    resources: sameList(older.resources, newer.resources),
    resourceTemplates: sameList(older.resourceTemplates, newer.resourceTemplates),
  };
  const isSame = listParts.every((part) => shared[part] === older[part]) && isDeepStrictEqual(older, shared);
  return isSame ? older : shared;
}

const listParts = ['tools', 'prompts', 'resources', 'resourceTemplates'] as const;

function sameList(older: readonly RawItem[], newer: readonly RawItem[]): readonly RawItem[] {
  const isSame =
    isDeepStrictEqual(older, newer) &&
    older.every((item, index) => originalText(item) === originalText(newer[index] ?? {}));
  return isSame ? older : newer;
}

/**
 * Returns the kinds of list that changed for clients. Expects listings that went through {@link
 * shareUnchanged}.
 */
export function changedKinds(
  before: readonly CatalogueServer[],
  after: readonly CatalogueServer[],
): ReadonlySet<ListKind> {
  const kinds = Object.entries(listsOf) as [ListKind, (typeof listsOf)[ListKind]][];
  return new Set(
    kinds
      .filter(([, lists]) => !isSameSequence(before.flatMap(lists), after.flatMap(lists)))
      .map(([kind]) => kind),
  );
}

/** Checks whether nothing differs, including what no list shows. */
export function isSameServers(a: readonly CatalogueServer[], b: readonly CatalogueServer[]): boolean {
  return a.length === b.length && a.every((server, index) => isSameServer(server, b[index]));
}

/**
 * Checks whether two catalogues would be stored identically for the next start, which knows only listings.
 */
export function isStoredEqual(one: Catalogue, other: Catalogue): boolean {
  return (
    one.revision === other.revision &&
    isDeepStrictEqual(one.awaited ?? [], other.awaited ?? []) &&
    one.isUnsure === other.isUnsure &&
    one.config === other.config &&
    areStoredEqual(one.servers, other.servers) &&
    areStoredEqual(one.off, other.off)
  );
}

function areStoredEqual(some: readonly CatalogueServer[], others: readonly CatalogueServer[]): boolean {
  const isSameEntry = (entry: CatalogueServer, other: CatalogueServer | undefined) =>
    entry.key === other?.key && entry.offer === other.offer && hasSameWithheld(entry, other);
  return some.length === others.length && some.every((server, index) => isSameEntry(server, others[index]));
}

function isSameServer(a: CatalogueServer, b: CatalogueServer | undefined): boolean {
  return (
    a.key === b?.key &&
    a.offer === b.offer &&
    a.cached === b.cached &&
    hasSameWithheld(a, b) &&
    isDeepStrictEqual(a.setAside, b.setAside)
  );
}

function hasSameWithheld(a: CatalogueServer, b: CatalogueServer): boolean {
  return isDeepStrictEqual(a.disabledTools, b.disabledTools) && isDeepStrictEqual(a.heldTools, b.heldTools);
}

/** The inputs that determine each kind of list; servers without such items contribute nothing. */
const listsOf: Readonly<Record<ListKind, (server: CatalogueServer) => readonly unknown[]>> = {
  tools: ({ key, offer, disabledTools, heldTools }) =>
    offer.tools.length === 0 ? [] : [key, offer.tools, ...hiddenTools(offer.tools, disabledTools, heldTools)],
  resources: ({ key, offer: { resources, resourceTemplates } }) =>
    resources.length + resourceTemplates.length === 0
      ? []
      : [key, ...[resources, resourceTemplates].filter(isFilled)],
  prompts: ({ key, offer }) => (offer.prompts.length === 0 ? [] : [key, offer.prompts]),
};

const isFilled = (items: readonly RawItem[]) => items.length > 0;

function hiddenTools(
  tools: readonly RawItem[],
  disabled: ReadonlySet<string>,
  quarantined: ReadonlySet<string>,
): readonly string[] {
  if (disabled.size + quarantined.size === 0) return [];
  const isHidden = (name: string) => disabled.has(name) || quarantined.has(name);
  return tools.flatMap(({ name }) => (typeof name === 'string' && isHidden(name) ? [name] : []));
}

function isSameSequence(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index]);
}
