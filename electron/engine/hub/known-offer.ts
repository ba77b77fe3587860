import type { CatalogueStore, Offer } from '../catalogue/contract.ts';

/** What a server offers, or offered last; undefined if that was never heard. */
export function knownOffer({ current }: Pick<CatalogueStore, 'current'>, key: string): Offer | undefined {
  return [...current.servers, ...current.off].find((server) => server.key === key)?.offer;
}

/** Whether its tools have ever been listed. */
export function knowsToolsOf(offer: Offer | undefined): boolean {
  return offer !== undefined && offer.unlisted?.includes('tools') !== true;
}
