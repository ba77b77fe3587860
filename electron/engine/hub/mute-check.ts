import { type Problem, problem } from '../../../shared/error/problem.ts';
import { type Clock, delay } from '../base/clock.ts';
import type { OfferListing } from '../catalogue/offer-listing.ts';
import type { SupervisedServer } from '../supervise/contract.ts';
import { probe } from '../supervise/health-probe.ts';

export interface MuteCheckOptions {
  readonly server: SupervisedServer;
  readonly clock: Clock;
  /** The listing over the connection in use that has asked it. */
  readonly listing: Pick<OfferListing, 'awaitsUndeclared' | 'answered'>;
  /** Whether that connection is still the one in use. */
  readonly isCurrent: () => boolean;
}

/**
 * Whether a server, just asked for lists that it does not declare, says nothing to anything any more. Only of a process
 * of ours, which reads one message after another; and not where it was at work on a call when it was asked, which may
 * be all it can do at a time.
 */
export async function isMutedBy({ server, clock, listing, isCurrent }: MuteCheckOptions): Promise<boolean> {
  const { state } = server;
  if (!('connection' in state) || state.pid === undefined || server.activeCalls > 0) return false;
  const { connection } = state;
  await delay(clock, firstWait);
  // A call that came meanwhile may keep it busy as well.
  const rounds = server.activeCalls > 0 ? busyRounds : freeRounds;
  for (let round = 0; round < rounds; round += 1) {
    // A question that it has answered before: some servers say nothing to pings.
    const { awaitsUndeclared, answered } = listing;
    if (!isCurrent() || !awaitsUndeclared || answered === undefined) return false;
    const outcome = await probe({
      connection,
      questions: ['ping', answered.method],
      url: undefined,
      isRemote: false,
      fetch: () => Promise.reject(new Error('No address is asked.')),
      clock,
      timeout,
    });
    if (outcome.kind !== 'missed' || outcome.isSilent !== true) return false;
  }
  return isCurrent();
}

export function muted(key: string): Problem {
  const sentence = `${key} answered nothing more once it was asked for lists that it does not declare.`;
  const fix = 'It is restarted, and not asked for them again. Report this to the author of the server.';
  return problem('server.unhealthy', sentence, fix, { server: key });
}

/** Milliseconds in which an answer comes from whatever answers such a question. */
const firstWait = 2_000;

/** Milliseconds for each of two questions of a round. */
const timeout = 5_000;

const freeRounds = 2;
const busyRounds = 6;
