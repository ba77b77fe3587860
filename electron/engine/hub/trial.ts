import { ProblemError, toProblem } from '../../../shared/error/problem.ts';
import type { EntryTrial } from '../../../shared/model/server-update.ts';
import type { Clock } from '../base/clock.ts';
import { type CatalogueStore, emptyOffer, type Offer } from '../catalogue/contract.ts';
import { OfferListing } from '../catalogue/offer-listing.ts';
import type { ConfigStore } from '../config/contract.ts';
import type { Connection, Supervisor } from '../supervise/contract.ts';
import { knownOffer } from './known-offer.ts';
import { toolDifference } from './tool-difference.ts';

export interface TrialOptions {
  readonly clock: Clock;
  readonly config: ConfigStore;
  readonly supervisor: Supervisor;
  readonly catalogue: CatalogueStore;
}

/** Starts an edited entry next to the running server and ends it again; failures are part of the result. */
export async function tryEntry(options: TrialOptions, key: string, text: string): Promise<EntryTrial> {
  const { clock, catalogue } = options;
  const startedAt = clock.now();
  try {
    const offer = await offerOf(options, key, text);
    return {
      ok: true,
      milliseconds: clock.now() - startedAt,
      ...serverInfoOf(offer),
      difference: toolDifference(knownOffer(catalogue, key), offer),
      tools: offer.tools.length,
    };
  } catch (error) {
    return { ok: false, milliseconds: clock.now() - startedAt, problem: toProblem(error) };
  }
}

async function offerOf(
  { config, supervisor, clock }: TrialOptions,
  key: string,
  text: string,
): Promise<Offer> {
  const configured = await config.configure(key, text);
  const order = { ...configured, enabled: true };
  return supervisor.tryOrder(order, (connection) => listWhole(connection, clock));
}

/** Rejects if the tools cannot be listed; problems with other lists are not shown in a trial. */
async function listWhole(connection: Connection, clock: Clock): Promise<Offer> {
  const listing = new OfferListing(connection, { clock, patience: trialPatience });
  try {
    listing.start();
    await listing.known();
    if (listing.ending !== undefined) throw listing.ending;
    const [failed] = listing.problems;
    if (failed !== undefined && !listing.knowsTools) throw new ProblemError(failed);
    return listing.offer ?? emptyOffer;
  } finally {
    listing.dispose();
  }
}

/** Milliseconds; the user is waiting for the result. */
const trialPatience = 20_000;

function serverInfoOf({
  serverInfo: { name, version },
}: Offer): Pick<EntryTrial & { ok: true }, 'serverInfo'> {
  return typeof name === 'string' && typeof version === 'string' ? { serverInfo: { name, version } } : {};
}
