import { type Problem, ProblemError, toProblem } from '../../../shared/error/problem.ts';
import type { EntryTrial } from '../../../shared/model/server-update.ts';
import type { Clock } from '../base/clock.ts';
import type { CatalogueStore, Offer } from '../catalogue/contract.ts';
import { listOffer } from '../catalogue/list-offer.ts';
import type { ConfigStore } from '../config/contract.ts';
import type { Supervisor } from '../supervise/contract.ts';
import { knownOffer } from './known-offer.ts';
import { toolDifference } from './tool-difference.ts';

export interface TrialOptions {
  readonly clock: Clock;
  readonly config: ConfigStore;
  readonly supervisor: Supervisor;
  readonly catalogue: CatalogueStore;
}

/** Starts an entry under edit beside the running server and ends it again; whatever goes wrong is the outcome. */
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
  const { offer, problems } = await supervisor.tryOrder(order, (connection) =>
    listOffer(connection, { clock }),
  );
  const failed: Problem | undefined = problems.find(({ code }) => code === 'server.list_failed');
  if (failed !== undefined) throw new ProblemError(failed);
  return offer;
}

function serverInfoOf({
  serverInfo: { name, version },
}: Offer): Pick<EntryTrial & { ok: true }, 'serverInfo'> {
  return typeof name === 'string' && typeof version === 'string' ? { serverInfo: { name, version } } : {};
}
