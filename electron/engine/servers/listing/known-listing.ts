import type { ToolDifference } from '../../../../shared/model/server/server-update.ts';
import type { CatalogueStore, RawItem, ServerListing } from '../../catalogue/contract.ts';
import { serializeItems } from '../../catalogue/item-text.ts';

/** Returns what a server lists, or listed last; undefined if it never listed anything. */
export function knownListing(
  { current }: Pick<CatalogueStore, 'current'>,
  key: string,
): ServerListing | undefined {
  return [...current.servers, ...current.off].find((server) => server.key === key)?.offer;
}

/** Tells whether the tools have ever been listed. */
export function hasListedTools(offer: ServerListing | undefined): boolean {
  return offer !== undefined && offer.unlisted?.includes('tools') !== true;
}

/** Compares the tools of two listings by their text; without an earlier listing all tools are new. */
export function toolDifference(before: ServerListing | undefined, after: ServerListing): ToolDifference {
  const older = textsByName(before?.tools ?? []);
  const newer = textsByName(after.tools);
  const names = [...newer.keys()];
  return {
    added: names.filter((name) => !older.has(name)),
    removed: [...older.keys()].filter((name) => !newer.has(name)),
    changed: names.filter((name) => older.has(name) && older.get(name) !== newer.get(name)),
  };
}

function textsByName(tools: readonly RawItem[]): ReadonlyMap<string, string> {
  return new Map(
    tools.flatMap((tool) => (typeof tool.name === 'string' ? [[tool.name, serializeItems([tool])]] : [])),
  );
}
