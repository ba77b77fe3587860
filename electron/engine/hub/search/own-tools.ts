import type { Catalogue, CatalogueServer } from '../../catalogue/contract.ts';

/** Tells whether a session's own process lists tools that the shared one does not. */
export function hasOwnTools({ key, offer }: CatalogueServer, { servers }: Catalogue): boolean {
  const shared = servers.find((server) => server.key === key)?.offer;
  if (shared === undefined || shared.tools === offer.tools) return false;
  const known = new Set(shared.tools.map(({ name }) => name));
  return offer.tools.some(({ name }) => !known.has(name));
}
