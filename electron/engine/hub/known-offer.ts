import type { CatalogueStore, Offer } from '../catalogue/contract.ts';

/** Returns what a server lists, or listed last; undefined if it never listed anything. */
export function knownOffer({ current }: Pick<CatalogueStore, 'current'>, key: string): Offer | undefined {
  return [...current.servers, ...current.off].find((server) => server.key === key)?.offer;
}

/** Tells whether the tools have ever been listed. */
export function knowsToolsOf(offer: Offer | undefined): boolean {
  return offer !== undefined && offer.unlisted?.includes('tools') !== true;
}
