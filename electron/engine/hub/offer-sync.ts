import { type Problem, problem, toProblem } from '../../../shared/error/problem.ts';
import { backoffDelay } from '../base/backoff.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { CatalogueStore, Offer } from '../catalogue/contract.ts';
import type { Connection, SupervisedServer, Supervisor } from '../supervise/contract.ts';

export interface OfferSyncOptions {
  readonly clock: Clock;
  readonly supervisor: Pick<Supervisor, 'servers' | 'onState' | 'onNotification'>;
  readonly catalogue: CatalogueStore;
  readonly list: (
    connection: Connection,
    key: string,
  ) => Promise<{ readonly offer: Offer; readonly problems: readonly Problem[] }>;
  /**
   * `while-known`: a server that is down keeps its tools listed, so that client lists stay stable while it restarts.
   * `while-connected`: its tools leave at once (specification, FR-009).
   */
  readonly keep: 'while-known' | 'while-connected';
  /** A server's warnings, or what it offers, changed. */
  readonly onChange: (key: string) => void;
}

/** Keeps the catalogue equal to what the connected servers say they offer. */
export interface OfferSync extends Disposable {
  /** Problems of a server's last listing. */
  warnings(key: string): readonly Problem[];
  /** Resolves when every server that is switched on has been listed or has failed; at once if none is under way. */
  settled(): Promise<void>;
}

/** Lists a server whenever it connects or announces a change; one listing a server at a time. */
export function createOfferSync(options: OfferSyncOptions): OfferSync {
  const { supervisor, catalogue, clock } = options;
  const listings = new Map<string, Listing>();
  const warnings = new Map<string, readonly Problem[]>();
  const waiters = new Set<() => void>();

  const subscriptions = [
    supervisor.onState(({ server, previous }) => {
      if (isConnected(server)) {
        if (previous !== 'connected' && previous !== 'degraded') refresh(server);
      } else {
        leave(server.key);
      }
      tellWaiters();
    }),
    supervisor.onNotification(({ key, notification }) => {
      const server = supervisor.servers.get(key);
      if (server !== undefined && listChanges.has(notification.method)) refresh(server);
    }),
  ];

  function leave(key: string): void {
    listings.get(key)?.retry?.dispose();
    listings.delete(key);
    if (options.keep === 'while-connected') catalogue.clearOffer(key);
    if (!supervisor.servers.has(key)) warnings.delete(key);
  }

  function refresh(server: SupervisedServer): void {
    const connection = connectionOf(server);
    if (connection === undefined) return;
    const known = listings.get(server.key);
    const listing = known?.connection === connection ? known : newListing(connection);
    listings.set(server.key, listing);
    listing.wanted = true;
    if (!listing.running) void run(server.key, listing);
  }

  async function run(key: string, listing: Listing): Promise<void> {
    listing.running = true;
    listing.retry?.dispose();
    while (listing.wanted) {
      listing.wanted = false;
      const silence = clock.after(patience, () => tell(key, listing, [stillSilent(key)]));
      const outcome = await attempt(key, listing.connection, options.list);
      silence.dispose();
      // The server reconnected or went away meanwhile: this answer is of the past.
      if (listings.get(key) !== listing) return;
      if (outcome.offer !== undefined) catalogue.setOffer(key, outcome.offer);
      tell(key, listing, outcome.problems);
    }
    listing.running = false;
    listing.listed = true;
    tryAgainLater(key, listing);
    tellWaiters();
  }

  function tell(key: string, listing: Listing, problems: readonly Problem[]): void {
    if (listings.get(key) !== listing) return;
    warnings.set(key, problems);
    options.onChange(key);
  }

  /** A server that could not say what it offers may be able to later; without asking, its tools stay missing for good. */
  function tryAgainLater(key: string, listing: Listing): void {
    const failed = (warnings.get(key) ?? []).some(({ code }) => code === 'server.list_failed');
    listing.failures = failed ? listing.failures + 1 : 0;
    if (!failed) return;
    listing.retry = clock.after(backoffDelay(retries, listing.failures - 1), () => {
      const server = supervisor.servers.get(key);
      if (server !== undefined && listings.get(key) === listing) refresh(server);
    });
  }

  function isSettled(): boolean {
    return [...supervisor.servers.values()].every((server) => {
      if (isConnected(server)) return listings.get(server.key)?.listed === true;
      return server.state.status !== 'connecting' && !isFirstStart(server);
    });
  }

  function tellWaiters(): void {
    if (waiters.size === 0 || !isSettled()) return;
    for (const resolve of waiters) resolve();
    waiters.clear();
  }

  return {
    warnings: (key) => warnings.get(key) ?? [],
    settled: () => (isSettled() ? Promise.resolve() : new Promise((resolve) => waiters.add(resolve))),
    dispose: () => {
      for (const subscription of subscriptions) subscription.dispose();
      for (const listing of listings.values()) listing.retry?.dispose();
      listings.clear();
      for (const resolve of waiters) resolve();
      waiters.clear();
    },
  };
}

interface Listing {
  readonly connection: Connection;
  /** Asked for again, also while one is under way. */
  wanted: boolean;
  running: boolean;
  /** Listed at least once, successfully or not. */
  listed: boolean;
  /** Failures in a row. */
  failures: number;
  retry?: Disposable;
}

function newListing(connection: Connection): Listing {
  return { connection, wanted: false, running: false, listed: false, failures: 0 };
}

/** Milliseconds in which nobody wonders where the tools of a connected server are. */
const patience = 5_000;

const retries = { initial: 30_000, max: 300_000, factor: 2, jitter: 0.2 } as const;

function stillSilent(key: string): Problem {
  const sentence = `${key} is connected but has not said yet what it offers.`;
  return problem(
    'server.list_failed',
    sentence,
    'Wait a little; if it stays so, look at its log or restart it.',
  );
}

const listChanges: ReadonlySet<string> = new Set([
  'notifications/tools/list_changed',
  'notifications/resources/list_changed',
  'notifications/prompts/list_changed',
]);

/** A failed listing leaves the last known offer in force and says why. */
async function attempt(
  key: string,
  connection: Connection,
  list: OfferSyncOptions['list'],
): Promise<{ readonly offer?: Offer; readonly problems: readonly Problem[] }> {
  try {
    return await list(connection, key);
  } catch (error) {
    const reason = toProblem(error).sentence;
    const sentence = `${key} is connected but did not say what it offers.`;
    return {
      problems: [problem('server.list_failed', sentence, `Restart ${key}; see its log.`, { reason })],
    };
  }
}

function isConnected(server: SupervisedServer): boolean {
  return connectionOf(server) !== undefined;
}

function connectionOf({ state }: SupervisedServer): Connection | undefined {
  return state.status === 'connected' || state.status === 'degraded' ? state.connection : undefined;
}

/** Waiting to be started for the first time, as opposed to waiting for another try. */
function isFirstStart({ state, restarts }: SupervisedServer): boolean {
  return state.status === 'disconnected' && restarts === 0 && state.problem === undefined;
}
