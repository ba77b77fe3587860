import type { Offer } from '../../electron/engine/catalogue/contract.ts';
import {
  type ListedConnection,
  OfferListing,
  type OfferListingOptions,
} from '../../electron/engine/catalogue/offer-listing.ts';
import type { Problem } from '../../shared/error/problem.ts';

/** All lists of a server, once they are known as far as they can be. Rejects if the connection ends first. */
export async function listOffer(
  connection: ListedConnection,
  { previous, ...options }: Omit<OfferListingOptions, 'previous'> & { readonly previous?: Offer } = {},
): Promise<{ readonly offer: Offer; readonly problems: readonly Problem[] }> {
  const listing = new OfferListing(connection, { ...options, previous: () => previous });
  listing.start();
  await listing.known();
  const { offer, problems, ending } = listing;
  listing.dispose();
  if (ending !== undefined) throw ending;
  if (offer === undefined) throw new Error('Nothing was listed.');
  return { offer, problems };
}
