import { type Problem, ProblemError, problem, toProblem } from '../../../shared/error/problem.ts';
import { backoffDelay } from '../base/backoff.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { CatalogueStore, Offer } from '../catalogue/contract.ts';
import type { Connection, PreparedUpdate, SupervisedServer, Supervisor } from '../supervise/contract.ts';
import { knownOffer } from './known-offer.ts';
import { toolDifference } from './tool-difference.ts';

export interface OfferSyncOptions {
  readonly clock: Clock;
  readonly supervisor: Pick<Supervisor, 'servers' | 'onState' | 'onNotification'>;
  readonly catalogue: CatalogueStore;
  readonly list: (connection: Connection, key: string) => Promise<Listed>;
  /**
   * `while-known`: a server that is down keeps its tools listed, so that client lists stay stable while it restarts.
   * `while-connected`: its tools leave at once (specification, FR-009).
   */
  readonly keep: 'while-known' | 'while-connected';
  /** A server's warnings, or what it offers, changed. */
  readonly onChange: (key: string) => void;
  /** It is known now what a server offers. */
  readonly onListed?: (key: string) => void;
}

interface Listed {
  readonly offer: Offer;
  readonly problems: readonly Problem[];
}

/** Keeps the catalogue equal to what the connected servers say they offer. */
export interface OfferSync extends Disposable {
  /** Problems of a server's last listing. */
  warnings(key: string): readonly Problem[];
  /** Resolves when every server that is switched on has been listed, has failed or sleeps; at once if none is under way. */
  settled(): Promise<void>;
  /**
   * Lists what a changed config offers over the connection that is to take over; it is not listed again when it does.
   * Rejects with ProblemError where it does not say it whole: then it had better not take over.
   */
  prepare(key: string, connection: Connection): Promise<PreparedUpdate>;
}

/** Lists a server whenever it connects or announces a change; one listing a server at a time. */
export function createOfferSync(options: OfferSyncOptions): OfferSync {
  return new Sync(options);
}

class Sync implements OfferSync {
  readonly #options: OfferSyncOptions;
  /** Of the connection that is in use. */
  readonly #listings = new Map<string, Listing>();
  readonly #warnings = new Map<string, readonly Problem[]>();
  readonly #waiters = new Set<() => void>();
  readonly #subscriptions: readonly Disposable[];

  constructor(options: OfferSyncOptions) {
    this.#options = options;
    const { supervisor } = options;
    this.#subscriptions = [
      supervisor.onState(({ server }) => this.#follow(server)),
      supervisor.onNotification(({ key, connection, notification }) => {
        if (listChanges.has(notification.method)) this.#announced(key, connection);
      }),
    ];
  }

  warnings(key: string): readonly Problem[] {
    return this.#warnings.get(key) ?? [];
  }

  settled(): Promise<void> {
    return this.#isSettled() ? Promise.resolve() : new Promise((resolve) => this.#waiters.add(resolve));
  }

  async prepare(key: string, connection: Connection): Promise<PreparedUpdate> {
    const { catalogue, list } = this.#options;
    const { offer, problems } = await list(connection, key);
    const failed = problems.find(isListFailure);
    if (failed !== undefined) throw new ProblemError(failed);
    return {
      difference: toolDifference(knownOffer(catalogue, key), offer),
      commit: () => this.#commit(key, connection, { offer, problems }),
    };
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    for (const listing of this.#listings.values()) listing.retry?.dispose();
    this.#listings.clear();
    for (const resolve of this.#waiters) resolve();
    this.#waiters.clear();
  }

  #follow(server: SupervisedServer): void {
    const connection = connectionOf(server);
    if (connection === undefined) this.#leave(server.key);
    else if (this.#listings.get(server.key)?.connection !== connection) this.#refresh(server);
    this.#tellWaiters();
  }

  #announced(key: string, connection: Connection | undefined): void {
    const server = this.#options.supervisor.servers.get(key);
    if (server === undefined) return;
    // One that is only finishing old calls no longer says what there is.
    if (connection === undefined || connection === connectionOf(server)) this.#refresh(server);
  }

  #leave(key: string): void {
    const { supervisor, catalogue, keep } = this.#options;
    this.#listings.get(key)?.retry?.dispose();
    this.#listings.delete(key);
    if (keep === 'while-connected') catalogue.clearOffer(key);
    if (!supervisor.servers.has(key)) this.#warnings.delete(key);
  }

  #refresh(server: SupervisedServer): void {
    const connection = connectionOf(server);
    if (connection === undefined) return;
    const listing = this.#listingOf(server.key, connection);
    listing.wanted = true;
    if (!listing.running) void this.#run(server.key, listing);
  }

  #listingOf(key: string, connection: Connection): Listing {
    const known = this.#listings.get(key);
    if (known?.connection === connection) return known;
    known?.retry?.dispose();
    const listing = newListing(connection);
    this.#listings.set(key, listing);
    return listing;
  }

  /** The new offer counts, and the connection that is named next has been listed already. */
  #commit(key: string, connection: Connection, { offer, problems }: Listed): void {
    this.#options.catalogue.setOffer(key, offer);
    const listing = this.#listingOf(key, connection);
    listing.listed = true;
    this.#tell(key, listing, problems);
  }

  async #run(key: string, listing: Listing): Promise<void> {
    const { clock, catalogue, list, onListed } = this.#options;
    listing.running = true;
    listing.retry?.dispose();
    while (listing.wanted) {
      listing.wanted = false;
      const silence = clock.after(patience, () => this.#tell(key, listing, [stillSilent(key)]));
      const outcome = await attempt(key, listing.connection, list);
      silence.dispose();
      // The server reconnected or went away meanwhile: this answer is of the past.
      if (this.#listings.get(key) !== listing) return;
      if (outcome.offer !== undefined) catalogue.setOffer(key, outcome.offer);
      this.#tell(key, listing, outcome.problems);
    }
    listing.running = false;
    listing.listed = true;
    this.#tryAgainLater(key, listing);
    this.#tellWaiters();
    if (listing.failures === 0) onListed?.(key);
  }

  #tell(key: string, listing: Listing, problems: readonly Problem[]): void {
    if (this.#listings.get(key) !== listing) return;
    this.#warnings.set(key, problems);
    this.#options.onChange(key);
  }

  /** A server that could not say what it offers may be able to later; without asking, its tools stay missing for good. */
  #tryAgainLater(key: string, listing: Listing): void {
    const { clock, supervisor } = this.#options;
    const failed = this.warnings(key).some(isListFailure);
    listing.failures = failed ? listing.failures + 1 : 0;
    if (!failed) return;
    listing.retry = clock.after(backoffDelay(retries, listing.failures - 1), () => {
      const server = supervisor.servers.get(key);
      if (server !== undefined && this.#listings.get(key) === listing) this.#refresh(server);
    });
  }

  #isSettled(): boolean {
    return [...this.#options.supervisor.servers.values()].every((server) => {
      if (connectionOf(server) !== undefined) return this.#listings.get(server.key)?.listed === true;
      return server.state.status !== 'connecting' && !isFirstStart(server);
    });
  }

  #tellWaiters(): void {
    if (this.#waiters.size === 0 || !this.#isSettled()) return;
    for (const resolve of this.#waiters) resolve();
    this.#waiters.clear();
  }
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

function isListFailure({ code }: Problem): boolean {
  return code === 'server.list_failed';
}

function connectionOf({ state }: SupervisedServer): Connection | undefined {
  return state.status === 'connected' || state.status === 'degraded' ? state.connection : undefined;
}

/** Waiting to be started for the first time, as opposed to waiting for another try or for somebody to use it. */
function isFirstStart({ state, restarts }: SupervisedServer): boolean {
  if (state.status !== 'disconnected' || state.asleep === true) return false;
  return restarts === 0 && state.problem === undefined;
}
