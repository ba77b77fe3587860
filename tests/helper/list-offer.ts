import type { ServerListing } from '../../electron/engine/catalogue/contract.ts';
import {
  type ListedConnection,
  ListingReader,
  type ListingReaderOptions,
} from '../../electron/engine/catalogue/offer-listing.ts';
import type { Problem } from '../../shared/error/problem.ts';

/** All lists of a server, once they are known as far as they can be. Rejects if the connection ends first. */
export async function listOffer(
  connection: ListedConnection,
  {
    previous,
    ...options
  }: Omit<ListingReaderOptions, 'previous'> & { readonly previous?: ServerListing } = {},
): Promise<{ readonly offer: ServerListing; readonly problems: readonly Problem[] }> {
  const listing = new ListingReader(connection, { ...options, previous: () => previous });
  listing.start();
  await listing.whenKnown();
  const { listing: offer, problems, closeError: ending } = listing;
  listing.dispose();
  if (ending !== undefined) throw ending;
  if (offer === undefined) throw new Error('Nothing was listed.');
  return { offer, problems };
}
