import { ProblemError, toProblem } from '../../../../shared/error/problem.ts';
import type { EntryTrial } from '../../../../shared/model/server/server-update.ts';
import type { Clock } from '../../base/clock.ts';
import { type CatalogueStore, emptyListing, type ServerListing } from '../../catalogue/contract.ts';
import { ListingReader } from '../../catalogue/listing/listing-reader.ts';
import type { Connection, Supervisor } from '../contract.ts';
import type { ServerConfig } from '../server-config.ts';
import { knownListing, toolDifference } from './known-listing.ts';

export interface TrialOptions {
  readonly clock: Clock;
  /** Judges the text of an entry; rejects with ProblemError. */
  readonly config: { configure(key: string, text: string): Promise<ServerConfig> };
  readonly supervisor: Supervisor;
  readonly catalogue: CatalogueStore;
}

/** Starts an edited entry next to the running server and ends it again; failures are part of the result. */
export async function tryEntry(options: TrialOptions, key: string, text: string): Promise<EntryTrial> {
  const { clock, catalogue } = options;
  const startedAt = clock.now();
  try {
    const offer = await listingOf(options, key, text);
    return {
      ok: true,
      milliseconds: clock.now() - startedAt,
      ...serverInfoOf(offer),
      difference: toolDifference(knownListing(catalogue, key), offer),
      tools: offer.tools.length,
    };
  } catch (error) {
    return { ok: false, milliseconds: clock.now() - startedAt, problem: toProblem(error) };
  }
}

async function listingOf(
  { config, supervisor, clock }: TrialOptions,
  key: string,
  text: string,
): Promise<ServerListing> {
  const configured = await config.configure(key, text);
  const order = { ...configured, enabled: true };
  return supervisor.tryConfig(order, (connection) => listAll(connection, clock));
}

/** Rejects if the tools cannot be listed; problems with other lists are not shown in a trial. */
async function listAll(connection: Connection, clock: Clock): Promise<ServerListing> {
  const listing = new ListingReader(connection, { clock, waitMs: trialTimeoutMs });
  try {
    listing.start();
    await listing.whenKnown();
    if (listing.closeError !== undefined) throw listing.closeError;
    const [failed] = listing.problems;
    if (failed !== undefined && !listing.knowsTools) throw new ProblemError(failed);
    return listing.listing ?? emptyListing;
  } finally {
    listing.dispose();
  }
}

/** Milliseconds; the user is waiting for the result. */
const trialTimeoutMs = 20_000;

function serverInfoOf({
  serverInfo: { name, version },
}: ServerListing): Pick<EntryTrial & { ok: true }, 'serverInfo'> {
  return typeof name === 'string' && typeof version === 'string' ? { serverInfo: { name, version } } : {};
}
