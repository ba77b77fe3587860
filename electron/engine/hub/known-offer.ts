import type { CatalogueStore, ServerListing } from '../catalogue/contract.ts';

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
